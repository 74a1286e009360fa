"""Answers in long form become tables: targets × raters for one measure, answer sheets × items for a scale.

A measure is an item or a component. Repeats of one judge are one source: `judge:provider/model#2` comes from
`judge:provider/model`, because its repeats share their bias and are no independent raters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from empathic.statistics.estimates import Array

JUDGE = "judge:"


class Observation(NamedTuple):
    """One value of one measure, given by one rater about one target; reversed items are turned already."""

    rater: str
    target: str
    measure: str
    value: float | None
    system: str | None = None
    place: int | None = None  # of the item in the sequence the rater saw
    dialogue: str | None = None
    swapped: int | None = None  # 1 if the speakers' names were swapped, 0 if not


class Table(NamedTuple):
    """Targets × raters of one measure, NaN where a rater gave no value."""

    targets: list[str]
    raters: list[str]
    values: Array


class Sheets(NamedTuple):
    """Complete answer sheets × measures, with who filled them about what; and how many were left out."""

    raters: list[str]
    targets: list[str]
    values: Array
    left_out: int


def source(rater: str) -> str:
    """Who is behind a rater: a person, or the judge whose repeat it is."""
    return rater.rsplit("#", 1)[0] if rater.startswith(JUDGE) else rater


def is_judge(rater: str) -> bool:
    """Whether the rater is a model."""
    return rater.startswith(JUDGE)


def of_measure(observations: Iterable[Observation], measure: str) -> list[Observation]:
    """The observations of one measure that have a value."""
    return [each for each in observations if each.measure == measure and each.value is not None]


def table(observations: Iterable[Observation], measure: str) -> Table:
    """Targets × raters of one measure, in the order of their first appearance."""
    found = of_measure(observations, measure)
    targets, raters = (list(dict.fromkeys(getattr(each, field) for each in found)) for field in ("target", "rater"))
    rows, columns = ({name: place for place, name in enumerate(names)} for names in (targets, raters))
    values = np.full((len(targets), len(raters)), np.nan)
    for each in found:
        values[rows[each.target], columns[each.rater]] = each.value
    return Table(targets, raters, values)


def sheets(observations: Iterable[Observation], measures: Sequence[str]) -> Sheets:
    """One row per rater and target that has all the measures."""
    places = {measure: place for place, measure in enumerate(measures)}
    rows: dict[tuple[str, str], Array] = {}
    for each in observations:
        if each.measure in places:
            row = rows.setdefault((each.rater, each.target), np.full(len(places), np.nan))
            row[places[each.measure]] = np.nan if each.value is None else each.value
    whole = {key: row for key, row in rows.items() if np.isfinite(row).all()}
    values = np.array(list(whole.values())) if whole else np.empty((0, len(places)))
    return Sheets([rater for rater, _ in whole], [target for _, target in whole], values, len(rows) - len(whole))
