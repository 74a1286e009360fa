"""Oracle: R's `ordinal::clmm` 2019.12-10, fixed values with the call, and live where R is installed."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.statistics.ordinal_mixed import ordinal_mixed

from .rated import as_r, null_ratings, small


def logs(found) -> list[float]:
    return [pair.details["log"] for pair in found.pairs[:2]]


def errors(found) -> list[float]:
    return [pair.details["se_log"] for pair in found.pairs[:2]]


def test_crossed_raters_and_items_are_those_of_clmm() -> None:
    """clmm(o ~ g + (1 | rater) + (1 | item), d): beta, standard errors, deviations and 2 Δ log-likelihood"""
    values, groups, raters, items = small()
    found = ordinal_mixed(values, groups, raters=raters, items=items)
    assert logs(found) == pytest.approx([-0.23624755, 0.97606863], abs=5e-5)
    assert errors(found) == pytest.approx([0.42501222, 0.44248391], abs=5e-5)
    assert [sd.value for sd in found.deviations] == pytest.approx([0.34191403, 1.06779501], abs=1e-4)
    assert [sd.name for sd in found.deviations] == ["sd_rater", "sd_item"]
    assert found.groups.statistic == pytest.approx(2 * (213.32108283 - 209.97832237), abs=1e-5)


def test_quadrature_is_that_of_clmm() -> None:
    """clmm(o ~ g + (1 | item), d, nAGQ = 10)"""
    values, groups, _, items = small()
    found = ordinal_mixed(values, groups, items=items, nodes=10)
    assert logs(found) == pytest.approx([-0.27281867, 0.94266710], abs=5e-5)
    assert errors(found) == pytest.approx([0.37043471, 0.38658782], abs=5e-5)
    assert found.deviations[0].value == pytest.approx(1.04405581, abs=5e-5)


def test_a_spread_of_zero_gives_the_plain_model() -> None:
    """clm(o ~ g, data = d), as raters alone do not differ here"""
    values, groups, raters, _ = small()
    found = ordinal_mixed(values, groups, raters=raters)
    assert found.deviations[0].value == pytest.approx(0, abs=1e-3)
    assert logs(found) == pytest.approx([-0.09419599, 0.84093233], abs=1e-5)


def test_an_unbalanced_design_is_that_of_clmm_live(r) -> None:
    random = np.random.default_rng(9)
    values, groups, raters, items = null_ratings(random, 30, 7, items=40)
    keep = random.random(len(values)) < 0.8
    values, groups, raters, items = values[keep], groups[keep], raters[keep], items[keep]
    code = (
        as_r(values, groups, raters, items)
        + """
      suppressMessages(library(ordinal)); m <- clmm(factor(y) ~ g + (1 | rater) + (1 | item), d);
      cat(m$beta, sqrt(diag(vcov(m)))[3:4], m$logLik)"""
    )
    expected = r(code)
    found = ordinal_mixed(values, groups, raters=raters, items=items)
    assert [*logs(found), *errors(found)] == pytest.approx(expected[:4], rel=2e-3)


def test_labels_may_be_words_and_the_order_of_rows_does_not_matter() -> None:
    values, groups, raters, items = small()
    order = np.random.default_rng(0).permutation(len(values))
    names = np.array(["a", "b", "c"])[groups]
    one = ordinal_mixed(values, names, raters=raters, items=items)
    other = ordinal_mixed(values[order], names[order], raters=raters[order], items=items[order])
    assert logs(one) == pytest.approx(logs(other), abs=1e-4)
    assert one.pairs[0].labels == {"system": "b", "baseline": "a"}


@pytest.mark.parametrize(
    ("values", "groups", "raters", "word"),
    [
        ([1, 2, 3, 1], ["a", "a", "b", "b"], None, "raters or items are needed"),
        ([1, 2, 3, 1], ["a", "a", "b", "b"], [1, 2, 3, 4], "one rating per rater"),
        ([1, 2, 3, 1], ["a", "a", "b", "b"], [1, 1, 1, 1], "one level only"),
        ([2, 2, 2, 2], ["a", "a", "b", "b"], [1, 1, 2, 2], "equal"),
        ([1, 2, 3, None], ["a", "a", "b", "b"], [1, 1, 2, 2], "not numbers"),
        ([1, 2, 1, 2, 3, 3, 3, 3], ["a"] * 4 + ["b"] * 4, [1, 1, 2, 2, 3, 3, 4, 4], "separation"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(values, groups, raters, word) -> None:
    found = ordinal_mixed(values, groups, raters=raters)
    assert found.groups.value is None
    assert word in found.groups.missing


def test_quadrature_for_two_factors_is_refused() -> None:
    values, groups, raters, items = small()
    found = ordinal_mixed(values, groups, raters=raters, items=items, nodes=7)
    assert "one factor" in found.groups.missing


@pytest.mark.slow
def test_the_likelihood_ratio_holds_its_level(null_rate) -> None:
    def once(random: np.random.Generator) -> float:
        values, groups, raters, items = null_ratings(random, 60, 8, items=50)
        return ordinal_mixed(values, groups, raters=raters, items=items).groups.p

    null_rate(once, runs=400)
