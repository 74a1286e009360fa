"""Choices among options asked in several orders → what the place of an option does, and accuracy without it.

Conditional logit: P(place j is chosen | the keyed option stands at k) ∝ exp(θ_t [j = k] + γ_j), Σ γ = 0, one θ for each template;
errors clustered by template. exp(γ_j)/Σ exp(γ) is the share place j would get among equally good options, and
exp(θ_t)/(exp(θ_t) + m − 1) the accuracy if places did nothing. Whether places do anything is tested without a model: with
cyclic orders, turning all choices of a probe by the same number of places changes nothing unless places matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from empathic.errors import SettingError
from empathic.records import Estimate, Json
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Codes, Floats, codes, lengths_differ, numbers

METHOD, TEST, ACCURACY = "position_logit.v1", "cyclic_shift.v1", "accuracy_without_position.v1"
OPTIONS = 5
RIDGE = (
    0.1  # 1/variance of a weak prior: a template that is always right, or a letter that is always said, stays finite
)
STEPS = 60


class Asks(NamedTuple):
    """Choices that were made: where the chosen and the keyed option stood."""

    templates: NDArray[np.str_]
    probes: NDArray[np.str_]
    chosen: Codes
    keyed: Codes


class _Fit(NamedTuple):
    theta: Floats  # per template
    gamma: Floats  # per place, summing to 0
    covariance: Floats  # of gamma, clustered by template


def asks(templates: ArrayLike, probes: ArrayLike, chosen: ArrayLike, keyed: ArrayLike) -> Asks:
    """Checked arrays, places from 0."""
    found = Asks(
        np.asarray(templates, dtype=str), np.asarray(probes, dtype=str),
        np.asarray(chosen, dtype=np.intp), np.asarray(keyed, dtype=np.intp),
    )  # fmt: skip
    if reason := lengths_differ(**found._asdict()):
        raise SettingError(f"A choice needs a template, a probe and two places: {reason}.")
    for places in (found.chosen, found.keyed):
        if len(places) and not 0 <= places.min() <= places.max() < OPTIONS:
            raise SettingError(f"A place is 0 to {OPTIONS - 1}; given {places.min()} to {places.max()}.")
    return found


def position_effects(made: Asks, *, labels: Json | None = None, level: float = 0.95) -> list[Estimate]:
    """The share each place would get among equally good options, and the accuracy if places did nothing."""
    told = labels or {}
    if reason := _unfit(made):
        return [absent("position", METHOD, reason, n=len(made.chosen), labels={**told, "kind": "position"})]
    fit = _fitted(made)
    t = float(stats.t.ppf((1 + level) / 2, len(fit.theta) - 1))
    return [*_shares(fit, t, len(made.chosen), told, level), _accuracy(made, fit, t, told, level)]


def letter_test(made: Asks, *, draws: int = 1999, seed: int, labels: Json | None = None) -> Estimate:
    """χ² of how often each place was chosen, against turning each probe's choices by a random number of places."""
    told = {**(labels or {}), "kind": "letters"}
    if not len(made.chosen):
        return absent("letters", TEST, "nothing was chosen", n=0, labels=told)
    _, probe = codes(made.probes)
    counts = np.zeros((probe.max() + 1, OPTIONS))
    np.add.at(counts, (probe, made.chosen), 1)
    turned = np.stack([np.roll(counts, shift, axis=1) for shift in range(OPTIONS)])
    observed = float(_chi_square(counts.sum(axis=0)[None, :])[0])
    random, beyond = np.random.default_rng(seed), 0
    for _ in range(draws):
        shift = random.integers(0, OPTIONS, size=len(counts))
        total = turned[shift, np.arange(len(counts))].sum(axis=0)
        beyond += int(_chi_square(total[None, :])[0] >= observed - 1e-9)
    return estimate(
        "letters", observed, TEST, n=len(made.chosen), statistic=observed, df=(OPTIONS - 1,), p=(1 + beyond) / (1 + draws),
        labels=told, details={"chosen": counts.sum(axis=0).astype(int).tolist()}, draws=draws, seed=seed,
    )  # fmt: skip


def consistency(made: Asks, kinds: ArrayLike, *, labels: Json | None = None, level: float = 0.95) -> Estimate:
    """How often two orders of the same probe lead to the same option: pairs that agree, then the mean over templates."""
    (_, probe), (_, kind), (_, template) = codes(made.probes), codes(np.asarray(kinds)), codes(made.templates)
    told = {**(labels or {}), "kind": "consistency"}
    if len(kind) == 0:
        return absent("consistency", "pairs_of_orders.v1", "nothing was chosen", n=0, labels=told)
    counts = np.zeros((probe.max() + 1, kind.max() + 1))
    np.add.at(counts, (probe, kind), 1)
    number, home = counts.sum(axis=1), np.zeros(len(counts), dtype=np.intp)
    home[probe] = template
    several = number > 1
    agree = (counts * (counts - 1)).sum(axis=1)[several] / (number * (number - 1))[several]
    means = [float(agree[home[several] == place].mean()) for place in np.unique(home[several])]
    if len(means) < 2:
        return absent(
            "consistency", "pairs_of_orders.v1", f"{len(means)} template(s) with two orders", n=len(kind), labels=told
        )
    half = float(stats.t.ppf((1 + level) / 2, len(means) - 1) * stats.sem(means))
    value = float(np.mean(means))
    return estimate("consistency", value, "pairs_of_orders.v1", interval=(value - half, value + half), level=level,
                    n=int(several.sum()), labels=told)  # fmt: skip


