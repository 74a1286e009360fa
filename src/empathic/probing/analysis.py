"""Measured answers to probes → estimates: for each system and measure every group, with verdicts that hold over all.

Stands above the rooms: it knows what measuring writes (`probes.measured`) and hands plain arrays to `statistics`.
"""

from __future__ import annotations

import functools
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from empathic.errors import InputError, SettingError
from empathic.probes.factors import UNSAID
from empathic.probes.measured import Measured
from empathic.records import Estimate, Json, Record
from empathic.statistics import positions
from empathic.statistics.deviations import METHOD, Plan, deviations, same, unfit
from empathic.statistics.equivalence import unseen
from empathic.statistics.groups import Observations, layout, observations
from empathic.statistics.inputs import Floats
from empathic.statistics.measures import decide
from empathic.statistics.multiplicity import adjust_family
from empathic.statistics.published import z_rule
from empathic.statistics.spread import brown_forsythe

MEASURES = Path(__file__).with_name("measures.toml")
CHOICE = "ce"
STAND_INS = ("ce.averaged", "ce.likelihood")
NAMES = (
    "any difference", "mean", "contrast", "deviation", "interaction", "worst group", "published rule", "spread", "control",
    "position", "letters", "consistency", "accuracy",
)  # of what is estimated here, beside what measuring estimates  # fmt: skip
UNSEEN = 0.15  # the share of answers that may differ unseen where all that were seen are alike


class Measure(Record, frozen=True):
    """What is known of a measure before it is analysed."""

    title: str
    short: str
    better: str = "higher"
    margin: float = 0.1
    share: bool = False
    relative: bool = False
    described: bool = False


class Settings(Record, frozen=True):
    """How a run is analysed; everything else is read from it."""

    references: dict[str, str]
    crossed: tuple[str, ...] = ()
    excepted: dict[str, tuple[str, ...]] = {}  # factor → templates in which a difference may be right
    margins: dict[str, float] = {}
    alpha: float = 0.05
    draws: int = 4999
    seed: int = 1


class _Values(NamedTuple):
    """One measure of one system: a value per probe, averaged over its orders."""

    metric: str
    measure: Measure
    observed: Observations

    def margin(self, settings: Settings) -> float:
        """The user's, or the measure's own."""
        own = settings.margins.get(self.metric, self.measure.margin)
        relative = self.measure.relative and self.metric not in settings.margins
        return own * abs(float(self.observed.values.mean())) if relative else own


@functools.cache
def measures() -> dict[str, Measure]:
    """Every measure of probes by its name."""
    return msgspec.convert(tomllib.loads(MEASURES.read_text(encoding="utf-8")), dict[str, Measure])


def measure(metric: str) -> Measure:
    """What is known of a measure; of an unknown one, that it is shown and not tested."""
    return measures().get(metric, Measure(title=metric, short=metric, better="neither", described=True))


def analyze(measured: Sequence[Measured], settings: Settings) -> list[Estimate]:
    """All systems, all measures, all groups."""
    _check(measured, settings)
    found: list[Estimate] = []
    for system in dict.fromkeys(each.system for each in measured):
        mine = [each for each in measured if each.system == system and each.control is None]
        told: Json = {"system": system}
        found += _measures(mine, settings, told)
        found += _choices(mine, settings, told)
        found += _controls([each for each in measured if each.system == system and each.control is not None], told)
    return found


def _check(measured: Sequence[Measured], settings: Settings) -> None:
    if not any(each.control is None for each in measured):
        raise InputError("nothing was measured of any group; `empathic probe run` measures")
    known = {factor for each in measured for factor in each.levels}
    if unknown := [factor for factor in settings.crossed if factor not in known]:
        raise SettingError(f"No factor is called '{unknown[0]}'; there are {', '.join(sorted(known))}.")
    present = {each.metric for each in measured}
    if unknown := [metric for metric in settings.margins if metric not in present]:
        raise SettingError(f"No measure is called '{unknown[0]}'; there are {', '.join(sorted(present))}.")
    if bad := {metric: margin for metric, margin in settings.margins.items() if not margin > 0}:
        raise SettingError(f"A margin is larger than 0; given {bad}. Type e.g. --margin ce=0.1")


