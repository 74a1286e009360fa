from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from empathic.statistics.art import art
from empathic.statistics.inflation import art_f, own_f, swap_null
from empathic.statistics.repeated import repeated_measures


def likert(seed: int, subjects: int = 60, levels: int = 3) -> np.ndarray:
    """Ordinal ratings with an effect of the first factor only."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(subjects, 4, 2)) + np.array([0, 1.5, -0.3, 0.0])[:, None]
    return np.clip(np.round(latent + 2), 1, levels)


@pytest.mark.parametrize("term", ["a", "b", "ab"])
def test_the_quick_f_equal_the_general_ones(term: str) -> None:
    values = likert(1, subjects=20)
    place = ["a", "b", "ab"].index(term)
    a, b = np.tile(np.repeat(range(4), 2), 20), np.tile([0, 1], 80)
    slow = art(values.ravel(), factors={"a": a, "b": b}, block=np.repeat(range(20), 8))[place]
    assert art_f(values, term) == pytest.approx(slow.statistic)
    assert own_f(values, term) == pytest.approx(repeated_measures(values, factors=["a", "b"])[place].statistic)


def test_few_categories_inflate_art_and_leave_the_own_stratum_alone() -> None:
    found = {(one.test, one.term): one.size.value for one in swap_null(likert(2), factors=("bot", "side"), draws=200)}
    assert (found["ART", "side"] or 0) > 0.15
    assert (found["ART", "bot:side"] or 0) > 0.15
    assert (found["own stratum", "side"] or 1) < 0.1
    assert (found["own stratum", "bot:side"] or 1) < 0.1


def test_the_null_is_seeded() -> None:
    assert swap_null(likert(2), factors=("a", "b"), draws=20) == swap_null(likert(2), factors=("a", "b"), draws=20)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.ones((10, 4, 3)), "2 levels"),
        (np.ones((10, 4, 2)), "vary"),
        (np.full((10, 4, 2), np.nan), "missing"),
        (np.ones((10, 4)), "3 subjects"),
    ],
)
def test_what_has_no_null_is_missing_with_a_reason(values: np.ndarray, reason: str) -> None:
    for one in swap_null(values, factors=("a", "b"), draws=5):
        assert one.size.value is None and reason in str(one.size.missing)


@pytest.mark.slow
def test_ieval_has_the_inflation_of_the_reference(shared: Path) -> None:
    """The reference: 5,000 swaps, ART rejects .418 (context) and .682 (interaction), the own stratum .046 and .050."""
    tasks = json.loads((shared / "data" / "ieval2022" / "ieval_data.json").read_text())
    bots, sides = ("Pink", "Purple", "Yellow", "Green"), ("positive", "negative")
    values = np.array([[[task[side][bot]["Rating"] for side in sides] for bot in bots] for task in tasks])
    found = {(one.test, one.term): one for one in swap_null(values, factors=("bot", "side"), draws=5000, seed=77)}
    assert found["ART", "side"].size.value == pytest.approx(0.418, abs=0.03)
    assert found["ART", "bot:side"].size.value == pytest.approx(0.682, abs=0.04)
    assert found["own stratum", "side"].size.value == pytest.approx(0.046, abs=0.012)
    assert found["own stratum", "bot:side"].size.value == pytest.approx(0.050, abs=0.012)
    assert found["ART", "side"].honest.value == pytest.approx(0.068, abs=0.015)
    assert found["ART", "bot:side"].honest.value == pytest.approx(0.012, abs=0.007)


@pytest.mark.slow
def test_on_continuous_responses_art_holds_its_size_on_average() -> None:
    """Over many data sets: on a single one the swap null also shows how far its own error lies from the pooled one."""
    random, rates = np.random.default_rng(9), []
    for _ in range(80):
        values = random.normal(size=(60, 4, 2)) + np.array([0, 1.5, -0.3, 0.0])[:, None]
        rates.append([one.size.value for one in swap_null(values, factors=("bot", "side"), draws=60)])
    assert np.mean(rates, axis=0).tolist() == pytest.approx([0.05] * 4, abs=0.015)
