"""What the desk tells of quality: numbers of the statistics room, flags that a hand can check."""

from __future__ import annotations

import itertools
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from empathic import datasets, registry
from empathic.cli import overseeing
from empathic.cli.desking import Overseer
from empathic.contracts import Flag, Oversight
from empathic.records import Instrument, Rater, Rating
from empathic.statistics.consistency import cronbach_alpha
from empathic.statistics.icc import icc


def instrument(name: str) -> Instrument:
    found: Instrument = registry.find("instrument", name).thing
    return found


def sheet(name: str, rater: str, target: str, values: dict[str, float], **more: object) -> list[Rating]:
    return [
        Rating(rater=rater, instrument=name, item=item, target=target, value=value, **more)  # type: ignore[arg-type]
        for item, value in values.items()
    ]


def filled(name: str, value: float, **changes: float) -> dict[str, float]:
    return {**{item.id: value for item in instrument(name).items}, **changes}


def flag(found: list[Flag], name: str) -> Flag:
    return next(each for each in found if each.name == name)


@pytest.fixture
def observed() -> list[Rating]:
    """Six transcripts, four raters who see all of them, answers that hang together."""
    rng, items = np.random.default_rng(1), [item.id for item in instrument("eshcc").items]
    found = []
    for target in range(6):
        for rater in range(4):
            level = 2 + target * 0.7 + rng.normal(0, 0.8)
            values = {item: float(np.clip(round(level + rng.normal(0, 0.6)), 1, 7)) for item in items}
            found += sheet("eshcc", f"human:{rater}", f"t{target}", values, system="ada", dialogue=f"t{target}")
    return found


def test_alpha_and_icc_are_those_of_other_libraries_and_of_the_room(observed: list[Rating]) -> None:
    found = overseeing.agreement([instrument("eshcc")], observed)
    by = {(each.name, each.labels["measure"]): each for each in found}
    table = np.array(
        [[each.value for each in observed if each.item == "warmth" and each.target == f"t{t}"] for t in range(6)]
    )
    alpha = by["Krippendorff’s α", "warmth"]
    assert alpha.value == pytest.approx(krippendorff.alpha(table.T, level_of_measurement="ordinal"))
    assert alpha.low is not None
    assert alpha.high is not None
    assert alpha.low < alpha.value < alpha.high
    assert alpha.n == 6
    cognitive = [item.id for item in instrument("eshcc").items if "cognitive" in item.components]
    sheets = np.array(
        [
            [
                next(e.value for e in observed if (e.target, e.rater, e.item) == (f"t{t}", f"human:{r}", i))
                for i in cognitive
            ]
            for t, r in itertools.product(range(6), range(4))
        ]
    )
    assert by["Cronbach’s α", "cognitive"].value == pytest.approx(cronbach_alpha(sheets).value)
    assert by["Cronbach’s α", "cognitive"].n == 24
    means = sheets.mean(axis=1).reshape(6, 4)
    assert by["ICC(2,1)", "cognitive"].value == pytest.approx(icc(means)[1].value)
    assert by["ICC(2,k)", "cognitive"].value == pytest.approx(icc(means)[4].value)


def test_raters_who_saw_different_things_get_the_one_way_icc(observed: list[Rating]) -> None:
    some = [each for each in observed if (int(each.rater[-1]) + int(each.target[-1])) % 4]
    found = overseeing.agreement([instrument("eshcc")], some)
    one = next(each for each in found if each.name == "ICC(1,1)" and each.labels["measure"] == "cognitive")
    assert (one.n, one.details["raters"]) == (6, 3)
    assert one.value is not None


def test_things_rated_once_have_no_agreement_and_say_so() -> None:
    ratings = [
        each
        for number in range(8)
        for each in sheet("bad-okay-good", f"human:{number}", f"r{number}", filled("bad-okay-good", 1.0), system="a")
    ]
    (alpha, *rest) = overseeing.agreement([instrument("bad-okay-good")], ratings)
    assert alpha.value is None
    assert alpha.missing is not None
    assert "two raters" in alpha.missing
    assert all(each.value is None for each in rest)


