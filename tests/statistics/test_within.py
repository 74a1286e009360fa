from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic import datasets
from empathic.records import Rating
from empathic.statistics.analysis import Analysis, collect
from empathic.statistics.within import cell_means, within


def ratings(seed: int, *, raters: int = 40, conditions: tuple[str | None, ...] = (None,)) -> list[Rating]:
    rng = np.random.default_rng(seed)
    means = {"a": 2.6, "b": 2.0, "c": 1.8}
    return [
        Rating(
            rater=f"r{number}",
            instrument="i",
            item="warm",
            target=f"{system}-{condition}",
            value=float(np.clip(np.round(mean + rng.normal()), 1, 3)),
            system=system,
            condition=condition,
        )
        for number in range(raters)
        for system, mean in means.items()
        for condition in conditions
    ]


def names(found: Analysis) -> set[str]:
    return {one.name for one in found.estimates}


def test_one_condition_has_one_effect_and_all_pairs() -> None:
    found = within(collect(ratings(1))[0], 1)
    assert {"effect of system", "a − b", "a − c", "b − c", "Kendall's W"} <= names(found)
    assert not any("condition" in name for name in names(found))
    assert all(one.signature and (one.value is not None or one.missing) for one in found.estimates)


def test_two_conditions_bring_the_interaction_and_its_direct_contrasts() -> None:
    found = within(collect(ratings(2, conditions=("p", "n")))[0], 1)
    assert {"effect of system:condition", "(a − b): p − n", "Kendall's W (p)", "Kendall's W (n)"} <= names(found)


def test_the_careful_result_of_ieval_stands_first_and_the_published_one_after_it(shared: Path) -> None:
    path = shared / "data" / "ieval2022" / "ieval_data.json"
    records = (one for one in datasets.read(path, "ieval") if isinstance(one, Rating))
    found = within(collect(records, items=["empathy"])[0], 1)
    own = {one.labels.get("term"): one for one in found.estimates[:3]}
    assert own["condition"].statistic == pytest.approx(11.321259, abs=1e-5)
    art = [one for one in found.published if one.method == "art.v1"]
    assert [one.statistic for one in art] == pytest.approx([257.923463, 43.172617, 9.800874], abs=1e-6)
    verdicts = {one.name: one.holds for one in found.assumptions}
    assert verdicts["few ties"] is False
    assert verdicts["enough raters"] is True
    assert verdicts["sphericity of system"] is False


def test_a_rater_who_lacks_a_system_is_left_out_by_name() -> None:
    found = within(collect(ratings(3)[1:])[0], 1)
    assert [(one.rule, one.ids) for one in found.exclusions] == [("lacks a rating of a system or condition", ("r0",))]
    assert found.estimates[0].n == 39


def test_several_ratings_of_a_cell_are_averaged() -> None:
    twice = ratings(4) + ratings(5)
    cells = cell_means(collect(twice)[0])
    first = [one.value for one in twice if one.rater == "r0" and one.system == "a"]
    assert cells.values[0, 0, 0] == pytest.approx(np.mean(first))


@pytest.mark.parametrize(
    "rows",
    [
        [one for one in ratings(6) if one.system == "a"],
        [one for one in ratings(6) if one.rater == "r1"],
        [Rating(rater="r", instrument="i", item="x", target="t", value=2.0, system=name) for name in "ab"] * 3,
    ],
    ids=["one system", "one rater", "all equal"],
)
def test_degenerate_studies_have_missing_estimates_with_reasons(rows: list[Rating]) -> None:
    found = within(collect(rows)[0], 1)
    assert all(one.value is None and one.missing for one in found.estimates)
