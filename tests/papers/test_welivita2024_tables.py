from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from empathic.papers import welivita2024, welivita2024_tables
from empathic.papers.checks import read_published
from empathic.papers.welivita2024_study import Study, load

from .released import write


@pytest.fixture
def study(tmp_path: Path) -> Study:
    write(tmp_path, parts=12, each=4)
    return load(tmp_path)


def as_dict(cells) -> dict[tuple[str, str, str], float | None]:
    return {(table, row, column): value for table, row, column, value in cells}


def test_other_data_give_other_numbers_by_the_same_recipes(study: Study) -> None:
    found = as_dict(welivita2024_tables.tables8_and_9(study))
    groups = [study.ratings[g] for g in ("human", "chatgpt", "chatgpt_empathy")]
    assert found["table8", "all", "F"] == pytest.approx(stats.f_oneway(*groups).statistic)
    assert found["table8", "all", "Human | se"] == pytest.approx(stats.sem(groups[0]))
    paired = as_dict(welivita2024_tables.table3(study))
    oracle = stats.ttest_rel(groups[0], groups[1])
    assert paired["table3", "all", "Human vs GPT-4 (vanilla) | t"] == pytest.approx(oracle.statistic)


def test_the_rater_who_was_left_out_is_found_from_the_printed_slope(study: Study) -> None:
    names, means, teq = study.rater_means("chatgpt")
    printed = {}
    for group, title in welivita2024_tables.TITLES.items():
        n, y, x = study.rater_means(group)
        keep = np.arange(len(n)) != (5 if group == "chatgpt" else -1)
        line = stats.linregress(x[keep], y[keep])
        printed["table12", title, "slope"] = f"{line.slope:.6f}"
        printed["table12", title, "t"] = f"{line.slope / line.stderr:.5f}"
    assert welivita2024_tables.left_out(study, printed) == {"chatgpt": names[5]}


def test_shares_of_labels_are_of_all_labels_with_that_rating(study: Study) -> None:
    shares = welivita2024_tables.label_shares(study, "human", study.ratings["human"] == 3)
    assert sum(shares.values()) == pytest.approx(100)
    assert shares["Affirm"] == pytest.approx(50)


def test_every_published_cell_has_a_recipe(study: Study) -> None:
    published = {(t, r, c) for t, r, c, _ in read_published("welivita2024")}
    emotions = {row for table, row, _ in published if table == "table9"}
    printed = {(t, r, c): text for t, r, c, text in read_published("welivita2024")}
    found = set(as_dict(welivita2024_tables.cells(study, printed)))
    wanted = {cell for cell in published if cell[1] not in emotions and cell[0] != "table13"}
    assert wanted <= found


def test_the_reversed_items_are_those_of_the_questionnaire() -> None:
    assert welivita2024.instruments is not None
    assert welivita2024_tables.reversed_items() == [1, 3, 6, 9, 10, 11, 13, 14]