def without_position(values: ArrayLike, keyed: ArrayLike, templates: ArrayLike) -> Floats:
    """Values (1 right, 0 wrong) minus the effect of the keyed option's place, by least squares with template effects.

    With complete cyclic orders nothing changes in a probe's mean; where some orders have no answer it removes what
    their places would have added. The mean of all values stays.
    """
    y, place, (levels, template) = numbers(values), np.asarray(keyed, dtype=np.intp), codes(np.asarray(templates))
    if not len(y):
        return y
    blocks, places = np.eye(len(levels))[template], np.eye(OPTIONS)[place]
    effect = np.linalg.lstsq(np.hstack([blocks, places]), y, rcond=None)[0][len(levels) :]
    shift = effect[place]
    return np.asarray(y - (shift - shift.mean()))


def _unfit(made: Asks) -> str | None:
    templates = len(np.unique(made.templates))
    if templates < 2:
        return f"{templates} template(s) with a choice, at least 2 are needed"
    return "the keyed option always stood at the same place" if len(np.unique(made.keyed)) < 2 else None


def _chi_square(counts: Floats) -> Floats:
    expected = counts.sum(axis=1, keepdims=True) / OPTIONS
    return np.asarray(((counts - expected) ** 2 / expected).sum(axis=1))


def _basis() -> Floats:
    """Orthonormal columns that sum to zero: γ = basis @ φ."""
    return np.linalg.qr(np.hstack([np.ones((OPTIONS, 1)), np.eye(OPTIONS)[:, :-1]]))[0][:, 1:]


def _fitted(made: Asks) -> _Fit:
    """Newton's method on counts per template, keyed place and chosen place."""
    levels, template = codes(made.templates)
    counts = np.zeros((len(levels), OPTIONS, OPTIONS))
    np.add.at(counts, (template, made.keyed, made.chosen), 1)
    design = _design(len(levels))
    parameters = np.zeros(design.shape[-1])
    penalty = np.full(len(parameters), RIDGE)
    for _ in range(STEPS):
        scores, information = _derivatives(design, counts, parameters)
        step = np.linalg.solve(information + np.diag(penalty), scores.sum(axis=0) - penalty * parameters)
        parameters = parameters + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    scores, information = _derivatives(design, counts, parameters)
    bread = np.linalg.inv(information + np.diag(penalty))
    clusters = len(levels)
    full = clusters / (clusters - 1) * bread @ (scores.T @ scores) @ bread
    basis = _basis()
    return _Fit(parameters[:clusters], basis @ parameters[clusters:], basis @ full[clusters:, clusters:] @ basis.T)


def _design(templates: int) -> Floats:
    """Templates × keyed place × chosen place × parameters."""
    design = np.zeros((templates, OPTIONS, OPTIONS, templates + OPTIONS - 1))
    design[..., templates:] = _basis()
    for template in range(templates):
        for place in range(OPTIONS):
            design[template, place, place, template] = 1
    return design


def _derivatives(design: Floats, counts: Floats, parameters: Floats) -> tuple[Floats, Floats]:
    """The score of each template and the information of all."""
    utility = design @ parameters
    share = np.exp(utility - utility.max(axis=-1, keepdims=True))
    share /= share.sum(axis=-1, keepdims=True)
    asked = counts.sum(axis=-1, keepdims=True)
    scores = np.einsum("tkj,tkjp->tp", counts - asked * share, design)
    centred = design - np.einsum("tkj,tkjp->tkp", share, design)[:, :, None, :]
    information = np.einsum("tkj,tkjp,tkjq->pq", asked * share, centred, centred, optimize=True)
    return scores, information


def _shares(fit: _Fit, t: float, n: int, told: Json, level: float) -> list[Estimate]:
    share = np.exp(fit.gamma) / np.exp(fit.gamma).sum()
    found = []
    for place in range(OPTIONS):
        gradient = (np.eye(OPTIONS)[place] - share) / (1 - share[place])  # of logit(share)
        error = float(np.sqrt(gradient @ fit.covariance @ gradient))
        logit = float(np.log(share[place] / (1 - share[place])))
        low, high = (1 / (1 + np.exp(-(logit + side * t * error))) for side in (-1, 1))
        labels = {**told, "kind": "position", "position": "ABCDEFGHIJ"[place]}
        details = {"gamma": float(fit.gamma[place])}
        found.append(estimate("position", float(share[place]), METHOD, interval=(low, high), level=level, n=n, labels=labels,
                              details=details))  # fmt: skip
    return found


def _accuracy(made: Asks, fit: _Fit, t: float, told: Json, level: float) -> Estimate:
    shares = np.exp(fit.theta) / (np.exp(fit.theta) + OPTIONS - 1)
    value, half = float(shares.mean()), t * float(stats.sem(shares))
    return estimate(
        "accuracy", value, ACCURACY, interval=(max(0.0, value - half), min(1.0, value + half)), level=level,
        n=len(made.chosen), labels={**told, "kind": "accuracy"},
        details={"raw": float((made.chosen == made.keyed).mean()), "chance": 1 / OPTIONS},
    )  # fmt: skip
