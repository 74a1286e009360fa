"""The design: crossed in full where it matters, balanced elsewhere, decided by the seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import contingency

from empathic.errors import SettingError, UnknownName
from empathic.probes.factors import UNSAID
from empathic.probes.sampling import Draw, Scene, association, associations, cell_sizes, design, left_out, limited

PAPER = {
    "sexuality": [f"sexuality {k}" for k in range(9)],
    "pronouns": ["she", "he", "they"],
    "age": ["30", "40", "50"],
    "race": [f"race {k}" for k in range(7)],
    "status": [f"status {k}" for k in range(6)],
    "education": [f"education {k}" for k in range(6)],
    "religion": [f"religion {k}" for k in range(6)],
}
FOCAL = ("sexuality", "pronouns", "age")


def paper(seed: int = 1) -> list[Draw]:
    return design([Scene("gift"), Scene("worker")], PAPER, FOCAL, repeats=3, seed=seed)


def test_the_papers_486_samples_of_each_form_come_out() -> None:
    draws = paper()
    assert len(draws) == 486 == 2 * 9 * 3 * 3 * 3
    assert Counter(draw.template for draw in draws) == {"gift": 243, "worker": 243}
    pairs = Counter((draw.levels["sexuality"], draw.levels["pronouns"]) for draw in draws)
    assert set(pairs.values()) == {18}
    within = Counter((draw.template, draw.levels["sexuality"], draw.levels["pronouns"]) for draw in draws)
    assert set(within.values()) == {9}
    assert dict(cell_sizes(draws, ("sexuality", "pronouns"))) == pairs


def test_no_other_factor_goes_along_with_a_focal_one() -> None:
    worst = associations(paper(), FOCAL)[0]
    assert worst.cramers_v < 0.05, worst
    assert worst.smallest <= worst.cramers_v
    assert worst.largest < 0.04, worst


def test_a_plain_random_draw_is_several_times_as_confounded() -> None:
    chance = np.random.default_rng(1)
    values = [str(chance.integers(7)) for _ in range(486)]
    focal = [draw.levels["sexuality"] for draw in paper()]
    assert association("race", "sexuality", values, focal).cramers_v > 2 * associations(paper(), FOCAL)[0].cramers_v


def test_every_level_of_the_other_factors_is_equally_frequent() -> None:
    for name in ("race", "status", "education", "religion"):
        counts = Counter(draw.levels[name] for draw in paper())
        assert max(counts.values()) - min(counts.values()) <= 2, counts


def test_the_seed_decides_everything() -> None:
    assert paper(1) == paper(1)
    assert paper(1) != paper(2)


def test_cramers_v_is_that_of_scipy() -> None:
    table = np.array([[10, 20, 5], [8, 3, 14]])
    pairs = [(str(i), str(j)) for i in range(2) for j in range(3) for _ in range(table[i, j])]
    found = association("a", "b", [a for a, _ in pairs], [b for _, b in pairs])
    assert found.cramers_v == pytest.approx(contingency.association(table, method="cramer"))
    assert found.smallest == pytest.approx(((0 + 0.5 * 2 / 23 + 0.5 * 2 / 19) / 60) ** 0.5)  # 18, 23 and 19 in halves
    assert found.largest == pytest.approx(35 / 60 - 5 / 19)


def test_a_limit_keeps_templates_and_groups_equally_frequent() -> None:
    kept = limited(paper(), ("sexuality", "pronouns"), 54, seed=1)
    assert len(kept) == 54
    assert set(Counter(draw.template for draw in kept).values()) == {27}
    assert set(Counter(draw.levels["sexuality"] for draw in kept).values()) == {6}
    assert set(Counter(draw.levels["pronouns"] for draw in kept).values()) == {18}
    assert kept == limited(paper(), ("sexuality", "pronouns"), 54, seed=1)
    assert limited(paper(), FOCAL, None, seed=1) == paper() == limited(paper(), FOCAL, 9999, seed=1)


def test_what_a_template_cannot_say_is_left_unsaid_or_left_out() -> None:
    silent = Scene("silent", says=["age", "pronouns"])
    draws = design([Scene("gift"), silent], PAPER, ["age"], repeats=2, seed=1)
    assert {draw.levels["race"] for draw in draws if draw.template == "silent"} == {UNSAID}
    assert UNSAID not in {draw.levels["race"] for draw in draws if draw.template == "gift"}
    assert {draw.template for draw in design([Scene("gift"), silent], PAPER, ["race"], repeats=1, seed=1)} == {"gift"}
    assert left_out([Scene("gift"), silent], PAPER, ["race"]) == {"silent": "its text does not say race"}


def test_levels_that_contradict_a_scene_are_never_drawn() -> None:
    young = Scene("worker", obstacle=lambda levels: "too young" if levels.get("age") == "30" else None)
    draws = design([young], PAPER, ["pronouns"], repeats=6, seed=1)
    assert Counter(draw.levels["age"] for draw in draws) == {"40": 9, "50": 9}
    assert {draw.levels["age"] for draw in design([young], PAPER, ["age"], repeats=2, seed=1)} == {"40", "50"}
    assert left_out([young], PAPER, ["age", "pronouns"])["worker: 30 × she"] == "too young"


def test_a_design_that_cannot_be_is_refused_with_what_to_type() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'pronouns'"):
        design([Scene("gift")], PAPER, ["pronoun"], repeats=1, seed=1)
    with pytest.raises(SettingError, match="name each factor once"):
        design([Scene("gift")], PAPER, ["age", "age"], repeats=1, seed=1)
    with pytest.raises(SettingError, match="--repeats 0"):
        design([Scene("gift")], PAPER, ["age"], repeats=0, seed=1)
    with pytest.raises(SettingError, match="No template says age"):
        design([], PAPER, ["age"], repeats=1, seed=1)
    with pytest.raises(SettingError, match="--limit 0"):
        limited(paper(), FOCAL, 0, seed=1)
