"""P values of one stated family become adjusted p values: Bonferroni, Holm, Benjamini–Hochberg, Benjamini–Yekutieli.

Holm (1979), Scandinavian Journal of Statistics 6, 65–70, controls the family-wise error under any dependence;
Benjamini & Hochberg (1995), JRSS B 57, 289–300, the false discovery rate under independence or positive regression
dependence; Benjamini & Yekutieli (2001), Annals of Statistics 29, 1165–1188, under any dependence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from empathic.errors import SettingError, UnknownName
from empathic.records import Estimate
from empathic.statistics.estimates import Array


def adjust(p_values: Sequence[float | None], *, method: str = "holm") -> list[float | None]:
    """The adjusted p values in the order given; a missing one stays missing and does not count to the family."""
    rule = _rule(method)
    present = [position for position, p in enumerate(p_values) if p is not None]
    raw = np.array([p_values[position] for position in present], dtype=np.float64)
    if not bool(np.all((raw >= 0) & (raw <= 1))):
        raise SettingError(f"A p value lies between 0 and 1; given {sorted(set(raw.tolist()))[:5]} …")
    adjusted: list[float | None] = [None] * len(p_values)
    for position, value in zip(present, rule(raw), strict=True):
        adjusted[position] = float(value)
    return adjusted


def adjust_family(estimates: Iterable[Estimate], *, family: str, method: str = "holm") -> list[Estimate]:
    """The estimates of one family with `p_adjusted` and the family's name, method and size."""
    members = list(estimates)
    adjusted = adjust([member.p for member in members], method=method)
    size = sum(p is not None for p in adjusted)
    name = f"{family} ({method}, {size} tests)"
    return [
        msgspec.structs.replace(member, p_adjusted=p, family=name) for member, p in zip(members, adjusted, strict=True)
    ]


def _rule(method: str) -> Callable[[Array], Array]:
    if method not in RULES:
        raise UnknownName("adjustment", method, RULES)
    return RULES[method]


def _none(p: Array) -> Array:
    return p


def _bonferroni(p: Array) -> Array:
    """min(1, m p)."""
    return np.minimum(1.0, p * p.size)


def _holm(p: Array) -> Array:
    """max over j ≤ i of min(1, (m − j + 1) p_(j)): step down from the smallest."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _in_order(np.minimum(1.0, stepped), order)


def _benjamini_hochberg(p: Array) -> Array:
    """min over j ≥ i of min(1, m p_(j) / j): step up from the largest."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * p.size / np.arange(1, p.size + 1)
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return _in_order(np.minimum(1.0, stepped), order)


def _benjamini_yekutieli(p: Array) -> Array:
    """Benjamini–Hochberg times Σ 1/j, for any dependence among the tests."""
    penalty = float(np.sum(1.0 / np.arange(1, p.size + 1)))
    order = np.argsort(p, kind="stable")
    scaled = p[order] * p.size * penalty / np.arange(1, p.size + 1)
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return _in_order(np.minimum(1.0, stepped), order)


def _in_order(stepped: Array, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Array:
    result = np.empty_like(stepped)
    result[order] = stepped
    return result


RULES: dict[str, Callable[[Array], Array]] = {
    "holm": _holm,
    "bonferroni": _bonferroni,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
    "none": _none,
}
