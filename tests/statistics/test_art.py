from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from empathic.errors import UnknownName
from empathic.statistics import blocks
from empathic.statistics.art import aligned, art, art_contrasts
from empathic.statistics.repeated import repeated_measures

BOTS = {"Pink": "MEED", "Purple": "Blender", "Yellow": "MIME", "Green": "Plain"}
SIDES = ("positive", "negative")


@pytest.fixture(scope="session")
def ieval(shared: Path) -> np.ndarray:
    """Ratings: tasks × bots × contexts."""
    tasks = json.loads((shared / "data" / "ieval2022" / "ieval_data.json").read_text())
    return np.array([[[task[side][bot]["Rating"] for side in SIDES] for bot in BOTS] for task in tasks], dtype=float)


def flat(values: np.ndarray) -> dict[str, object]:
    subjects = len(values)
    factors = {"bot": np.tile(np.repeat(list(BOTS.values()), 2), subjects), "side": np.tile(SIDES, subjects * 4)}
    return {"values": values.ravel(), "factors": factors, "block": np.repeat(np.arange(subjects), 8)}


def test_the_published_f_of_ieval_are_met_to_six_decimals(ieval: np.ndarray) -> None:
    found = art(**flat(ieval))
    assert [one.statistic for one in found] == pytest.approx([257.923463, 43.172617, 9.800874], abs=1e-6)
    assert [one.df for one in found] == [(3, 1673), (1, 1673), (3, 1673)]
    assert all("3 distinct values" in one.details["caution"] for one in found)


def test_the_contrasts_of_ieval_are_met(ieval: np.ndarray) -> None:
    found = {tuple(one.labels.values()): one for one in art_contrasts(**flat(ieval), among=["bot", "side"])}
    assert len(found) == 28
    blender = found["Blender|positive", "Blender|negative"]
    assert (blender.statistic, blender.p_adjusted) == (
        pytest.approx(3.64296, abs=4e-6),
        pytest.approx(0.004444, abs=1e-6),
    )
    assert found["MEED|positive", "Plain|positive"].p_adjusted == pytest.approx(0.03307, abs=1e-6)
    assert found["MEED|negative", "Plain|negative"].p_adjusted == pytest.approx(0.037318, abs=1e-6)
    main = {tuple(one.labels.values()): one for one in art_contrasts(**flat(ieval), among=["bot"])}
    assert main["MEED", "MIME"].p_adjusted == pytest.approx(0.02258, abs=1e-6)
    assert main["MIME", "Plain"].p_adjusted == pytest.approx(0.056262, abs=1e-6)


def test_a_split_plot_agrees_with_r() -> None:
    """R 4.2: rank(round(y - cell + effect, 8)) by `ave`, then summary(aov(r ~ a * b + Error(s)))."""
    rng, rows = np.random.default_rng(11), []
    for tray in range(12):
        tray_effect = rng.normal()
        for b in range(4):
            value = 5 + tray_effect + 0.8 * (tray % 4) + 1.2 * b + 0.3 * (tray % 4) * b + rng.normal()
            rows.append((tray, tray % 4, b, round(value, 1)))
    s, a, b, y = zip(*rows, strict=True)
    found = art(y, factors={"a": a, "b": b}, block=s)
    assert [one.statistic for one in found] == pytest.approx([14.99608, 73.05619, 2.08732], abs=5e-6)
    assert [one.df for one in found] == [(3, 8), (3, 24), (9, 24)]
    assert [one.p for one in found] == pytest.approx([0.0011988, 3.2821e-12, 0.072639], rel=2e-5)
    assert all("caution" not in one.details for one in found)


def test_an_unbalanced_design_agrees_with_r() -> None:
    """R 4.2: the same alignment, then drop1(lm(r ~ a * b), . ~ ., test = "F") with contr.sum."""
    rng, rows = np.random.default_rng(12), []
    for _ in range(40):
        a, b = int(rng.integers(3)), int(rng.integers(2))
        rows.append((a, b, int(rng.integers(1, 8)) + a))
    a, b, y = zip(*rows, strict=True)
    found = art(y, factors={"a": a, "b": b})
    assert [one.statistic for one in found] == pytest.approx([1.13612, 0.30370, 0.45089], abs=5e-6)


