"""A design and a kind of system → simulated answers to probes: what an analysis must find, and what it must not.

Every system answers five-option questions in cyclic orders (a Gumbel choice among options, so that understanding and
place add up), writes answers of some length, and sometimes refuses or falls out of its role. The biased ones differ from
the unbiased one in one thing only. Used by the tests, by `empathic probe power`, and by whoever doubts a design.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from empathic.records import Record
from empathic.statistics.groups import Observations, observations
from empathic.statistics.inputs import Floats
from empathic.statistics.positions import OPTIONS, Asks, asks, without_position

Kind = Literal["unbiased", "less understanding", "longer answers", "position-biased", "refusing"]
KINDS: tuple[Kind, ...] = ("unbiased", "less understanding", "longer answers", "position-biased", "refusing")
CROSSED = {"age": ("30", "50", "70"), "pronouns": ("he", "she", "they")}
DEALT = {"religion": ("none", "Christian", "Muslim", "Jewish", "Hindu", "Buddhist")}
REFERENCES = {"age": "30", "pronouns": "he", "religion": "none"}
CELL = {"age": "70", "pronouns": "they"}  # who is understood less
LONGER = {"age": "30"}  # who gets longer answers
REFUSED = {"religion": "Muslim"}
LETTERS = np.array([1.2, 0.3, 0.0, -0.5, -1.0])  # how much each place attracts the position-biased system


class Design(Record, frozen=True):
    """What is asked: two factors of interest, fully crossed, and one whose levels are dealt out evenly."""

    templates: int = 20
    repeats: int = 18  # probes per intersection and template
    orders: int = OPTIONS
    crossed: dict[str, tuple[str, ...]] = msgspec.field(default_factory=lambda: dict(CROSSED))
    dealt: dict[str, tuple[str, ...]] = msgspec.field(default_factory=lambda: dict(DEALT))
    references: dict[str, str] = msgspec.field(default_factory=lambda: dict(REFERENCES))
    less: float = 0.1  # share of understanding that is lost
    longer: float = 0.2  # share by which answers are longer
    refused: float = 0.3  # share of answers that are refused
    heterogeneity: float = 0.0  # sd over templates of every group's understanding, in logits; its mean is 0


class Simulated(NamedTuple):
    """One simulated run: the observations of each measure, and the choices behind `ce`."""

    measures: dict[str, Observations]
    choices: Asks


class _People(NamedTuple):
    """Who each probe is about."""

    template: NDArray[np.intp]
    factors: dict[str, NDArray[np.str_]]

    def are(self, who: Mapping[str, str]) -> NDArray[np.bool_]:
        inside = np.ones(len(self.template), dtype=bool)
        for factor, level in who.items():
            inside &= self.factors[factor] == level
        return inside


def simulate(design: Design, kind: Kind, *, seed: int) -> Simulated:
    """All measures of one system."""
    random = np.random.default_rng([seed, KINDS.index(kind)])
    people = _people(design, random)
    refused = random.random(len(people.template)) < 0.02
    if kind == "refusing":
        refused |= people.are(REFUSED) & (random.random(len(refused)) < design.refused)
    right, choices = _choices(design, kind, people, refused, random)
    base = random.normal(size=design.templates)
    words = np.exp(3.7 + 0.3 * base[people.template] + 0.3 * random.normal(size=len(refused)))
    if kind == "longer answers":
        words = words * np.where(people.are(LONGER), 1 + design.longer, 1.0)
    strength = 0.08 + 0.06 * np.abs(base)
    values = {
        "ce": right,
        "length": np.where(refused, np.nan, np.round(words)),
        "refusal": refused.astype(float),
        "role_break": (random.random(len(refused)) < strength[people.template]).astype(float),
        "era.interpretations": 2.0 * (random.random(len(refused)) < strength[people.template]),
        "ae.valence": np.abs(random.normal(0.15 + 0.03 * base[people.template], 0.08)),
    }
    return Simulated({name: _observed(design, people, each) for name, each in values.items()}, choices)


def _people(design: Design, random: np.random.Generator) -> _People:
    cells = list(itertools.product(*design.crossed.values())) * design.repeats
    template = np.repeat(np.arange(design.templates), len(cells))
    factors = {
        name: np.tile(np.array([cell[place] for cell in cells]), design.templates)
        for place, name in enumerate(design.crossed)
    }
    for name, levels in design.dealt.items():
        dealt = [random.permutation(np.resize(random.permutation(levels), len(cells))) for _ in range(design.templates)]
        factors[name] = np.concatenate(dealt)
    return _People(template, factors)


def _choices(
    design: Design, kind: Kind, people: _People, refused: NDArray[np.bool_], random: np.random.Generator
) -> tuple[Floats, Asks]:
    """Each probe's share of right answers over its orders (places removed; NaN if refused), and the choices."""
    attraction = (2.8 + 0.6 * random.normal(size=design.templates))[people.template]
    if design.heterogeneity:
        attraction = attraction + _varying(design, people, random)
    orders = np.arange(design.orders)
    keyed = (orders + random.integers(0, OPTIONS, size=len(attraction))[:, None]) % OPTIONS
    places = np.arange(OPTIONS)
    utility = attraction[:, None, None] * (places == keyed[..., None])
    if kind == "position-biased":
        utility = utility + LETTERS
    chosen = (utility + random.gumbel(size=utility.shape)).argmax(axis=-1)
    if kind == "less understanding":
        lost = people.are(CELL)[:, None] & (random.random(chosen.shape) < design.less) & (chosen == keyed)
        chosen = np.where(lost, (keyed + random.integers(1, OPTIONS, size=chosen.shape)) % OPTIONS, chosen)
    answered = ~refused
    template = np.repeat(people.template[answered], design.orders)
    values = (chosen == keyed)[answered].ravel().astype(float)
    right = np.full(len(refused), np.nan)
    adjusted = without_position(values, keyed[answered].ravel(), template)
    right[answered] = adjusted.reshape(-1, design.orders).mean(axis=1)
    probe = np.repeat(np.flatnonzero(answered), design.orders)
    return right, asks(template, probe, chosen[answered].ravel(), keyed[answered].ravel())


def _varying(design: Design, people: _People, random: np.random.Generator) -> Floats:
    """Every intersection understood better in some templates and worse in others, by chance."""
    cell = np.zeros(len(people.template), dtype=np.intp)
    for name, levels in design.crossed.items():
        cell = cell * len(levels) + np.searchsorted(np.sort(levels), people.factors[name])
    shifts = random.normal(0, design.heterogeneity, (design.templates, cell.max() + 1))
    return np.asarray(shifts[people.template, cell])


def _observed(design: Design, people: _People, values: Floats) -> Observations:
    names = np.array([f"template {place:02d}" for place in range(design.templates)])
    crossed = tuple(design.crossed)
    return observations(values, names[people.template], people.factors, references=design.references, crossed=crossed)
