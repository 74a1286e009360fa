"""Intersections → a table coloured by how far each is from the median group: numbers first, colour beside them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from empathic.records import Estimate
from empathic.reports.numbers import number

FULL = 60  # per cent of colour at the largest deviation, so that the number stays readable


def heat(cells: Sequence[Estimate], means: Sequence[Estimate], *, caption: str) -> str:
    """Rows are the levels of the first factor, columns those of the second."""
    placed = {tuple(each.labels["levels"]): each for each in cells if each.value is not None}
    shown = {tuple(each.labels["levels"]): each for each in means if each.value is not None}
    rows = list(dict.fromkeys(levels[0] for levels in placed))
    columns = list(dict.fromkeys(levels[1] for levels in placed))
    largest = max((abs(each.value or 0.0) for each in placed.values()), default=0.0)
    factors = cells[0].labels["factors"]
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(_cell(placed.get((row, column)), shown.get((row, column)), largest) for column in columns)
        + "</tr>"
        for row in rows
    )
    corner = f"{escape(factors[0])} ↓ {escape(factors[1])} →"
    return (
        f'<div class="table" role="region" aria-label="Table: {escape(caption, quote=True)}" tabindex="0"><table class="heat">'
        f'<caption>{escape(caption)}</caption><thead><tr><th scope="col" class="soft">{corner}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(deviation: Estimate | None, mean: Estimate | None, largest: float) -> str:
    if deviation is None or deviation.value is None:
        return '<td class="soft">–</td>'
    share = 0 if largest == 0 else round(FULL * abs(deviation.value) / largest)
    side = "over" if deviation.value > 0 else "under"
    verdict = deviation.details.get("verdict", "")
    sign = " <b>◆ different</b>" if verdict == "different" else ""
    inner = f"{number(mean.value)} " if mean is not None else ""
    signed = f"{'+' if deviation.value > 0 else '−' if deviation.value < 0 else '±'}{number(abs(deviation.value))}"
    title = escape(f"{deviation.labels['group']}: {signed}, {verdict}", quote=True)
    return f'<td class="{side}" style="--h:{share}%" title="{title}">{inner}<span class="by">{signed}</span>{sign}</td>'
