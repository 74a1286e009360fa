"""Choices become what the places of the answers did to them: shares, a fitted model, consistency, accuracy.

Where every answer stands at every place equally often, a system that does not mind the place chooses each place with a
share of 1/n. What places add is estimated by a conditional logit (McFadden 1974) over all choices,
    P(answer of kind i at place p) ∝ exp(a_p + b_i),   Σ a = Σ b = 0,
and the accuracy without it is exp b_keyed / Σ exp b. A weak normal prior (sd 3) keeps a system that always says the
same letter finite. Failures to choose count as wrong in one accuracy and are left out of the other; both are given.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from empathic.probes.measured import Measured
from empathic.probes.probe import KEYED, Kind
from empathic.records import Estimate
from empathic.registry import signature

KINDS: tuple[str, ...] = get_args(Kind)
PRIOR = 1 / 3**2
Floats = NDArray[np.float64]


class Fit(NamedTuple):
    """The conditional logit of one system's choices."""

    places: Floats  # a_p
    kinds: Floats  # b_i, in the order of KINDS


class Choice(NamedTuple):
    """One choice: what stood at each place, and which place was taken."""

    shown: tuple[int, ...]  # place → kind
    taken: int


def estimates(measured: Iterable[Measured], shown: Callable[[Measured], Sequence[str]]) -> list[Estimate]:
    """Per system: accuracies, outcomes, shares and effects of the places, consistency; `shown` gives kinds by place."""
    by_system: dict[str, list[Measured]] = defaultdict(list)
    for one in measured:
        if one.metric == "ce":
            by_system[one.system].append(one)
    return [row for system, rows in by_system.items() for row in _of_system(system, rows, shown)]


def _of_system(system: str, rows: Sequence[Measured], shown: Callable[[Measured], Sequence[str]]) -> list[Estimate]:
    places = len(shown(rows[0]))
    found = [_accuracy(system, rows, places, wrong=wrong) for wrong in (True, False)]
    found.append(_consistency(system, rows))
    found.append(_outcomes(system, rows))
    choices = [
        Choice(tuple(KINDS.index(kind) for kind in shown(row)), row.position)
        for row in rows
        if row.position is not None
    ]
    return [*found, *_positions(system, choices, places)]


def _accuracy(system: str, rows: Sequence[Measured], places: int, *, wrong: bool) -> Estimate:
    """The share of keyed answers; interval over templates, the unit of generalisation (t, T − 1)."""
    name = "ce.accuracy" if wrong else "ce.accuracy.excluded"
    by_template: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.value is not None or wrong:
            by_template[row.template].append(row.value or 0.0)
    n = sum(map(len, by_template.values()))
    how = "failures to choose count as wrong" if wrong else "failures to choose are left out"
    method = f"share of keyed answers, {how}; t interval over templates"
    labels = {"system": system, "metric": "ce"}
    if not n:
        return Estimate(name=name, value=None, missing="no answer was chosen", method=method, labels=labels)
    low, high = _interval([float(np.mean(values)) for values in by_template.values()])
    value = math.fsum(math.fsum(values) for values in by_template.values()) / n
    details = {"chance": 1 / places, "templates": len(by_template)}
    return Estimate(
        name=name, value=value, low=low, high=high, n=n, method=method, labels=labels, details=details,
        signature=signature("ce.v1", failures="wrong" if wrong else "excluded"),
    )  # fmt: skip


def _interval(means: Sequence[float]) -> tuple[float | None, float | None]:
    if len(means) < 2:
        return None, None
    center = float(np.mean(means))
    half = float(stats.t.ppf(0.975, len(means) - 1) * np.std(means, ddof=1) / len(means) ** 0.5)
    return max(0.0, center - half), min(1.0, center + half)


def _consistency(system: str, rows: Sequence[Measured]) -> Estimate:
    """How often the orders of one probe agree on the answer: the mean share of its most frequent kind."""
    by_probe: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.chosen is not None:
            by_probe[row.probe].append(row.chosen)
    shares = [agreement(chosen) for chosen in by_probe.values() if len(chosen) > 1]
    labels, method = {"system": system, "metric": "ce"}, "mean share of a probe's most frequent answer over its orders"
    if not shares:
        why = "no probe was answered under more than one order"
        return Estimate(name="ce.consistency", value=None, missing=why, method=method, labels=labels)
    details = {"always the same": sum(share == 1 for share in shares) / len(shares)}
    value = math.fsum(shares) / len(shares)
    return Estimate(name="ce.consistency", value=value, n=len(shares), method=method, labels=labels, details=details)


