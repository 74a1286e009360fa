from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.papers.lee2024_data import Released, published


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    answers = [{"query": ["hi"], "response": "oh no .", "beam_search": "i see"}, {"query": ["so"], "response": " "}]
    (tmp_path / "moel_responses.json").write_text(json.dumps([{**answers[0]}, {**answers[0], "query": ["x"]}]))
    (tmp_path / "kemp_responses.json").write_text(json.dumps(answers))
    (tmp_path / "ed_word_counts.json").write_text(json.dumps({"oh": 1, "no": 10, ".": 100}))
    return tmp_path


def test_systems_come_in_the_order_of_the_table_with_their_decodings(folder: Path) -> None:
    released = Released(folder)
    assert list(released.systems) == ["moel", "kemp"]
    assert released.systems["moel"].decodings == ["beam_search"]
    assert released.systems["moel"].folded == "beam_search"
    assert released.systems["moel"].rows("beam_search") == [["i", "see"]] * 2
    assert released.systems["kemp"].folded == "response"


def test_an_empty_response_is_an_empty_row_and_no_value(folder: Path) -> None:
    released = Released(folder)
    assert released.systems["kemp"].rows() == [["oh", "no", "."], []]
    assert released.specificity["kemp"] == pytest.approx(0.5)
    assert released.word_choice == {}


def test_the_printed_table_is_complete() -> None:
    systems = published()["systems"]
    assert len(systems) == 10
    assert len({frozenset(printed) - {"early"} for printed in systems.values()}) == 1
    for printed in systems.values():
        share = 100 * int(printed["templates"]) / published()["responses"]
        assert abs(share - float(printed["templates_pct"])) < 0.06
        ratio = 100 * int(printed["span_types"]) / int(printed["total_nodes"])
        assert abs(ratio - float(printed["span_types_pct"])) < 0.06
