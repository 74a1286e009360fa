from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.papers.ieval2022 import published, reproduce
from empathic.papers.ieval2022_cells import Cells

DIFFER = {
    ("5.1 ART", "chatbot:context", "df1"),
    ("5.2 ordinal regression", "politeness", "beta"),
    ("README", "A and S", "Pearson r"),
    ("Table 1", "Blender", "positive, mean"),
    ("Table 1", "MIME", "positive, mean"),
    ("Table 1", "MIME", "positive, SD"),
    ("Table 1", "Plain", "overall, mean"),
    ("5.3.1 questions", "MEED vs Plain, negative", "p over dialogues"),
}


def test_112_of_120_cells_match_and_the_other_eight_are_the_known_ones(shared: Path) -> None:
    found = reproduce(shared / "data" / "ieval2022")
    assert found.paper == "ieval2022"
    assert len(found.checks) == 120
    assert {(check.table, check.row, check.column) for check in found.checks if not check.match} == DIFFER
    assert len(found.findings) >= 15


def test_every_cell_equals_the_reference_within_its_tolerance(shared: Path, ieval_cells: Cells) -> None:
    reference = json.loads((shared / "reference" / "ieval.json").read_text())["values"]
    expected = [value for value in reference if value["kind"] == "published"]
    cells = published()["cells"]
    assert len(cells) == len(expected) == 120
    for (table, row, column, *_), value in zip(cells, expected, strict=True):
        assert ieval_cells[table, row, column] == pytest.approx(value["reproduced"], abs=value["tol_abs"] + 1e-15)


def test_the_printed_numbers_are_those_of_the_reference(shared: Path) -> None:
    reference = json.loads((shared / "reference" / "ieval.json").read_text())["values"]
    expected = [value for value in reference if value["kind"] == "published"]
    for (_, _, _, relation, value, digits), wanted in zip(published()["cells"], expected, strict=True):
        if relation == "=":
            assert (value, digits) == (wanted["published"], wanted["published_decimals"] or 0)
        else:
            assert [relation, value] == wanted["published_bound"]