def agreement(chosen: Sequence[str]) -> float:
    """The share of the most frequent answer."""
    return Counter(chosen).most_common(1)[0][1] / len(chosen)


def _outcomes(system: str, rows: Sequence[Measured]) -> Estimate:
    """The share of replies that were read, and how often each rule's outcome came."""
    counts = Counter(row.outcome or "failed" for row in rows)
    chosen = Counter(row.chosen for row in rows if row.chosen is not None)
    read = counts["ok"] + counts["lenient"]
    details = {"outcomes": dict(sorted(counts.items())), "kinds": dict(sorted(chosen.items()))}
    labels = {"system": system, "metric": "ce"}
    method = "share of replies from which an answer was read"
    return Estimate(name="ce.read", value=read / len(rows), n=len(rows), method=method, labels=labels, details=details)


def _positions(system: str, choices: Sequence[Choice], places: int) -> list[Estimate]:
    labels = {"system": system, "metric": "ce"}
    if not choices:
        method = "share of choices by place"
        return [
            Estimate(name="position.share", value=None, missing="no answer was chosen", method=method, labels=labels)
        ]
    counts = np.bincount([choice.taken for choice in choices], minlength=places)
    fit = conditional_logit(choices, places)
    chi2, p = stats.chisquare(counts)
    shares = [_share(labels, place, int(count), len(choices), fit) for place, count in enumerate(counts)]
    bias = Estimate(
        name="position.bias", value=float(fit.places.max() - fit.places.min()), n=len(choices), statistic=float(chi2),
        df=(float(places - 1),), p=float(p), labels=labels,
        method="largest difference of place effects (conditional logit, log odds); χ² of the shares against 1/n",
        details={"places": fit.places.tolist(), "kinds": dict(zip(KINDS, fit.kinds.tolist(), strict=True))},
    )  # fmt: skip
    return [*shares, bias, _adjusted(labels, fit, choices)]


def _share(labels: dict[str, str], place: int, count: int, n: int, fit: Fit) -> Estimate:
    interval = stats.binomtest(count, n).proportion_ci(method="wilson")
    return Estimate(
        name="position.share", value=count / n, low=float(interval.low), high=float(interval.high), n=n,
        method="share of choices at this place; Wilson interval", labels={**labels, "position": place},
        details={"effect": float(fit.places[place]), "expected": 1 / len(fit.places)},
    )  # fmt: skip


def _adjusted(labels: dict[str, str], fit: Fit, choices: Sequence[Choice]) -> Estimate:
    shares = np.exp(fit.kinds) / np.exp(fit.kinds).sum()
    return Estimate(
        name="ce.accuracy.adjusted", value=float(shares[KINDS.index(KEYED)]), n=len(choices), labels=labels,
        method="share of the keyed answer without place effects (conditional logit)",
        details={"shares": dict(zip(KINDS, shares.tolist(), strict=True))},
    )  # fmt: skip


def conditional_logit(choices: Sequence[Choice], places: int) -> Fit:
    """a_p and b_i by Newton's method; the prior makes the information positive definite."""
    kinds = len(KINDS)
    design = np.zeros((len(choices), places, places + kinds))
    design[:, np.arange(places), np.arange(places)] = 1
    shown = np.array([choice.shown for choice in choices])
    design[np.arange(len(choices))[:, None], np.arange(places), places + shown] = 1
    taken = design[np.arange(len(choices)), [choice.taken for choice in choices]]
    beta = np.zeros(places + kinds)
    for _ in range(100):
        utility = design @ beta
        weight = np.exp(utility - utility.max(axis=1, keepdims=True))
        weight /= weight.sum(axis=1, keepdims=True)
        mean = np.einsum("np,npk->nk", weight, design)
        gradient = (taken - mean).sum(axis=0) - PRIOR * beta
        information = np.einsum("np,npk,npl->kl", weight, design, design, optimize=True) - mean.T @ mean
        change = np.linalg.solve(information + PRIOR * np.eye(len(beta)), gradient)
        beta += change
        if np.abs(change).max() < 1e-9:
            break
    return Fit(beta[:places] - beta[:places].mean(), beta[places:] - beta[places:].mean())
