"""A difference with its error and a margin → different, equivalent or inconclusive: two one-sided tests.

A difference is *equivalent* to none when both "it is −δ or less" and "it is +δ or more" are refuted, which is the same as
the 90 % interval lying within ±δ (Schuirmann 1987; Berger 1982 for many at once: "all are equivalent" needs no correction,
since each of them must be shown). That a test of difference found nothing is no evidence of equivalence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from scipy import stats

from empathic.errors import SettingError

Verdict = Literal["different", "equivalent", "inconclusive"]


def tost(value: float, error: float, df: float, *, margin: float) -> float:
    """max of the two one-sided p: P(t_df ≥ (δ − |value|)/error)."""
    if not margin > 0:
        raise SettingError(f"A margin of equivalence is larger than 0, not {margin}. Type e.g. --margin 0.1")
    room = margin - abs(value)
    if error <= 0:
        return 0.0 if room > 0 else 1.0
    return float(stats.t.sf(room / error, df))


def verdict(p: float | None, p_equivalence: float | None, *, alpha: float = 0.05) -> Verdict:
    """What may be said: a difference that is established comes first, even if it is smaller than the margin."""
    if p is not None and p <= alpha:
        return "different"
    if p_equivalence is not None and p_equivalence <= alpha:
        return "equivalent"
    return "inconclusive"


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """Different if any is, equivalent only if all are."""
    found = set(verdicts)
    if "different" in found:
        return "different"
    return "equivalent" if found == {"equivalent"} else "inconclusive"


def unseen(n: int, *, alpha: float = 0.05) -> float:
    """The largest share that may hide behind 0 of n: 1 − α^(1/n), about 3/n for α = .05."""
    return 1.0 if n < 1 else float(1 - alpha ** (1 / n))
