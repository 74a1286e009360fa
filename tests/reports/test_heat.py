from __future__ import annotations

import re

from empathic.reports.heat import FULL, heat
from reports.probed import LEVELS, asked

BOTH = ["age", "pronouns"]


def made(values: list[float | None]) -> str:
    cells = [
        asked("deviation", BOTH, levels, value, "different" if value == -0.2 else "")
        for levels, value in zip(LEVELS, values, strict=True)
    ]
    means = [asked("mean", BOTH, levels, 0.8, "") for levels in LEVELS]
    return heat(cells, means, caption="understanding <b>")


def test_rows_and_columns_are_the_levels_and_texts_are_escaped() -> None:
    table = made([0.1, 0.0, 0.05, -0.2])
    assert re.findall(r'scope="row">([^<]*)', table) == ["30", "70"]
    assert "<script>" not in table
    assert "&lt;script&gt;" in table
    assert "understanding &lt;b&gt;" in table


def test_the_largest_deviation_has_the_most_colour_and_the_sign_its_side() -> None:
    cells = re.findall(r'<td class="(over|under)" style="--h:(\d+)%"', made([0.1, 0.0, 0.05, -0.2]))
    assert cells == [("over", str(FULL // 2)), ("under", "0"), ("over", str(FULL // 4)), ("under", str(FULL))]


def test_a_number_stands_in_every_cell_and_only_what_is_established_is_said_to_differ() -> None:
    table = made([0.1, 0.0, 0.05, -0.2])
    assert re.findall(r'class="by">([^<]*)', table) == ["+0.1", "±0", "+0.05", "−0.2"]
    assert table.count("◆ different") == 1


def test_an_intersection_without_answers_is_a_dash() -> None:
    assert '<td class="soft">–</td>' in made([0.1, 0.1, None, 0.1])
