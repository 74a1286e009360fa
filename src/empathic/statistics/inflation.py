"""A within-subject study of two factors becomes the share of true nulls that ART and the own-stratum F test reject.

The null is exact: each subject's two levels of the second factor are swapped at random, which leaves every dependence
in place and no effect of that factor of any kind, neither a main effect nor an interaction. A test that holds its size
rejects 5 % of such data sets at .05. The share of null F at least as large as the observed one is an honest p value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.records import Estimate, Record
from empathic.statistics import effects
from empathic.statistics.estimates import Array, absent, estimate

METHOD = "swap-null.v1"
TINY = 1e-12


class Inflation(Record, frozen=True):
    """For one test of one term: how often a true null is rejected, and the observed F against the null's own F."""

    test: str
    term: str
    size: Estimate
    honest: Estimate


class Sums(NamedTuple):
    """Sums of squares of subjects × a × b: each term, and each term's interaction with subjects."""

    effects: dict[str, float]
    errors: dict[str, float]


def swap_null(
    values: npt.ArrayLike, *, factors: tuple[str, str], draws: int = 1000, seed: int = 1, alpha: float = 0.05
) -> tuple[Inflation, ...]:
    """ART and own-stratum F of the second factor and of the interaction, under random swaps within subjects."""
    array = np.asarray(values, dtype=np.float64)
    terms = {"b": factors[1], "ab": ":".join(factors)}
    keys = [(test, term) for test in TESTS for term in terms]
    reason = _unfit(array)
    if reason:
        nothing = absent("rejected true nulls", METHOD, reason, draws=draws, seed=seed)
        return tuple(Inflation(test=test, term=terms[term], size=nothing, honest=nothing) for test, term in keys)
    critical = {(test, term): _critical(test, term, array.shape, alpha) for test, term in keys}
    observed = {(test, term): TESTS[test](array, term) for test, term in keys}
    null = _null(array, keys, draws, seed)
    if not all(np.isfinite(values).all() for values in (*null.values(), np.array(list(observed.values())))):
        nothing = absent("rejected true nulls", METHOD, "there is no variation to test against", draws=draws, seed=seed)
        return tuple(Inflation(test=test, term=terms[term], size=nothing, honest=nothing) for test, term in keys)
    return tuple(
        _inflation(test, terms[term], null[test, term], critical[test, term], observed[test, term], len(array), seed)
        for test, term in keys
    )


def art_f(array: Array, term: str) -> float:
    """The ART F of a balanced subjects × a × b, against all within-subject error together."""
    cells = array.mean(axis=0)
    grand, rows, columns = cells.mean(), cells.mean(axis=1, keepdims=True), cells.mean(axis=0, keepdims=True)
    effect = {"a": rows - grand, "b": columns - grand, "ab": cells - rows - columns + grand}[term]
    ranks = stats.rankdata(np.round(array - cells + effect, 8)).reshape(array.shape)
    sums = sums_of_squares(ranks)
    df = _df(array.shape)
    error = sum(sums.errors.values()) / sum(df[name] for name in df) / (len(array) - 1)
    return _over(sums.effects[term] / df[term], error)


def own_f(array: Array, term: str) -> float:
    """The F of the values themselves, against the term's own stratum."""
    sums, df = sums_of_squares(array), _df(array.shape)[term]
    return _over(sums.effects[term] / df, sums.errors[term] / (df * (len(array) - 1)))


def sums_of_squares(array: Array) -> Sums:
    """The sums of squares of a complete two-way within-subject table."""
    n, a, b = array.shape
    grand = array.mean()
    cells, subject = array.mean(axis=0), array.mean(axis=(1, 2))
    rows, columns = cells.mean(axis=1), cells.mean(axis=0)
    found = {"a": n * b * float(((rows - grand) ** 2).sum()), "b": n * a * float(((columns - grand) ** 2).sum())}
    found["ab"] = n * float(((cells - rows[:, None] - columns + grand) ** 2).sum())
    subject_rows = b * float(((array.mean(axis=2) - subject[:, None] - rows + grand) ** 2).sum())
    subject_columns = a * float(((array.mean(axis=1) - subject[:, None] - columns + grand) ** 2).sum())
    within = float(((array - subject[:, None, None]) ** 2).sum())
    rest = within - sum(found.values()) - subject_rows - subject_columns
    return Sums(found, {"a": subject_rows, "b": subject_columns, "ab": rest})


TESTS: Mapping[str, Callable[[Array, str], float]] = {"ART": art_f, "own stratum": own_f}


def _over(effect: float, error: float) -> float:
    return effect / error if error > TINY * (effect + error) else np.nan


def _null(array: Array, keys: list[tuple[str, str]], draws: int, seed: int) -> dict[tuple[str, str], Array]:
    rng = np.random.default_rng(seed)
    null = {key: np.empty(draws) for key in keys}
    for draw in range(draws):
        swap = rng.integers(0, 2, size=len(array)).astype(bool)
        shuffled = np.where(swap[:, None, None], array[:, :, ::-1], array)
        for test, term in keys:
            null[test, term][draw] = TESTS[test](shuffled, term)
    return null


def _inflation(test: str, term: str, null: Array, critical: float, observed: float, n: int, seed: int) -> Inflation:
    draws = len(null)
    rejected, above = int((null > critical).sum()), int((null >= observed - 1e-9).sum())
    share = effects.proportion(rejected, draws)
    size = estimate(
        "rejected true nulls",
        rejected / draws,
        METHOD,
        interval=(share.low or 0.0, share.high or 1.0),
        n=draws,
        details={"critical_f": critical, "null_f_95": float(np.quantile(null, 0.95))},
        draws=draws,
        seed=seed,
    )
    honest = estimate(
        f"p of the observed F of {term}",
        (above + 1) / (draws + 1),
        METHOD,
        n=n,
        statistic=observed,
        draws=draws,
        seed=seed,
    )
    return Inflation(test=test, term=term, size=size, honest=honest)


def _critical(test: str, term: str, shape: tuple[int, ...], alpha: float) -> float:
    df = _df(shape)
    pooled = sum(df.values()) if test == "ART" else df[term]
    return float(stats.f.isf(alpha, df[term], pooled * (shape[0] - 1)))


def _df(shape: tuple[int, ...]) -> dict[str, int]:
    a, b = shape[1] - 1, shape[2] - 1
    return {"a": a, "b": b, "ab": a * b}


def _unfit(array: Array) -> str:
    if array.ndim != 3 or array.shape[2] != 2 or array.shape[1] < 2 or len(array) < 3:
        return "a table of at least 3 subjects × 2 or more levels × 2 levels is needed"
    if not np.isfinite(array).all():
        return "a value is missing"
    if np.ptp(array - array.mean(axis=(1, 2), keepdims=True)) == 0:
        return "no subject's values vary"
    return ""
