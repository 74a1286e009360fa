"""Templates and factors become a design: who each probe is about, crossed where it matters and balanced elsewhere.

The focal factors are crossed in full, in every template, `repeats` times. A factor that is not focal gets, for each
probe, the level that has been used least beside what the probe already is (its template, its focal levels and their
pairs), ties being broken by the seed: minimisation after Pocock and Simon (1975, Biometrics 31, 103-115). So no such
factor is confounded with a focal one, and `associations` shows how far that holds.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from empathic.errors import SettingError, UnknownName
from empathic.probes.factors import UNSAID
from empathic.records import Record

Levels = Mapping[str, Sequence[str]]  # factor → its levels, the reference first or anywhere
Stratum = tuple[tuple[str, str], ...]
Crossed = list[tuple["Scene", dict[str, str], int]]


class Draw(Record, frozen=True):
    """One probe to be: the template, who it is about, and which repeat."""

    template: str
    levels: dict[str, str]
    repeat: int = 0
    control: str | None = None


class Scene(NamedTuple):
    """What the design has to know of a template."""

    id: str
    says: Sequence[str] | None = None  # the factors its text can say; None: all
    obstacle: Callable[[Mapping[str, str]], str | None] = lambda levels: None  # why levels contradict it

    def can_say(self, factor: str) -> bool:
        """Whether its text can mention the factor."""
        return self.says is None or factor in self.says


class Association(NamedTuple):
    """How far a factor that is not focal goes along with a focal one."""

    factor: str
    focal: str
    cramers_v: float
    smallest: float  # the least V that so many probes can have: whole numbers cannot always be even
    largest: float  # largest difference of a level's share from its share over all probes


def design(scenes: Sequence[Scene], factors: Levels, focal: Sequence[str], *, repeats: int, seed: int) -> list[Draw]:
    """Every template × every combination of focal levels × repeats, the other factors balanced over them.

    A template that cannot say a focal factor is left out, as is a combination that contradicts its scene.
    """
    check(factors, focal, repeats)
    able = [scene for scene in scenes if all(scene.can_say(name) for name in focal)]
    if not able:
        raise SettingError(f"No template says {' and '.join(focal)}. Check --templates, --language and --focal.")
    combinations = [
        dict(zip(focal, levels, strict=True)) for levels in itertools.product(*(factors[name] for name in focal))
    ]
    crossed: Crossed = [
        (scene, dict(levels), repeat)
        for scene, levels, repeat in itertools.product(able, combinations, range(repeats))
        if scene.obstacle(levels) is None
    ]
    for name in factors:
        if name not in focal:
            _balance(name, factors[name], crossed, focal, seed)
    return [
        Draw(template=scene.id, levels={name: levels[name] for name in factors}, repeat=repeat)
        for scene, levels, repeat in crossed
    ]


def left_out(scenes: Sequence[Scene], factors: Levels, focal: Sequence[str]) -> dict[str, str]:
    """Template, or template and levels, that a design cannot have, and why."""
    found = {}
    for scene in scenes:
        unsaid = [name for name in focal if not scene.can_say(name)]
        if unsaid:
            found[scene.id] = f"its text does not say {' and '.join(unsaid)}"
            continue
        for levels in itertools.product(*(factors[name] for name in focal)):
            if (reason := scene.obstacle(dict(zip(focal, levels, strict=True)))) is not None:
                found[f"{scene.id}: {' × '.join(levels)}"] = reason
    return found


def check(factors: Levels, focal: Sequence[str], repeats: int) -> None:
    """Refuse a design that cannot be."""
    for name in focal:
        if name not in factors:
            raise UnknownName("factor", name, factors)
    if not focal or len(set(focal)) < len(focal):
        raise SettingError(f"--focal {','.join(focal)}: name each factor once, e.g. --focal sexuality,pronouns.")
    if repeats < 1:
        raise SettingError(f"--repeats {repeats}: 1 or more is needed.")


def _balance(name: str, levels: Sequence[str], crossed: Crossed, focal: Sequence[str], seed: int) -> None:
    """Give every probe a level of one factor: the least used in the strata it belongs to."""
    chance = random.Random(f"{seed}|{name}")
    order = list(range(len(crossed)))
    chance.shuffle(order)
    used: dict[Stratum, Counter[str]] = defaultdict(Counter)
    for place in order:
        scene, drawn, _ = crossed[place]
        own = strata(scene.id, {factor: drawn[factor] for factor in focal})
        mixed = chance.sample(list(levels), len(levels))  # ties go to whichever comes first
        fitting = [level for level in mixed if scene.obstacle({**drawn, name: level}) is None]
        if not scene.can_say(name) or not fitting:
            drawn[name] = UNSAID
            continue
        chosen = min(fitting, key=lambda level: sum(used[stratum][level] for stratum in own))
        for stratum in own:
            used[stratum][chosen] += 1
        drawn[name] = chosen


def strata(template: str, focal: Mapping[str, str]) -> list[Stratum]:
    """What a probe belongs to: its template, each focal level, and every pair of these."""
    single = [("template", template), *focal.items()]
    return [*((one,) for one in single), *itertools.combinations(single, 2)]


def limited(draws: Sequence[Draw], focal: Sequence[str], limit: int | None, *, seed: int) -> list[Draw]:
    """At most `limit` of them, templates and focal levels as equally frequent as can be, in the order they came."""
    if limit is None or limit >= len(draws):
        return list(draws)
    if limit < 1:
        raise SettingError(f"--limit {limit}: 1 or more is needed.")
    codes = _codes(draws, focal)
    counts = np.zeros(int(codes.max()) + 1)
    tie = np.random.default_rng(seed).random(len(draws))
    for _ in range(limit):
        place = int(np.argmin(counts[codes].sum(axis=1) + tie))
        counts[codes[place]] += 1
        tie[place] = np.inf
    return [draw for draw, taken in zip(draws, np.isinf(tie), strict=True) if taken]


def _codes(draws: Sequence[Draw], focal: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Draw × stratum → the number of that stratum."""
    numbers: dict[Stratum, int] = {}
    rows = [strata(draw.template, {name: draw.levels[name] for name in focal}) for draw in draws]
    return np.array([[numbers.setdefault(stratum, len(numbers)) for stratum in row] for row in rows])


