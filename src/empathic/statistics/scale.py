"""Observations of a scale's items and components become its whole analysis, one record for people and judges alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from empathic.records import Estimate, Record
from empathic.statistics.consistency import cronbach_alpha, mcdonald_omega, raters_needed
from empathic.statistics.estimates import Array
from empathic.statistics.factors import FactorModel, Parallel, confirmatory, parallel_analysis
from empathic.statistics.items import ItemAnalysis, item_analysis
from empathic.statistics.krippendorff import krippendorff_alpha
from empathic.statistics.observations import Observation, sheets, table
from empathic.statistics.order_effects import order_effect
from empathic.statistics.profiles import system_means, target_means
from empathic.statistics.severity import differential, severity

TARGET_RELIABILITY = 0.8


class Scale(Record, frozen=True):
    """What the analysis must know of an instrument."""

    id: str
    items: dict[str, tuple[float, ...]]  # item → its points, nominal items left out
    nominal: dict[str, tuple[float, ...]] = {}
    components: dict[str, tuple[str, ...]] = {}  # component → its items
    total: str | None = None  # the component that holds all items, if there is one

    @property
    def factors(self) -> dict[str, Sequence[str]]:
        """The components that are claimed to be different things: not the one that holds all items."""
        return {name: items for name, items in self.components.items() if len(items) < len(self.items)}


class Reliability(Record, frozen=True, omit_defaults=False):
    """How far raters agree on one measure, and how many of them would be enough."""

    measure: str
    alpha: Estimate
    needed: Estimate


class ScaleAnalysis(Record, frozen=True, omit_defaults=False):
    """Everything `empathic analyze ratings` says of a scale."""

    instrument: str
    raters: int
    judges: int
    targets: int
    sheets: int
    incomplete: int  # sheets with an item missing: left out of α, ω and the factors, kept elsewhere
    missing: dict[str, int]  # reason → how many answers
    systems: tuple[Estimate, ...]  # one per system and component: the profile
    per_target: tuple[Estimate, ...]
    items: tuple[ItemAnalysis, ...]
    alpha: Estimate
    omega: Estimate
    agreement: tuple[Reliability, ...]
    parallel: Parallel
    models: tuple[FactorModel, ...]
    severity: tuple[Estimate, ...]  # the spread, then every rater
    differential: tuple[Estimate, ...]
    order: Estimate  # points per place of an item, over permuted repeats
    swapped: Estimate  # points for swapped names of the speakers
    stamps: dict[str, str] = {}  # judge → "calibrated on …" or "uncalibrated"


def analyze(
    scale: Scale, observations: Sequence[Observation], *, missing: Mapping[str, int] | None = None,
    stamps: Mapping[str, str] | None = None, level: float = 0.95, replicates: int = 1000, seed: int = 1,
) -> ScaleAnalysis:  # fmt: skip
    """The analysis of the answers to a scale; component values are observations as items are."""
    items = [each for each in observations if each.measure in scale.items]
    complete = sheets(items, list(scale.items))
    raters = {each.rater for each in observations}
    total = scale.total or next(iter(scale.components), None) or next(iter(scale.items))
    spread, each_rater = severity(observations, total, level=level)
    return ScaleAnalysis(
        instrument=scale.id,
        raters=len(raters),
        judges=sum(rater.startswith("judge:") for rater in raters),
        targets=len({each.target for each in observations}),
        sheets=len(complete.raters) + complete.left_out,
        incomplete=complete.left_out,
        missing=dict(missing or {}),
        systems=tuple(e for name in scale.components for e in system_means(observations, name, level=level)),
        per_target=tuple(e for name in scale.components for e in target_means(observations, name, level=level)),
        items=item_analysis(items, complete, scale.items, level=level, replicates=replicates, seed=seed),
        alpha=cronbach_alpha(complete.values, level=level),
        omega=mcdonald_omega(complete.values, level=level, replicates=min(replicates, 500), seed=seed),
        agreement=agreement(scale, observations, level=level, replicates=replicates, seed=seed),
        parallel=parallel_analysis(complete.values, replicates=min(replicates, 500), seed=seed),
        models=models(scale, complete.values),
        severity=(spread, *each_rater),
        differential=differential(observations, total, level=level),
        order=order_effect(items, level=level),
        swapped=order_effect(items, by="swapped", level=level),
        stamps=dict(stamps or {}),
    )


def models(scale: Scale, values: Array) -> tuple[FactorModel, ...]:
    """One common factor, and the components as correlated factors if there are several."""
    names = list(scale.items)
    one = confirmatory("one factor", values, names, {"general": names})
    factors = scale.factors
    loaded = {item for items in factors.values() for item in items}
    if len(factors) < 2 or loaded != set(names):
        return (one,)
    return one, confirmatory(f"{len(factors)} factors", values, names, factors)


def agreement(
    scale: Scale, observations: Sequence[Observation], *, level: float, replicates: int, seed: int
) -> tuple[Reliability, ...]:
    """Krippendorff's α of every item (ordinal or nominal) and component (interval), and the raters it asks for."""
    kinds = dict.fromkeys(scale.items, "ordinal") | dict.fromkeys(scale.nominal, "nominal")
    kinds |= dict.fromkeys(scale.components, "interval")
    found = []
    for measure, kind in kinds.items():
        values = table(observations, measure).values
        alpha = krippendorff_alpha(values, scale=kind, name=measure, level=level, replicates=replicates, seed=seed)
        needed = raters_needed(alpha, target=TARGET_RELIABILITY)
        found.append(Reliability(measure=measure, alpha=alpha, needed=needed))
    return tuple(found)
