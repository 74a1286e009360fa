"""One measure of many groups → estimates: means, contrasts to the reference, deviations, interactions, the worst group.

    mean         of each group over templates, with the t interval over templates
    contrast     the group minus the reference group, within templates (primary)
    deviation    the group minus the median group, within templates; with the partially pooled value
    interaction  an intersection beyond what its two attributes add up to
    worst        which group is worst, and in how many bootstrap draws of templates it is

Each contrast, deviation and interaction carries p (maxT over all of them, `maxt.py`), an interval, the p of equivalence
(`equivalence.py`) and the smallest difference that could have been found. Intervals take the larger of the error over
templates and the steadied one, so that a group that happens not to vary is not thought to be known exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import stats

from empathic.records import Estimate, Json
from empathic.statistics import bootstrap
from empathic.statistics.equivalence import tost
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.groups import Contrast, Group, Layout, Observations, layout, means
from empathic.statistics.inputs import Floats, constant
from empathic.statistics.maxt import MaxT, centred, maxt, studentise, templates_of
from empathic.statistics.pooling import partial_pooling

METHOD = "maxt_within_templates.v1"
POWER = 0.8


class Plan(NamedTuple):
    """How one measure is analysed: everything that is fixed before the values are seen."""

    margin: float  # differences smaller than this do not matter
    seed: int
    better: str = "higher"  # higher, lower or neither
    measures: int = 1  # how many measures share alpha
    alpha: float = 0.05
    draws: int = 4999
    replicates: int = 1000


class _Computed(NamedTuple):
    layout: Layout
    table: Floats  # templates × groups
    values: Floats  # contrasts
    errors: Floats
    steadied: Floats
    divisors: Floats
    tests: MaxT
    critical: float  # what the largest statistic exceeds in alpha/measures of the null data sets


def deviations(observed: Observations, plan: Plan, *, labels: Json | None = None) -> list[Estimate]:
    """Everything about one measure; what cannot be had is missing with its reason."""
    told = labels or {}
    if reason := unfit(observed):
        nothing = absent("any difference", METHOD, reason, n=len(observed.values), labels={**told, "kind": "any"})
        return [nothing, *(_means(layout(observed), observed, plan, told) if same(observed) else ())]
    found = layout(observed)
    table = means(found, observed.values[None, :])
    shown = studentise(found, table)
    tests = maxt(found, observed.values, draws=plan.draws, seed=plan.seed)
    steadied = shown.errors[0]
    errors = np.fmax(steadied, _bootstrapped(found, table[0], plan))
    computed = _Computed(
        found,
        table[0],
        shown.values[0],
        errors,
        steadied,
        shown.divisors[0],
        tests,
        tests.critical(plan.alpha / plan.measures),
    )
    asked = [_asked(computed, place, plan, told) for place in range(len(found.contrasts))]
    return [
        _any(computed, plan, told),
        *_means(found, observed, plan, told),
        *_pooled(computed, asked),
        *_worst(computed, plan, told),
    ]


def unfit(observed: Observations) -> str | None:
    """Why groups cannot be compared with these observations."""
    templates = len(np.unique(observed.templates))
    if templates < 2:
        return f"{templates} template(s) with a value: what one situation shows cannot be told from the situation"
    if all(len(np.unique(levels)) < 2 for levels in observed.factors.values()):
        return "there is one group only"
    if same(observed):
        return "in every template all values are equal, whoever it is told of"
    return None


def same(observed: Observations) -> bool:
    """Whether there are several templates and groups, and no template in which values differ."""
    templates = np.unique(observed.templates)
    several = len(templates) > 1 and any(len(np.unique(levels)) > 1 for levels in observed.factors.values())
    return several and all(constant(observed.values[observed.templates == one]) for one in templates)


def _bootstrapped(found: Layout, table: Floats, plan: Plan) -> Floats:
    """The error of every contrast from drawing templates anew; it knows that the median group is estimated too."""
    usable = found.usable.astype(float)
    shown = (table @ found.weights.T) * usable
    drawn = bootstrap.draws(len(table), replicates=plan.replicates, seed=plan.seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (drawn @ shown) / (drawn @ usable)
        value[drawn @ usable == 0] = np.nan
        value = centred(found, value)
        number = templates_of(found)
        known = np.isfinite(value).sum(axis=0) >= 2
        spread = np.full(len(number), np.nan)
        spread[known] = np.nanstd(value[:, known], axis=0, ddof=1)
        return np.asarray(np.where(number > 1, spread * np.sqrt(number / np.maximum(number - 1, 1)), np.nan))


def _asked(computed: _Computed, place: int, plan: Plan, told: Json) -> Estimate:
    contrast = computed.layout.contrasts[place]
    labels = _labels(told, contrast.kind, contrast.group) | {"against": contrast.against}
    number = int(templates_of(computed.layout)[place])
    if number < 2:
        reason = f"{number} template(s) have answers for everybody this compares, at least 2 are needed"
        return absent(contrast.kind, METHOD, reason, labels=labels)
    value, error, df = float(computed.values[place]), float(computed.errors[place]), number - 1
    half = float(stats.t.ppf(1 - plan.alpha / 2, df)) * error
    return estimate(
        contrast.kind, value, METHOD, interval=(value - half, value + half), level=1 - plan.alpha, n=number,
        statistic=float(computed.tests.statistics[place]), df=(df,), p=float(computed.tests.p[place]), labels=labels,
        details={"error": error, "margin": plan.margin, "p_equivalence": tost(value, error, df, margin=plan.margin),
                 "detectable": _detectable(computed, place), "templates": number},
        draws=plan.draws, seed=plan.seed,
    )  # fmt: skip


def _detectable(computed: _Computed, place: int) -> float:
    """c × divisor + z_power × error: the smallest true difference that is claimed with a power of .80."""
    noise = float(stats.norm.ppf(POWER)) * float(computed.steadied[place])
    return computed.critical * float(computed.divisors[place]) + noise


def _means(found: Layout, observed: Observations, plan: Plan, told: Json) -> Iterator[Estimate]:
    table = means(found, observed.values[None, :])[0]
    for place, group in enumerate(found.groups):
        inside = found.counts[:, place] > 0
        labels, shown = _labels(told, "mean", group), table[inside, place]
        n = int(found.counts[:, place].sum())
        if len(shown) < 2:
            yield absent(
                "mean", "mean_over_templates.v1", f"{len(shown)} template(s) have this group", n=n, labels=labels
            )
            continue
        half = float(stats.t.ppf(1 - plan.alpha / 2, len(shown) - 1) * shown.std(ddof=1) / np.sqrt(len(shown)))
        value = float(shown.mean())
        yield estimate(
            "mean", value, "mean_over_templates.v1", interval=(value - half, value + half), n=n, df=(len(shown) - 1,),
            level=1 - plan.alpha, labels=labels, details={"templates": len(shown)},
        )  # fmt: skip


def _pooled(computed: _Computed, asked: list[Estimate]) -> list[Estimate]:
    """The deviations with their partially pooled values: small groups do not lead the list by chance alone."""
    for family in computed.layout.families:
        known = [place for place in family if asked[place].value is not None]
        values, errors = computed.values[known], computed.errors[known]
        found = partial_pooling(values, errors, names=[computed.layout.contrasts[place].group.name for place in known])
        for place, shrunk in zip(known, found.groups, strict=True):
            if shrunk.value is not None:
                pooled = {"value": shrunk.value, "low": shrunk.low, "high": shrunk.high, "kept": shrunk.details["kept"]}
                asked[place].details["pooled"] = pooled
    return asked


def _any(computed: _Computed, plan: Plan, told: Json) -> Estimate:
    """Whether anything differs at all: the smallest adjusted p."""
    tests = computed.tests
    place = int(np.nanargmin(tests.p - np.nan_to_num(np.abs(tests.statistics)) * 1e-12))
    return estimate(
        "any difference", float(np.nanmax(np.abs(tests.statistics))), METHOD, n=len(computed.table), p=float(tests.p[place]),
        labels={**told, "kind": "any", "group": computed.layout.contrasts[place].group.name},
        details={"tests": int(np.isfinite(tests.p).sum()), "critical": computed.critical},
        draws=plan.draws, seed=plan.seed,
    )  # fmt: skip


def _worst(computed: _Computed, plan: Plan, told: Json) -> Iterator[Estimate]:
    """Per set of siblings the group farthest on the bad side, and the share of template draws in which it is that."""
    if plan.better == "neither":
        return
    sign = -1.0 if plan.better == "higher" else 1.0
    drawn = bootstrap.draws(len(computed.table), replicates=plan.replicates, seed=plan.seed)
    usable = computed.layout.usable.astype(float)
    shown = (computed.table @ computed.layout.weights.T) * usable
    for family in computed.layout.families:
        known = family[(usable[:, family].sum(axis=0) > 1) & np.isfinite(computed.values[family])]
        if len(known) < 2:
            continue
        place = known[int(np.argmax(sign * computed.values[known]))]
        replicated = (drawn @ shown[:, known]) / np.maximum(drawn @ usable[:, known], 1)
        share = float((known[np.argmax(sign * replicated, axis=1)] == place).mean())
        contrast: Contrast = computed.layout.contrasts[place]
        spread = float(np.ptp(computed.values[known]))
        yield estimate(
            "worst group", float(computed.values[place]), "worst_group.v1", n=len(known),
            statistic=float(computed.tests.statistics[place]),
            labels=_labels(told, "worst", contrast.group), details={"share_of_draws": share, "range": spread},
            replicates=plan.replicates, seed=plan.seed,
        )  # fmt: skip


def _labels(told: Json, kind: str, group: Group) -> Json:
    return {**told, "kind": kind, "group": group.name, "factors": list(group.factors), "levels": list(group.levels)}