def associations(draws: Sequence[Draw], focal: Sequence[str]) -> list[Association]:
    """Every other factor beside every focal one and the template, the worst first."""
    groups = [draw for draw in draws if draw.control is None]
    names = list(groups[0].levels) if groups else []
    found = [
        association(name, other, _values(groups, name), _values(groups, other))
        for name in names
        if name not in focal
        for other in (*focal, "template")
    ]
    return sorted(found, key=lambda one: -one.cramers_v)


def association(name: str, other: str, values: Sequence[str], others: Sequence[str]) -> Association:
    """V = √(χ² / (n · (min(r, c) − 1))) (Cramér 1946), and the largest difference of shares."""
    table = _table(values, others)
    n = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
    freedom = min(table.shape) - 1
    chi2 = float(((table - expected) ** 2 / expected).sum())
    v = (chi2 / (n * freedom)) ** 0.5 if freedom else 0.0
    shares, overall = table / table.sum(axis=0), table.sum(axis=1, keepdims=True) / n
    return Association(name, other, float(v), _smallest(table), float(np.abs(shares - overall).max()))


def _smallest(table: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """V of the most even table of whole numbers: n_j = q L + r leaves r(1 − r/L) squared units in column j."""
    levels, freedom = table.shape[0], min(table.shape) - 1
    sizes = table.sum(axis=0)
    rest = sizes % levels
    chi2 = float((rest * (1 - rest / levels) * levels / sizes).sum())
    return (chi2 / (float(sizes.sum()) * freedom)) ** 0.5 if freedom else 0.0


def _values(draws: Sequence[Draw], name: str) -> list[str]:
    return [draw.template if name == "template" else draw.levels[name] for draw in draws]


def _table(values: Sequence[str], others: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = {value: place for place, value in enumerate(sorted(set(values)))}
    columns = {value: place for place, value in enumerate(sorted(set(others)))}
    table = np.zeros((len(rows), len(columns)))
    for value, other in zip(values, others, strict=True):
        table[rows[value], columns[other]] += 1
    return table


def cell_sizes(draws: Sequence[Draw], focal: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each combination of focal levels and how many probes are about it, controls not counted."""
    counts = Counter(tuple(draw.levels[name] for name in focal) for draw in draws if draw.control is None)
    yield from counts.items()