def test_chats_are_compared_by_bot_and_polarity_and_a_rater_s_own_sheet_only_by_its_items() -> None:
    rng = np.random.default_rng(2)
    ratings, table = [], np.zeros((4, 6))
    for rater in range(6):
        for place, (bot, polarity) in enumerate(itertools.product(("ada", "bob"), ("negative", "positive"))):
            values = {item.id: float(rng.integers(1, 6)) for item in instrument("ieval-likert").items}
            table[place, rater] = values["L"]
            about = {"system": bot, "condition": polarity, "metadata": {"scenario": f"{polarity} {rater}"}}
            ratings += sheet("ieval-likert", f"human:{rater}", f"{polarity}{rater}#{bot}", values, **about)
        own = {item.id: float(rng.integers(0, 5)) for item in instrument("teq").items}
        ratings += sheet("teq", f"human:{rater}", f"human:{rater}", own)
    found = overseeing.agreement([instrument("teq"), instrument("ieval-likert")], ratings)
    likert = {
        (each.name, each.labels["measure"]): each for each in found if each.labels["instrument"] == "ieval-likert"
    }
    alpha = likert["Krippendorff’s α", "L"]
    assert alpha.value == pytest.approx(krippendorff.alpha(table.T, level_of_measurement="ordinal"))
    assert (alpha.n, alpha.labels["unit"]) == (4, "bot and polarity (the chats differ)")
    assert likert["ICC(2,k)", "likable"].value == pytest.approx(icc(table)[4].value)
    teq = [each for each in found if each.labels["instrument"] == "teq"]
    assert [(each.name, each.n) for each in teq] == [("Cronbach’s α", 6)]


def test_no_answers_are_no_estimates_and_rules_that_catch_nobody() -> None:
    assert overseeing.agreement([instrument("teq")], []) == []
    found = overseeing.flags([instrument("teq")], [], [])
    assert [each.name for each in found] == ["failed attention checks", "too fast", "far below the median time"]
    assert not any(each.raters for each in found)


def test_failed_checks_and_haste_are_flagged_with_their_rule() -> None:
    raters = [Rater(id=f"human:{n}", traits={"minutes": 12.0, "checks_failed": []}) for n in range(11)]
    raters[3] = Rater(id="human:3", traits={"minutes": 2.0, "checks_failed": ["a", "b"]})
    ratings = []
    for number, rater in enumerate(raters):
        pace = 1.0 if number == 4 else 20.0
        ratings += sheet(
            "teq", rater.id, rater.id, filled("teq", 1.0, **{"1": float(number % 5)}), time="t", seconds=16 * pace
        )
    found = overseeing.flags([instrument("teq")], raters, ratings)
    assert flag(found, "failed attention checks").raters == ("human:3",)
    assert flag(found, "failed attention checks").counts == {"human:3": 2}
    assert flag(found, "too fast").raters == ("human:4",)
    assert flag(found, "far below the median time").raters == ("human:3",)
    assert all(each.rule for each in found)


def test_seconds_of_a_page_are_shared_by_its_answers() -> None:
    one_page = sheet("teq", "human:1", "human:1", filled("teq", 1.0), time="09:00", seconds=32.0)
    by_click = [
        Rating(
            rater="human:2", instrument="teq", item=each.item, target="human:2", value=1.0, time=str(place), seconds=2.0
        )
        for place, each in enumerate(one_page)
    ]
    assert overseeing.seconds_per_answer([*one_page, *by_click]) == {"human:1": 2.0, "human:2": 2.0}


