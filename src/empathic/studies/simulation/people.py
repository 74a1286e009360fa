"""A seed and a number become a simulated person: who they are, how they behave, and what they answer.

A rating is a cut latent value, y* = effect of the system + leniency of the rater + noise, with standard normal noise
and leniency ~ N(0, `sd_rater`²); without an effect all points are equally likely.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from empathic.records import Record
from empathic.studies.design import Balance
from empathic.studies.reading import age_band

CHANGES_MIND = 0.1
OLDEST = 80


class Behaviour(Record, frozen=True):
    """How simulated people behave."""

    seed: int
    dropout: float = 0.2
    refresh: float = 0.3
    two_tabs: float = 0.1
    autosave: float = 0.3  # the share whose browser saves every click, as ours does with JavaScript
    attention: float = 0.97
    sd_rater: float = 0.5
    effects: dict[str, float] = {}


class Somebody(NamedTuple):
    """One simulated person."""

    number: int
    gender: str | None
    age: float | None
    leniency: float
    leaves: float | None  # at this share of the way
    autosaves: bool


def somebody(number: int, behaviour: Behaviour, balance: Balance) -> Somebody:
    """The person of this number: the same in every run with the same seed."""
    rng = rng_of(behaviour.seed, number)
    return Somebody(
        number=number,
        gender=rng.choice(balance.gender) if balance.gender else None,
        age=_age(rng, balance.age),
        leniency=rng.gauss(0, behaviour.sd_rater),
        leaves=rng.random() if rng.random() < behaviour.dropout else None,
        autosaves=rng.random() < behaviour.autosave,
    )


def rng_of(seed: int, *about: object) -> random.Random:
    """Chance that depends on nothing but the seed and what it is about."""
    return random.Random(" ".join(map(str, (seed, *about))))


def rated(who: Somebody, key: str, points: Sequence[float], shift: float, behaviour: Behaviour) -> float:
    """The point this person gives where the system has this effect."""
    latent = shift + who.leniency + rng_of(behaviour.seed, who.number, key).gauss(0, 1)
    ordered = sorted(points)
    return ordered[sum(latent > cut for cut in cuts(len(ordered), behaviour.sd_rater))]


def cuts(count: int, sd_rater: float) -> list[float]:
    """Where the latent value is cut so that all points are equally likely without an effect."""
    spread = NormalDist(0, math.sqrt(1 + sd_rater**2))
    return [spread.inv_cdf(place / count) for place in range(1, count)]


def expected(points: Sequence[float], shift: float, sd_rater: float) -> float:
    """The mean point under an effect: Σ xₖ · P(cₖ₋₁ < y* ≤ cₖ)."""
    spread = NormalDist(shift, math.sqrt(1 + sd_rater**2))
    below = [0.0, *(spread.cdf(cut) for cut in cuts(len(points), sd_rater)), 1.0]
    return sum(point * (high - low) for point, low, high in zip(sorted(points), below[:-1], below[1:], strict=True))


def _age(rng: random.Random, bands: Sequence[str]) -> float | None:
    limits = [found for found in map(age_band, bands) if found]
    if not limits:
        return None
    low, high = rng.choice(limits)
    return float(rng.randint(math.ceil(low), int(min(high, OLDEST))))