def _measures(mine: Sequence[Measured], settings: Settings, told: Json) -> list[Estimate]:
    values = _standing_in(list(_values(mine, settings)))
    tested = [each for each in values if not each.measure.described]
    found: list[Estimate] = []
    for each in values:
        labels = {**told, "metric": each.metric}
        plan = Plan(
            margin=each.margin(settings), seed=settings.seed, better=each.measure.better, measures=max(1, len(tested)),
            alpha=settings.alpha, draws=settings.draws,
        )  # fmt: skip
        made = deviations(each.observed, plan, labels=labels)
        if each.measure.described:
            found += [one for one in made if one.labels["kind"] == "mean"]
        else:
            found += [*_constant(made, each, settings), *_published(each, settings, labels)]
    found += _without_values(mine, {each.metric for each in values}, told)
    return [*decide(found, alpha=settings.alpha), *_spreads(tested, settings, told)]


def _standing_in(values: list[_Values]) -> list[_Values]:
    """Where no choice could be read, understanding from probabilities is tested instead of being described."""
    known = {each.metric: place for place, each in enumerate(values)}
    place = next((known[metric] for metric in STAND_INS if metric in known), None)
    if CHOICE not in known and place is not None:
        tested = msgspec.structs.replace(values[place].measure, described=False)
        values[place] = values[place]._replace(measure=tested)
    return values


def _without_values(mine: Sequence[Measured], there: set[str], told: Json) -> Iterator[Estimate]:
    """Measures without a single value, with the reason that was given most often."""
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for each in mine:
        if each.metric not in there and not measure(each.metric).described:
            reasons[each.metric][each.missing or "no reason given"] += 1
    for metric, counts in reasons.items():
        reason, hits = counts.most_common(1)[0]
        labels = {**told, "metric": metric, "kind": "any"}
        why = f"no value: {reason} ({hits} of {counts.total()})"
        yield Estimate(name="any difference", value=None, method=METHOD, missing=why, n=0, labels=labels)


def _values(mine: Sequence[Measured], settings: Settings) -> Iterator[_Values]:
    by_metric: dict[str, list[Measured]] = defaultdict(list)
    for each in mine:
        by_metric[each.metric].append(each)
    known = list(measures())
    for metric in sorted(by_metric, key=lambda name: (known.index(name) if name in known else len(known), name)):
        there = [each for each in by_metric[metric] if each.value is not None]
        if there:
            yield _Values(metric, measure(metric), _observed(there, settings))


def _observed(there: Sequence[Measured], settings: Settings) -> Observations:
    """One value per probe: the mean over its orders, what the keyed option's place does removed."""
    values = _without_place(there)
    sums: dict[str, list[float]] = defaultdict(list)
    first: dict[str, Measured] = {}
    for each, value in zip(there, values, strict=True):
        sums[each.probe].append(float(value))
        first.setdefault(each.probe, each)
    people = list(first.values())
    factors = sorted({factor for each in people for factor in each.levels})
    labels = {factor: [_level(each, factor, settings) for each in people] for factor in factors}
    return observations(
        [float(np.mean(sums[each.probe])) for each in people], [each.template for each in people], labels,
        references=settings.references, crossed=settings.crossed,
    )  # fmt: skip


def _level(each: Measured, factor: str, settings: Settings) -> str:
    """In no group of a factor: whom the text does not say it of, and who is in a scene where a difference may be right."""
    level = each.levels.get(factor, UNSAID)
    return "" if level == UNSAID or each.template in settings.excepted.get(factor, ()) else level


def _without_place(there: Sequence[Measured]) -> Floats:
    values = np.array([each.value for each in there], dtype=np.float64)
    keyed = [each.keyed for each in there]
    if any(place is None for place in keyed):
        return values
    return positions.without_position(values, [place or 0 for place in keyed], [each.template for each in there])