def test_equal_sheets_straight_lines_and_contradictions_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    raters = [f"human:{number}" for number in range(12)]
    sheets = {rater: {item.id: float(rng.integers(0, 5)) for item in instrument("teq").items} for rater in raters}
    sheets["human:5"] = dict(sheets["human:2"])
    sheets["human:7"] = filled("teq", 4.0)
    ratings = [each for rater, values in sheets.items() for each in sheet("teq", rater, rater, values)]
    found = overseeing.flags([instrument("teq")], [], ratings)
    equal = flag(found, "sheets equal to another's")
    assert equal.groups == (("human:2", "human:5"),)
    assert equal.by_chance is not None
    assert equal.by_chance.value is not None
    assert flag(found, "likely repeat workers").groups == (("human:2", "human:5"),)
    assert flag(found, "straight-lining").raters == ("human:7",)
    assert "human:7" in flag(found, "contradictory reversed items").raters
    assert flag(found, "contradictory reversed items").rule.startswith("the means of the plain")


def test_twins_that_are_both_agreed_with_are_contradictory() -> None:
    answers = filled("ieval-likert", 3.0, **{"P": 5.0, "^P": 5.0, "A": 4.0, "^A": 2.0})
    honest = filled("ieval-likert", 3.0, **{"P": 5.0, "^P": 1.0, "A": 1.0, "^A": 5.0})
    ratings = sheet("ieval-likert", "human:1", "c1", answers, system="ada") + sheet(
        "ieval-likert", "human:2", "c2", honest, system="ada"
    )
    found = flag(overseeing.flags([instrument("ieval-likert")], [], ratings), "contradictory reversed items")
    assert found.raters == ("human:1",)
    assert found.share is not None
    assert (found.share.n, found.share.details["count"]) == (4, 1)


def test_one_answer_to_everything_is_a_straight_line_from_five_things_on() -> None:
    def given(rater: str, values: list[float]) -> list[Rating]:
        return [
            r
            for n, v in enumerate(values)
            for r in sheet("bad-okay-good", rater, f"r{n}", filled("bad-okay-good", v), system="a")
        ]

    ratings = given("human:1", [2.0] * 5) + given("human:2", [2.0] * 4) + given("human:3", [2.0, 2.0, 2.0, 2.0, 1.0])
    found = flag(overseeing.flags([instrument("bad-okay-good")], [], ratings), "straight-lining")
    assert found.raters == ("human:1",)


def test_the_released_ieval_data_are_flagged_as_the_reference_says(shared: Path) -> None:
    """Svikhnushina et al. (2022): 117 of 240 tasks contradict themselves, 36 share a TEQ sheet in 16 groups; the
    reliability of the pairs EU/ER and A/S is .935 and .918 (Spearman–Brown)."""
    source = shared / "data" / "ieval2022" / "ieval_data.json"
    ratings = [each for each in datasets.read(source, "ieval") if isinstance(each, Rating)]
    used = [instrument(name) for name in ("teq", "ieval-likert")]
    found = overseeing.flags(used, [], ratings)
    twins = [each for each in found if each.name == "contradictory reversed items" and "iEval" in each.about]
    assert len(twins[0].raters) == 117
    equal = flag(found, "sheets equal to another's")
    assert (len(equal.raters), len(equal.groups)) == (36, 16)
    own = [each for each in ratings if each.instrument == "ieval-likert"]
    by = {
        each.labels["measure"]: each
        for each in overseeing.agreement([instrument("ieval-likert")], own)
        if "Cron" in each.name
    }
    assert by["empathetic"].value == pytest.approx(0.935, abs=0.0005)
    assert by["making_sense"].value == pytest.approx(0.918, abs=0.0005)


def test_the_overseer_of_the_command_line_asks_the_same(observed: list[Rating]) -> None:
    overseer = Overseer()
    assert isinstance(overseer, Oversight)
    assert overseer.agreement([instrument("eshcc")], observed) == overseeing.agreement([instrument("eshcc")], observed)
    assert overseer.flags([instrument("eshcc")], [], observed) == overseeing.flags([instrument("eshcc")], [], observed)