def test_a_balanced_design_agrees_with_the_pooled_analysis_of_ranks() -> None:
    values = np.random.default_rng(5).normal(size=(10, 3, 2))
    a, b = np.tile(np.repeat([0, 1, 2], 2), 10), np.tile([0, 1], 30)
    factors = blocks.read_factors({"a": a, "b": b}, 60)
    for place, found in enumerate(art(values.ravel(), factors={"a": a, "b": b}, block=np.repeat(range(10), 6))):
        ranks = stats.rankdata(aligned(values.ravel(), factors, found.labels["term"].split(":"))).reshape(values.shape)
        oracle = repeated_measures(ranks, factors=["a", "b"], error="pooled")[place]
        assert (found.statistic, found.p) == (pytest.approx(oracle.statistic), pytest.approx(oracle.p))


def test_aligned_values_keep_only_their_own_effect() -> None:
    values = np.random.default_rng(6).normal(size=24)
    factors = blocks.read_factors({"a": np.repeat([0, 1], 12), "b": np.tile([0, 1, 2], 8)}, 24)
    for term in (("a",), ("b",), ("a", "b")):
        stripped = aligned(values, factors, term)
        (stratum,) = blocks.split(stripped, blocks.design(factors), None)
        for other in {("a",), ("b",), ("a", "b")} - {term}:
            test = blocks.f_test(stratum, other)
            assert isinstance(test, blocks.FTest) and test.f == pytest.approx(0, abs=1e-9)


def test_float_noise_splits_no_ties() -> None:
    """0.1 + 0.2 and 0.3 differ in the last bit; after rounding they tie."""
    factors = blocks.read_factors({"a": [0, 0, 1, 1]}, 4)
    assert len(np.unique(aligned(np.array([0.1 + 0.2, 0.3, 1.3, 1.1 + 0.2]), factors, ("a",)))) == 2


def test_one_factor_is_the_rank_transform() -> None:
    y, a = np.random.default_rng(7).normal(size=20), np.repeat([0, 1], 10)
    (found,) = art(y, factors={"a": a})
    oracle = stats.f_oneway(*(stats.rankdata(y)[a == level] for level in (0, 1)))
    assert found.statistic == pytest.approx(oracle.statistic)
    (difference,) = art_contrasts(y, factors={"a": a}, among=["a"])
    assert difference.p == pytest.approx(oracle.pvalue)


@pytest.mark.parametrize(
    ("values", "a", "block", "reason"),
    [
        ([1, 2, 3, 4], list("xxxx"), None, "fewer than two levels"),
        ([2, 2, 2, 2], list("xxyy"), None, "all values are equal"),
        ([1, None, 3, 4], list("xxyy"), None, "1 of 4 values are missing"),
        ([1, 1, 2, 2], list("xxyy"), None, "no variation to test against"),
        ([1, 2, 3, 4], list("xxyy"), list("1111"), "one block"),
    ],
)
def test_what_cannot_be_tested_is_missing_with_a_reason(values, a, block, reason: str) -> None:
    (found,) = art(values, factors={"a": a}, block=block)
    assert found.value is None and reason in str(found.missing)
    for pair in art_contrasts(values, factors={"a": a}, among=["a"], block=block):
        assert pair.value is None and reason in str(pair.missing)


def test_levels_that_never_meet_in_a_block_are_not_contrasted() -> None:
    (found,) = art_contrasts([1, 2, 3, 5, 4, 6], factors={"a": list("xxyyxx")}, among=["a"], block=list("112233"))
    assert found.missing == "these levels never meet within a block"


def test_an_unknown_factor_is_refused() -> None:
    with pytest.raises(UnknownName, match="No factor is called 'bott'"):
        art_contrasts([1, 2], factors={"bot": [1, 2]}, among=["bott"])
