"""The reproduction against the reference: which cells match, and what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.papers.checks import Check, Reproduction
from empathic.papers.lee2024 import TABLE_2, reproduce


def folder_with(shared: Path, target: Path, *names: str) -> Path:
    for name in names:
        (target / name).symlink_to(shared / "data" / "lee2024" / name)
    return target


def only_cem(shared: Path, target: Path) -> Reproduction:
    return reproduce(folder_with(shared, target, "cem_responses.json"))


def cells(result: Reproduction, table: str) -> dict[tuple[str, str], Check]:
    return {(check.row, check.column): check for check in result.checks if check.table == table}


def test_one_system_alone_is_recomputed_cell_by_cell(shared: Path, tmp_path: Path) -> None:
    result = only_cem(shared, tmp_path)
    found = cells(result, "Table 2")
    assert set(found) == {("cem", column) for column in TABLE_2}
    assert all(check.match for check in found.values())
    assert found["cem", "templates"].computed == 795
    assert found["cem", "compression_pct"].published == 38.6


def test_without_counts_and_lexicon_the_figures_are_left_out(shared: Path, tmp_path: Path) -> None:
    result = only_cem(shared, tmp_path)
    assert not cells(result, "Figure 2")
    assert not cells(result, "Figure 4")
    assert {finding.id for finding in result.findings} == {
        "decodings",
        "token-level",
        "span-types-or-nodes",
        "dependence-on-n",
    }


def test_a_folder_without_released_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds none of the released files"):
        reproduce(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        reproduce(tmp_path / "absent")


@pytest.mark.slow
def test_every_cell_matches_but_the_misprint_and_the_claim_of_half_a_percent(shared: Path) -> None:
    result = reproduce(shared / "data" / "lee2024")
    differing = {(check.row, check.column) for check in result.checks if not check.match}
    assert differing == {
        ("emocause", "compression_pct"),
        ("most systems within .005 of EmpatheticDialogue", "specificity"),
    }
    assert len(cells(result, "Table 2")) == 6 * len(TABLE_2)
    assert len(cells(result, "Figure 2")) == 3
    assert len(cells(result, "Figure 4")) == 1
