"""Measured answers with their templates and attributes → groups of people, and each group's mean in every template.

A group is one level of one factor (`pronouns=they`), or an intersection of two (`age=70 × pronouns=they`). Everything that
is asked of groups is a contrast: a weighted sum of group means within one template, so that templates, which differ far
more than groups do, cancel out. The template is the unit: what is seen in one situation only is not a property of people.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from empathic.errors import SettingError
from empathic.statistics.inputs import Codes, Floats, codes, lengths_differ, numbers

Kind = Literal["contrast", "deviation", "interaction"]
BEYOND = "what its two attributes add up to"
EVERYONE = 0  # the first group: all answers to a template


class Observations(NamedTuple):
    """One measure: a finite value per probe, its template, and the level of every factor."""

    values: Floats
    templates: NDArray[np.str_]
    factors: Mapping[str, NDArray[np.str_]]  # "" where the text does not say it: in no group
    references: Mapping[str, str]  # factor → the level others are compared with
    crossed: Sequence[str] = ()  # factors of interest: their pairs are intersections


class Group(NamedTuple):
    """People with these levels of these factors; without factors: everyone."""

    factors: tuple[str, ...]
    levels: tuple[str, ...]

    @property
    def name(self) -> str:
        """`age=70 × pronouns=they`."""
        said = (f"{factor}={level}" for factor, level in zip(self.factors, self.levels, strict=True))
        return " × ".join(said) or "everyone"


class Contrast(NamedTuple):
    """What is asked of one group: how far it is from the reference, from the others, or from its two main effects."""

    kind: Kind
    group: Group
    against: str


class Layout(NamedTuple):
    """The groups of a data set and the contrasts between them, fixed while values are dealt anew."""

    groups: tuple[Group, ...]
    contrasts: tuple[Contrast, ...]
    weights: Floats  # contrasts × groups
    members: tuple[Floats, ...]  # per template: its observations × groups, 0/1
    rows: tuple[Codes, ...]  # per template: which observations
    counts: Floats  # templates × groups
    families: tuple[Codes, ...]  # contrasts that are deviations from the same centre
    tables: tuple[Codes, ...]  # contrasts that are interactions of the same two factors: rows × columns
    expected: Floats  # per contrast: its variance within a template, were all answers to the template alike in spread

    @property
    def usable(self) -> NDArray[np.bool_]:
        """Templates × contrasts: whether the template has an answer in every group of the contrast."""
        return np.asarray((self.counts == 0).astype(float) @ (self.weights != 0).T.astype(float) == 0)


def observations(
    values: ArrayLike,
    templates: ArrayLike,
    factors: Mapping[str, ArrayLike],
    *,
    references: Mapping[str, str],
    crossed: Sequence[str] = (),
) -> Observations:
    """Checked arrays; values that are None or not finite are left out here, and counted by whoever knows why."""
    numeric, names = numbers(values), np.asarray(templates, dtype=str)
    labels = {factor: np.asarray(levels, dtype=str) for factor, levels in factors.items()}
    if reason := lengths_differ(values=numeric, templates=names, **labels):
        raise SettingError(f"An observation needs a value, a template and a level of each factor: {reason}.")
    if unknown := [factor for factor in crossed if factor not in labels]:
        raise SettingError(f"No factor is called '{unknown[0]}'; there are {', '.join(labels)}.")
    kept = np.isfinite(numeric)
    chosen = {factor: levels[kept] for factor, levels in labels.items()}
    return Observations(numeric[kept], names[kept], chosen, dict(references), tuple(crossed))


def layout(observed: Observations) -> Layout:
    """All levels of all factors, all intersections of two crossed factors, and what is asked of them."""
    groups = tuple(_groups(observed))
    contrasts, weights = _contrasts(groups, observed.references)
    members = np.column_stack([_belongs(observed, group) for group in groups]).astype(float)
    levels, places = codes(observed.templates)
    rows = tuple(np.flatnonzero(places == place) for place in range(len(levels)))
    inside = tuple(members[row] for row in rows)
    counts = np.array([member.sum(axis=0) for member in inside]).reshape(len(rows), len(groups))
    expected = _expected(observed.values, rows, inside, counts, weights)
    return Layout(
        groups,
        contrasts,
        weights,
        inside,
        rows,
        counts,
        tuple(_families(contrasts)),
        tuple(_tables(contrasts)),
        expected,
    )


def means(found: Layout, values: Floats) -> Floats:
    """Data sets (rows of values) × templates × groups: means, 0 where a template has no such answer."""
    table = np.empty((len(values), len(found.rows), len(found.groups)))
    safe = np.maximum(found.counts, 1)
    for place, (row, member) in enumerate(zip(found.rows, found.members, strict=True)):
        table[:, place] = values[:, row] @ member / safe[place]
    return table


def _groups(observed: Observations) -> Iterator[Group]:
    yield Group((), ())
    levels = {factor: [str(one) for one in codes(labels)[0] if one] for factor, labels in observed.factors.items()}
    for factor, names in levels.items():
        if len(names) > 1:
            yield from (Group((factor,), (name,)) for name in names)
    for pair in itertools.combinations(observed.crossed, 2):
        if all(len(levels[factor]) > 1 for factor in pair):
            yield from (Group(pair, cell) for cell in itertools.product(*(levels[factor] for factor in pair)))


def _belongs(observed: Observations, group: Group) -> NDArray[np.bool_]:
    inside = np.ones(len(observed.values), dtype=bool)
    for factor, level in zip(group.factors, group.levels, strict=True):
        inside &= observed.factors[factor] == level
    return inside


def _contrasts(groups: tuple[Group, ...], references: Mapping[str, str]) -> tuple[tuple[Contrast, ...], Floats]:
    found: list[Contrast] = []
    rows: list[Floats] = []
    for factors in dict.fromkeys(group.factors for group in groups if group.factors):
        places = [place for place, group in enumerate(groups) if group.factors == factors]
        for contrast, row in _of_siblings(groups, places, references):
            found.append(contrast)
            rows.append(row)
    return tuple(found), np.array(rows).reshape(len(rows), len(groups))


def _of_siblings(
    groups: tuple[Group, ...], places: list[int], references: Mapping[str, str]
) -> Iterator[tuple[Contrast, Floats]]:
    """The contrasts of all levels of a factor, or of all cells of two."""
    unit, factors = np.eye(len(groups)), groups[places[0]].factors
    wanted = tuple(references.get(factor, "") for factor in factors)
    reference = next((place for place in places if groups[place].levels == wanted), None)
    for place in places:
        if reference is not None and place != reference:
            yield Contrast("contrast", groups[place], groups[reference].name), unit[place] - unit[reference]
    for place in places:
        yield Contrast("deviation", groups[place], "the median group"), unit[place] - unit[EVERYONE]
    if len(factors) == 2:
        for place in places:
            yield Contrast("interaction", groups[place], BEYOND), _doubly_centred(groups, places, place)


def _doubly_centred(groups: tuple[Group, ...], places: list[int], cell: int) -> Floats:
    """m_ij − m_i· − m_·j + m_··, the margins being unweighted means of cells."""
    own = groups[cell].levels
    sizes = [len({groups[place].levels[side] for place in places}) for side in (0, 1)]
    row = np.zeros(len(groups))
    for place in places:
        same = [groups[place].levels[side] == own[side] for side in (0, 1)]
        row[place] = (same[0] - 1 / sizes[0]) * (same[1] - 1 / sizes[1])
    return row


def _families(contrasts: tuple[Contrast, ...]) -> Iterator[Codes]:
    deviations = [place for place, each in enumerate(contrasts) if each.kind == "deviation"]
    for factors in dict.fromkeys(contrasts[place].group.factors for place in deviations):
        yield np.array([place for place in deviations if contrasts[place].group.factors == factors])


def _tables(contrasts: tuple[Contrast, ...]) -> Iterator[Codes]:
    cells = [place for place, each in enumerate(contrasts) if each.kind == "interaction"]
    for factors in dict.fromkeys(contrasts[place].group.factors for place in cells):
        mine = [place for place in cells if contrasts[place].group.factors == factors]
        rows = len({contrasts[place].group.levels[0] for place in mine})
        yield np.array(mine).reshape(rows, -1)


def _expected(
    values: Floats, rows: tuple[Codes, ...], members: tuple[Floats, ...], counts: Floats, weights: Floats
) -> Floats:
    """Mean over templates of σ_t² Σ_i a_i², where a contrast is Σ_i a_i y_i and σ_t² the variance within template t."""
    variances = np.array([values[row].var(ddof=1) if len(row) > 1 else 0.0 for row in rows])
    squares = [
        ((member / np.maximum(count, 1) @ weights.T) ** 2).sum(axis=0)
        for member, count in zip(members, counts, strict=True)
    ]
    return np.asarray(variances @ np.array(squares) / len(rows))
