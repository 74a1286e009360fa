"""Whatever comes in, every estimate is a finite number or missing with a reason: no crash, no warning, no NaN."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pytest

from empathic.records import Estimate
from empathic.statistics.art import art, art_contrasts
from empathic.statistics.concordance import friedman
from empathic.statistics.consistency import cronbach_alpha, mcdonald_omega, two_items
from empathic.statistics.correlation import pearson
from empathic.statistics.icc import icc
from empathic.statistics.inflation import swap_null
from empathic.statistics.kappa import weighted_kappa
from empathic.statistics.krippendorff import krippendorff_alpha
from empathic.statistics.ordinal_regression import ordinal_regression
from empathic.statistics.pooling import partial_pooling, per_group
from empathic.statistics.quality import contradictions, duplicated_sheets, straight_lining, suspected_repeats
from empathic.statistics.rankings import plackett_luce
from empathic.statistics.repeated import contrast, repeated_measures

Random = np.random.Generator


def strange(random: Random, *shape: int) -> np.ndarray:
    """Constant, gappy, empty, tied, infinite, tiny, huge or ordinary values."""
    gappy = random.integers(1, 4, shape).astype(float)
    gappy[random.uniform(size=shape) < 0.3] = np.nan
    infinite = random.normal(size=shape)
    infinite[:1] = np.inf
    kinds = [
        np.full(shape, 2.0),
        np.full(shape, np.nan),
        np.broadcast_to(np.arange(shape[-1], dtype=float), shape).copy(),
        random.integers(1, 3, shape).astype(float),
        random.integers(1, 6, shape).astype(float),
        random.normal(size=shape) * 1e-9,
        random.normal(size=shape) * 1e9 + 1e12,
    ]
    return [gappy, infinite, *kinds][int(random.integers(9))]


def sheet(random: Random) -> np.ndarray:
    return strange(random, int(random.integers(0, 7)), int(random.integers(1, 5)))


def cube(random: Random) -> np.ndarray:
    return strange(random, int(random.integers(0, 7)), int(random.integers(1, 4)), int(random.integers(1, 4)))


def pair(random: Random) -> tuple[np.ndarray, np.ndarray]:
    size = int(random.integers(1, 12))
    return strange(random, size), strange(random, size)


def labels(random: Random, size: int, levels: int) -> list[str]:
    return [str(label) for label in random.integers(0, levels, size)]


def names(count: int) -> list[str]:
    return [f"n{number}" for number in range(count)]


def crossed(random: Random) -> dict[str, object]:
    values = pair(random)[0]
    factors = {"a": labels(random, values.size, 2), "b": labels(random, values.size, 2)}
    return {"values": values, "factors": factors, "block": labels(random, values.size, 3)}


def ranked(random: Random, *, clustered: bool) -> object:
    values = sheet(random)
    clusters = labels(random, len(values), 2) if clustered else None
    return plackett_luce(values, names=names(values.shape[1]), clusters=clusters)


def pooled(random: Random) -> object:
    y, s = pair(random)
    return partial_pooling(y, np.abs(s), names=names(y.size))


def grouped(random: Random) -> object:
    y = pair(random)[0]
    parts = {name: labels(random, y.size, levels) for name, levels in (("systems", 2), ("groups", 2), ("raters", 4))}
    return per_group(y, **parts, pair=("0", "1"))


def regressed(random: Random) -> object:
    y, x = pair(random)
    return ordinal_regression(y, {"x": x}, clusters=labels(random, y.size, 2))


def with_raters(check: Callable[..., object], **settings: int) -> Callable[[Random], object]:
    def once(random: Random) -> object:
        values = sheet(random)
        return check(values, raters=names(len(values)), **settings)

    return once


def contradicted(random: Random) -> object:
    first, second = pair(random)
    return contradictions(first, second, raters=labels(random, first.size, 3), points=(1, 5))


def contrasted(random: Random) -> object:
    values = sheet(random)
    return contrast(values, weights=np.arange(values.shape[1]) - 1.0, name="c")


FUNCTIONS: dict[str, Callable[[Random], object]] = {
    "repeated_measures": lambda random: repeated_measures(cube(random), factors=["a", "b"]),
    "repeated_measures, pooled": lambda random: repeated_measures(sheet(random), factors=["a"], error="pooled"),
    "contrast": contrasted,
    "art": lambda random: art(**crossed(random)),
    "art_contrasts": lambda random: art_contrasts(**crossed(random), among=["a"]),
    "friedman": lambda random: friedman(sheet(random), replicates=10),
    "krippendorff, nominal": lambda random: krippendorff_alpha(sheet(random), scale="nominal", replicates=10),
    "krippendorff, ordinal": lambda random: krippendorff_alpha(sheet(random), scale="ordinal", replicates=10),
    "krippendorff, interval": lambda random: krippendorff_alpha(sheet(random), scale="interval", replicates=10),
    "icc": lambda random: icc(sheet(random)),
    "weighted_kappa": lambda random: weighted_kappa(*pair(random)),
    "cronbach_alpha": lambda random: cronbach_alpha(sheet(random)),
    "mcdonald_omega": lambda random: mcdonald_omega(sheet(random), replicates=10),
    "two_items": lambda random: two_items(*pair(random), name="t"),
    "pearson": lambda random: pearson(*pair(random)),
    "plackett_luce": lambda random: ranked(random, clustered=False),
    "plackett_luce, clustered": lambda random: ranked(random, clustered=True),
    "partial_pooling": pooled,
    "per_group": grouped,
    "ordinal_regression": regressed,
    "contradictions": contradicted,
    "straight_lining": with_raters(straight_lining),
    "duplicated_sheets": with_raters(duplicated_sheets, simulations=3),
    "suspected_repeats": with_raters(suspected_repeats),
    "swap_null": lambda random: swap_null(cube(random), factors=("a", "b"), draws=3),
}


def estimates(found: object) -> Iterator[Estimate]:
    if isinstance(found, Estimate):
        yield found
    elif isinstance(found, tuple | list):
        for part in found:
            yield from estimates(part)
    elif isinstance(found, msgspec.Struct):
        for field in found.__struct_fields__:
            yield from estimates(getattr(found, field))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_strange_input_gives_finite_numbers_or_reasons(name: str) -> None:
    random = np.random.default_rng(len(name))
    for _ in range(60):
        for one in estimates(FUNCTIONS[name](random)):
            assert one.value is not None or one.missing, one
            for number in (one.value, one.low, one.high, one.statistic, one.p, *one.df):
                assert number is None or math.isfinite(number), one