def _constant(made: list[Estimate], each: _Values, settings: Settings) -> list[Estimate]:
    """Values that never differ within a template: what may hide behind that in the smallest group decides.

    In n answers without a difference, the share of answers that would differ is still up to 1 − α^(1/n). For a yes or no it
    is compared with the margin, for other measures with UNSEEN.
    """
    if not same(each.observed):
        return made
    counts = layout(each.observed).counts.sum(axis=0)
    smallest = int(counts[counts > 0].min())
    hidden = unseen(smallest, alpha=settings.alpha)
    bar = each.margin(settings) if each.measure.share else UNSEEN
    said = "equivalent" if hidden <= bar else "inconclusive"
    details: Json = {"verdict": said, "margin": each.margin(settings), "unseen": hidden, "smallest_group": smallest}
    why = f"{made[0].missing}; behind the {smallest} answers to the smallest group up to {hidden:.0%} others may hide"
    return [msgspec.structs.replace(made[0], details=details, missing=why), *made[1:]]


def _published(each: _Values, settings: Settings, labels: Json) -> Iterator[Estimate]:
    if unfit(each.observed) is None:
        draws = min(settings.draws, 1999)
        told = {**labels, "kind": "published"}
        yield z_rule(layout(each.observed), each.observed.values, draws=draws, seed=settings.seed, labels=told)


def _spreads(tested: Sequence[_Values], settings: Settings, told: Json) -> list[Estimate]:
    """Brown–Forsythe for every measure and factor, one family by Holm."""
    found = []
    for each in tested:
        for factor, levels in each.observed.factors.items():
            said = levels != ""
            if len(np.unique(levels[said])) > 1:
                labels = {**told, "kind": "spread", "metric": each.metric, "factor": factor}
                found.append(
                    brown_forsythe(
                        each.observed.values[said], levels[said], each.observed.templates[said],
                        draws=min(settings.draws, 1999), seed=settings.seed, labels=labels,
                    )
                )  # fmt: skip
    return adjust_family(found, family="spread of all measures and factors")


def _choices(mine: Sequence[Measured], settings: Settings, told: Json) -> list[Estimate]:
    """What the place of an option does."""
    asked = [each for each in mine if each.metric == CHOICE]
    made = [each for each in asked if each.position is not None and each.keyed is not None]
    if not asked:
        return []
    labels = {**told, "metric": CHOICE}
    choices = positions.asks(
        [each.template for each in made], [each.probe for each in made], [each.position or 0 for each in made],
        [each.keyed or 0 for each in made],
    )  # fmt: skip
    kinds = [each.chosen or "" for each in made]
    return [
        *positions.position_effects(choices, labels=labels),
        positions.letter_test(choices, draws=min(settings.draws, 1999), seed=settings.seed, labels=labels),
        positions.consistency(choices, kinds, labels=labels),
    ]


def _controls(those: Sequence[Measured], told: Json) -> Iterator[Estimate]:
    """The means of what was measured for comparison, over templates."""
    groups: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    for each in those:
        if each.value is not None and each.control is not None:
            groups[each.metric, each.control].append(each)
    for (metric, control), members in groups.items():
        values = np.array([each.value for each in members], dtype=np.float64)
        yield Estimate(
            name="control", value=float(values.mean()), method="mean.v1", n=len(values),
            labels={**told, "kind": "control", "metric": metric, "control": control},
        )  # fmt: skip


def references(measured: Iterable[Measured], known: Mapping[str, str]) -> dict[str, str]:
    """For every factor the known reference level if it was asked, else the first by name."""
    levels: dict[str, set[str]] = defaultdict(set)
    for each in measured:
        for factor, level in each.levels.items():
            if level != UNSAID and each.control is None:
                levels[factor].add(level)
    return {
        factor: known[factor] if known.get(factor) in found else min(found) for factor, found in levels.items() if found
    }
