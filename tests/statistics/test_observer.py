from __future__ import annotations

import numpy as np
import pytest

from empathic.records import Rating
from empathic.statistics.analysis import Analysis, collect
from empathic.statistics.observer import observer, ratings_table


def ratings(seed: int, *, raters: int = 6, responses: int = 24, seen: float = 1.0) -> list[Rating]:
    rng = np.random.default_rng(seed)
    worth, mild = rng.normal(0, 0.8, responses), rng.normal(0, 0.3, raters)
    rows = []
    for rater in range(raters):
        for response in range(responses):
            system = "new" if response % 2 else "old"
            latent = 3 + worth[response] + mild[rater] + (0.9 if system == "new" else 0) + rng.normal(0, 0.6)
            value = float(np.clip(np.round(latent), 1, 5))
            if rng.uniform() < seen:
                rows.append(
                    Rating(
                        rater=f"r{rater}", instrument="i", item="x", target=f"t{response}", value=value, system=system
                    )
                )
    return rows


def rating(rater: str, target: str, value: float, system: str) -> Rating:
    return Rating(rater=rater, instrument="i", item="x", target=target, value=value, system=system)


def by_name(found: Analysis) -> dict[str, float | None]:
    return {one.name: one.value for one in found.estimates}


def test_agreement_stands_first_then_the_mixed_models() -> None:
    found = observer(collect(ratings(1))[0], 1)
    assert found.estimates[0].name == "Krippendorff's α"
    assert found.estimates[0].value is not None and found.estimates[0].value > 0.3
    assert "raters for reliability ≥ 0.8" in by_name(found)
    assert "ICC(2,k)" in by_name(found)
    assert {one.method.split(".")[0] for one in found.estimates} >= {"linear_mixed_reml", "ordinal_mixed_laplace"}
    assert found.published[0].method.startswith("one_way")


def test_the_published_style_takes_ratings_as_independent_and_is_more_certain() -> None:
    found = observer(collect(ratings(2))[0], 1)
    mixed = next(one for one in found.estimates if one.method == "linear_mixed_reml.v1" and "baseline" in one.labels)
    naive = next(one for one in found.published if "baseline" in one.labels)
    assert mixed.p is not None and naive.p is not None and naive.p < mixed.p


def test_gaps_leave_alpha_and_drop_the_icc() -> None:
    found = observer(collect(ratings(3, seen=0.6))[0], 1)
    assert found.estimates[0].value is not None
    assert "ICC(2,k)" not in by_name(found)


def test_responses_rated_once_leave_the_raters_as_the_random_part() -> None:
    once = [rating(f"r{n % 5}", f"t{n}", float(n % 3 + n % 2), "new" if n % 2 else "old") for n in range(40)]
    found = observer(collect(once)[0], 1)
    mixed = next(one for one in found.estimates if one.method == "linear_mixed_reml.v1" and "baseline" in one.labels)
    assert mixed.value is not None
    assert found.estimates[0].missing == "no unit was rated by two raters"


def test_a_rater_who_never_distinguishes_is_named() -> None:
    flat = [
        Rating(rater="flat", instrument="i", item="x", target=f"t{n}", value=3.0, system="new" if n % 2 else "old")
        for n in range(24)
    ]
    verdicts = {one.name: one for one in observer(collect(ratings(4) + flat)[0], 1).assumptions}
    assert verdicts["raters distinguish"].holds is False
    assert "flat" in verdicts["raters distinguish"].text


def test_the_table_averages_what_a_rater_said_twice() -> None:
    row = Rating(rater="r", instrument="i", item="x", target="t", value=1.0, system="s")
    other = Rating(rater="r", instrument="i", item="x", target="t", value=3.0, system="s")
    assert ratings_table(collect([row, other])[0]).tolist() == [[2.0]]


@pytest.mark.parametrize(
    "rows",
    [
        [one for one in ratings(5) if one.rater == "r1"],
        [
            Rating(rater=f"r{n}", instrument="i", item="x", target=f"t{n}", value=float(n % 3), system="s")
            for n in range(6)
        ],
        [Rating(rater=f"r{n}", instrument="i", item="x", target="t", value=2.0, system="s") for n in range(6)],
    ],
    ids=["one rater", "no overlap and one system", "all equal"],
)
def test_degenerate_studies_have_no_agreement_but_a_reason(rows: list[Rating]) -> None:
    found = observer(collect(rows)[0], 1)
    assert found.estimates[0].value is None and found.estimates[0].missing
    assert all(one.value is not None or one.missing for one in (*found.estimates, *found.published))
