"""Values and several crossed factors become the F test of each effect, sums of squares of type II or III.

Factors are coded with sum-to-zero contrasts; an effect's sum of squares is what the error grows by when the effect's
columns leave the model: all others kept (type III), or only those that do not contain it (type II) (Yates 1934;
Langsrud 2003). With empty cells type III tests hypotheses that depend on which cells are empty, so it is refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from empathic.records import Estimate
from empathic.statistics import effects
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, constant, lengths_differ, numbers, reason_against

Term = tuple[str, ...]


def factorial(
    values: ArrayLike, factors: Mapping[str, ArrayLike], *, kind: int = 2, depth: int | None = None, level: float = 0.95
) -> list[Estimate]:
    """One estimate per effect, main effects first; value η²_p with its interval, statistic F.

    `depth` is the highest order of interaction in the model (all by default; 1 = additive, for blocks).
    """
    numeric, method = numbers(values), f"factorial_anova_type{kind}.v1"
    terms = _terms(list(factors), depth or len(factors))
    if reason := _problem(numeric, factors, kind, depth):
        return [absent(":".join(term), method, reason, n=len(numeric)) for term in terms]
    columns = {term: _columns(factors, term) for term in terms}
    error, rank = _error(numeric, list(columns.values()))
    df2 = len(numeric) - rank
    if df2 < 1 or error <= 1e-12 * float(((numeric - numeric.mean()) ** 2).sum()):
        return [absent(":".join(term), method, "nothing is left for the error", n=len(numeric)) for term in terms]
    found = []
    for term in terms:
        growth, df1 = _growth(numeric, columns, term, kind)
        found.append(_effect(term, growth, df1, error, df2, method, level, len(numeric)))
    return found


def _effect(term: Term, growth: float, df1: int, error: float, df2: int, method: str, level: float, n: int) -> Estimate:
    name = ":".join(term)
    if df1 < 1:
        return absent(name, method, "the cells that are filled cannot show this effect", n=n)
    f = max(0.0, growth) / df1 / (error / df2)
    size = effects.eta_squared(f, df1, df2, ss_error=error, level=level)
    if size.value is None or size.low is None or size.high is None:
        return absent(name, method, size.missing or "no effect size", n=n)
    return estimate(
        name, size.value, method, interval=(size.low, size.high), level=level, n=n, statistic=f, df=(df1, df2),
        p=float(stats.f.sf(f, df1, df2)), details={"effect": "partial_eta_squared", "ss": growth, "ss_error": error},
    )  # fmt: skip


def _terms(names: Sequence[str], depth: int) -> list[Term]:
    return [term for size in range(1, depth + 1) for term in itertools.combinations(names, size)]


def _problem(numeric: Floats, factors: Mapping[str, ArrayLike], kind: int, depth: int | None) -> str | None:
    arrays = {name: np.asarray(labels) for name, labels in factors.items()}
    if reason := lengths_differ(values=numeric, **arrays) or reason_against(numeric, least=3):
        return reason
    if constant(numeric):
        return "all values are equal"
    alone = [name for name, labels in arrays.items() if len(np.unique(labels)) < 2]
    if alone:
        return f"factor '{alone[0]}' has one level only"
    cells = len({tuple(row) for row in np.column_stack([codes(labels)[1] for labels in arrays.values()]).tolist()})
    crossed = int(np.prod([len(np.unique(labels)) for labels in arrays.values()]))
    if kind == 3 and cells < crossed and depth != 1:
        return f"{crossed - cells} of {crossed} cells are empty: type III would test no stated hypothesis; use type II"
    return None


def _columns(factors: Mapping[str, ArrayLike], term: Term) -> Floats:
    """Sum-to-zero columns of a term: the row-wise products of those of its factors."""
    columns = np.ones((len(np.asarray(factors[term[0]])), 1))
    for name in term:
        levels, places = codes(factors[name])
        contrast = np.vstack([np.eye(len(levels) - 1), -np.ones(len(levels) - 1)])[places]
        columns = (columns[:, :, None] * contrast[:, None, :]).reshape(len(columns), -1)
    return columns


def _growth(numeric: Floats, columns: Mapping[Term, Floats], term: Term, kind: int) -> tuple[float, int]:
    others = [c for t, c in columns.items() if t != term and (kind == 3 or not set(term) < set(t))]
    without, with_it = _error(numeric, others), _error(numeric, [*others, columns[term]])
    return without[0] - with_it[0], with_it[1] - without[1]


def _error(numeric: Floats, columns: Sequence[Floats]) -> tuple[float, int]:
    """Residual sum of squares and rank of the model with an intercept and these columns."""
    design = np.hstack([np.ones((len(numeric), 1)), *columns])
    coefficients, _, rank, _ = np.linalg.lstsq(design, numeric, rcond=1e-10)
    residuals = numeric - design @ coefficients
    return float(residuals @ residuals), int(rank)
