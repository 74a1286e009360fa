"""Oracles: R's `ordinal::clm` (fixed values, and live where R is installed) and statsmodels' OrderedModel."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from empathic.statistics import ordinal

from .rated import as_r, null_ratings, small

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pandas
    from statsmodels.miscmodels.ordinal_model import OrderedModel


def test_log_odds_and_errors_are_those_of_clm() -> None:
    """c3 <- clm(o ~ g, data = d); c3$beta; sqrt(diag(vcov(c3)))[4:5]"""
    values, groups, _, _ = small()
    found = ordinal.proportional_odds(values, groups)
    assert [pair.details["log"] for pair in found.pairs[:2]] == pytest.approx([-0.09419599, 0.84093233], abs=2e-7)
    assert [pair.details["se_log"] for pair in found.pairs[:2]] == pytest.approx([0.33525741, 0.36350318], abs=2e-7)
    assert found.pairs[2].labels == {"system": 2, "baseline": 1}
    assert found.pairs[2].details["log"] == pytest.approx(0.84093233 + 0.09419599, abs=2e-7)


@pytest.mark.parametrize("seed", range(3))
def test_a_random_design_has_the_likelihood_of_statsmodels(seed: int) -> None:
    random = np.random.default_rng(seed)
    groups = random.choice(3, 150, p=[0.6, 0.3, 0.1])
    values = np.clip(np.round(random.normal(2.5 + 0.5 * groups, 1.2)), 1, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = OrderedModel(values, pandas.DataFrame(ordinal.contrasts(groups)), distr="logit")
        oracle = model.fit(method="newton", disp=False, maxiter=200, start_params=None)
    found = ordinal.fit_ordinal(ordinal.codes(values)[1], ordinal.contrasts(groups))
    assert found.loglik == pytest.approx(float(oracle.llf), abs=1e-6)
    assert found.coefficients == pytest.approx(np.asarray(oracle.params)[:2], abs=1e-4)


def test_the_likelihood_ratio_is_twice_the_gain() -> None:
    """c3$logLik is -217.70825739; the null model's comes from the shares alone."""
    values, groups, _, _ = small()
    counts = np.bincount(values)[1:]
    null = (counts * np.log(counts / len(values))).sum()
    found = ordinal.proportional_odds(values, groups).groups
    assert found.statistic == pytest.approx(2 * (-217.70825739 - null), abs=1e-6)
    assert found.df == (2,)


def test_every_rating_doubled_in_its_cluster_keeps_the_robust_error() -> None:
    values, groups, _, _ = small()
    once = ordinal.proportional_odds(values, groups, clusters=np.arange(len(values)))
    twice = ordinal.proportional_odds(np.repeat(values, 2), np.repeat(groups, 2), clusters=np.repeat(range(160), 2))
    assert twice.pairs[0].details["se_log"] == pytest.approx(once.pairs[0].details["se_log"], rel=1e-6)
    assert once.pairs[0].df == (159,)
    assert once.pairs[0].details["se_log"] == pytest.approx(0.33525741, rel=0.1)


def test_the_robust_error_is_that_of_r_live(r) -> None:
    """The scores of clm written out in R, summed by rater, between two of its covariances."""
    values, groups, raters, items = small()
    code = (
        as_r(values, groups, raters, items)
        + """
      suppressMessages(library(ordinal)); m <- clm(factor(y) ~ g, data = d);
      X <- model.matrix(~ g, d)[, -1]; K <- max(d$y); p <- coef(m);
      th <- c(-Inf, p[1:(K-1)], Inf); e <- X %*% p[K:(K+1)];
      u <- th[d$y + 1] - e; l <- th[d$y] - e; pr <- plogis(u) - plogis(l);
      S <- matrix(0, nrow(d), length(p));
      for (i in 1:nrow(d)) { if (d$y[i] < K) S[i, d$y[i]] <- dlogis(u[i]) / pr[i];
        if (d$y[i] > 1) S[i, d$y[i] - 1] <- -dlogis(l[i]) / pr[i];
        S[i, K:(K+1)] <- -(dlogis(u[i]) - dlogis(l[i])) / pr[i] * X[i, ] };
      C <- rowsum(S, d$rater); V <- vcov(m) %*% (t(C) %*% C) %*% vcov(m) * 20 / 19;
      cat(sqrt(diag(V))[K:(K+1)])"""
    )
    found = ordinal.proportional_odds(values, groups, clusters=raters)
    assert [pair.details["se_log"] for pair in found.pairs[:2]] == pytest.approx(r(code), rel=1e-5)


@pytest.mark.parametrize(
    ("values", "groups", "word"),
    [
        ([2, 2, 2, 2], ["a", "a", "b", "b"], "equal"),
        ([1, 2, 3], ["a", "a", "a"], "one group"),
        ([1, float("nan"), 3], ["a", "b", "a"], "not numbers"),
        ([1, 2], ["a", "b"], "at least 3"),
        ([1, 2, 3], ["a", "b"], "lengths"),
        ([1, 2, 1, 2, 3, 3, 3, 3], ["a"] * 4 + ["b"] * 4, "separation"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(values, groups, word) -> None:
    found = ordinal.proportional_odds(values, groups)
    assert found.groups.value is None
    assert word in found.groups.missing
    assert all(pair.value is None for pair in found.pairs)


def test_one_cluster_is_refused() -> None:
    found = ordinal.proportional_odds([1, 2, 3, 1], ["a", "b", "a", "b"], clusters=[1, 1, 1, 1])
    assert "one level only" in found.groups.missing


def test_a_level_never_used_between_two_others_changes_nothing() -> None:
    values, groups, _, _ = small()
    gap = np.where(values >= 3, values + 1, values)
    assert ordinal.proportional_odds(gap, groups) == ordinal.proportional_odds(values, groups)


@pytest.mark.slow
def test_the_cluster_test_holds_its_level_and_the_plain_one_does_not(null_rate) -> None:
    def once(random: np.random.Generator, robust: bool) -> float:
        values, groups, raters, _ = null_ratings(random, 90, 8, items=60)
        return ordinal.proportional_odds(values, groups, clusters=raters if robust else None).groups.p

    null_rate(lambda random: once(random, True), runs=1500)
    with pytest.raises(AssertionError, match="rejected"):
        null_rate(lambda random: once(random, False), runs=500)
