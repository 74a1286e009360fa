from __future__ import annotations

from pathlib import Path

import pytest

from empathic.papers.welivita2024_findings import duplicated_labels, highest_rated, percent_gains, questionnaire
from empathic.papers.welivita2024_study import Study, load

from .released import write


@pytest.fixture
def study(tmp_path: Path) -> Study:
    write(tmp_path, parts=12, each=4)
    return load(tmp_path)


def test_equal_label_columns_are_counted_row_by_row(study: Study) -> None:
    found = duplicated_labels(study).numbers
    same = sum(a == b for a, b in zip(study.labels["chatgpt"], study.labels["chatgpt_empathy"], strict=True))
    assert found["rows with equal labels"] == same < 48
    assert found["rows with as many labels as sentences, Human"] == 48


def test_totals_are_scored_anew(study: Study) -> None:
    found = questionnaire(study).numbers
    assert found["totals reproduced with 8 reversed items"] == found["raters"] == 36
    assert found["totals reproduced with the 7 marked in Table 7"] < 36


def test_a_percentage_depends_on_the_first_number_of_the_scale(study: Study) -> None:
    found = percent_gains(study).numbers
    gains = [found[f"empathy-defined over human, % if Bad is {start}"] for start in (0, 1, 2)]
    assert abs(gains[0]) > abs(gains[1]) > abs(gains[2])


def test_each_emotion_is_won_once(study: Study) -> None:
    assert sum(highest_rated(study).numbers.values()) == 2
