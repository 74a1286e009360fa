"""Several models, repeats and subjects: nothing is asked twice, nothing is written twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from empathic import files, registry
from empathic.contracts import Subject
from empathic.errors import InputError, ServiceError, SettingError
from empathic.judges.judge import Settings
from empathic.judges.panel import RATINGS, Outcome, Plan, check, merge, run_stage
from empathic.records import Instrument, Rating, Turn
from empathic.runs import Run

Make = Callable[..., Any]


def subjects(count: int) -> list[Subject]:
    turns = (Turn(role="speaker", text="I failed."), Turn(role="listener", text="I am sorry."))
    return [Subject(target=f"t{place}", turns=turns, rated=(1,), system="kind") for place in range(count)]


@pytest.fixture
def plan(short: Instrument, model: Make, fill: Make) -> Callable[..., Plan]:
    def make(*models: object, **other: object) -> Plan:
        prompt = registry.find("prompt", "judge-observer").thing
        given = {"subjects": subjects(3), "settings": Settings(), "instrument": short, "prompt": prompt, **other}
        return Plan(models=models or (model(fill(1)),), **given)

    return make


def run(plan: Plan, folder: Path) -> list[Outcome]:
    return asyncio.run(run_stage(plan, Run(folder)))


def written(folder: Path) -> list[Rating]:
    return list(files.read_lines(folder / RATINGS, Rating))


def test_a_panel_of_two_models_with_two_repeats_rates_everything_once(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    one, other = model(fill(1), "p/one"), model(fill(2), "p/other")
    outcomes = run(plan(one, other, repeats=2, settings=Settings(permute=True)), tmp_path)
    found = written(tmp_path)
    keys = {(each.rater, each.item, each.target) for each in found}
    assert len(found) == len(keys) == 2 * 2 * 3 * 3
    assert {each.rater for each in found} == {f"judge:p/{name}#{k}" for name in ("one", "other") for k in (0, 1)}
    assert [(each.judge, each.calls, each.ratings, each.missing) for each in outcomes] == [
        ("p/one", 6, 18, 0),
        ("p/other", 6, 18, 0),
    ]
    stage = Run(tmp_path).stage("judge")
    assert stage is not None and stage.settings["repeats"] == 2 and list(stage.outputs) == [RATINGS]


def test_the_same_command_again_asks_nothing_checks_nothing_and_writes_the_same(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    first, second = model(fill(1)), model(fill(1))
    run(plan(first), tmp_path)
    before = (tmp_path / RATINGS).read_bytes()
    outcomes = run(plan(second), tmp_path)
    assert (first.checks, second.checks, second.calls) == (1, 0, [])
    assert outcomes[0].calls == 0
    assert (tmp_path / RATINGS).read_bytes() == before


def test_a_run_that_broke_off_goes_on_with_what_is_missing(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    def breaks(messages: object, sampling: object) -> str:
        if len(broken.calls) > 2:
            raise RuntimeError("the machine stopped")
        text: str = fill(1)(messages, sampling)
        return text

    broken, whole = model(breaks), model(fill(1))
    with pytest.raises(ExceptionGroup):
        run(plan(broken, subjects=subjects(6), max_connections=1), tmp_path)
    assert not (tmp_path / RATINGS).exists()
    run(plan(whole, subjects=subjects(6), max_connections=1), tmp_path)
    assert len(broken.calls) - 1 + len(whole.calls) == 6
    assert len(written(tmp_path)) == 18


def test_unreadable_answers_are_counted_by_their_reason(plan: Callable[..., Plan], model: Make, tmp_path: Path) -> None:
    (outcome,) = run(plan(model(lambda *_: "no")), tmp_path)
    assert (outcome.missing, outcome.asked_again, outcome.calls) == (9, 3, 9)
    assert outcome.reasons == {"the answer holds no JSON object": 9}
    assert {each.raw for each in written(tmp_path)} == {"no"}


def test_a_server_that_failed_is_asked_again_by_the_next_run(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    down = model(lambda *_: None)
    original = down.complete

    async def transient(*given: Any) -> Any:
        return msgspec.structs.replace(await original(*given), transient=True)

    down.complete = transient
    run(plan(down), tmp_path)
    assert {each.missing for each in written(tmp_path)} == {"no answer: the server did not answer"}
    (outcome,) = run(plan(model(fill(2))), tmp_path)
    assert outcome.calls == 3 and outcome.missing == 0
    assert [each.value for each in written(tmp_path)] == [2.0] * 9


def test_sheets_filled_with_one_score_and_answers_of_the_judges_own_model_are_counted(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    mixed, alike = model(fill({"er": 1, "ip": 0, "ex": 1}), "p/mixed"), model(fill(1), "p/alike")
    own = [msgspec.structs.replace(each, system="p/alike+vanilla") for each in subjects(3)[:2]]
    first, second = run(plan(mixed, alike, subjects=[*own, *subjects(3)[2:]]), tmp_path)
    assert (first.alike, second.alike) == (0, 3)
    assert (first.own, second.own) == (0, 2)


def test_ratings_of_others_in_the_folder_stay(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    person = Rating(rater="human:a", instrument="epitome", item="er", target="t0", value=1.0)
    files.write_lines(tmp_path / RATINGS, [person])
    run(plan(model(fill(1), "p/one")), tmp_path)
    run(plan(model(fill(2), "p/two")), tmp_path)
    found = written(tmp_path)
    assert found[0] == person and len(found) == 1 + 9 + 9


def test_a_judge_asked_in_another_way_replaces_its_own_ratings(tmp_path: Path) -> None:
    def rating(target: str, signature: str) -> Rating:
        made = Rating(rater="judge:m#0", instrument="i", item="x", target=target, value=1.0)
        return msgspec.structs.replace(made, metadata={"signature": signature})

    path = tmp_path / RATINGS
    files.write_lines(path, [rating("a", "old"), rating("b", "old")])
    assert merge(path, [rating("a", "new")]) == [rating("a", "new")]
    files.write_lines(path, [rating("a", "same"), rating("b", "same")])
    assert merge(path, [rating("a", "same")]) == [rating("b", "same"), rating("a", "same")]


def test_a_judge_that_cannot_be_used_ends_in_one_error_before_anything_is_asked(
    plan: Callable[..., Plan], model: Make, fill: Make, tmp_path: Path
) -> None:
    good, bad = model(fill(1), "p/good"), model(fill(1), "p/bad")

    async def refuse() -> None:
        raise ServiceError("p/bad has no key")

    bad.check = refuse
    with pytest.raises(ServiceError, match="no key"):
        run(plan(good, bad), tmp_path)
    assert good.calls == []


def test_plans_that_cannot_mean_what_they_say_are_refused(plan: Callable[..., Plan], model: Make, fill: Make) -> None:
    with pytest.raises(SettingError, match="times the same answer. Add --permute"):
        check(plan(repeats=3))
    check(plan(repeats=3, settings=Settings(temperature=0.7)))
    with pytest.raises(SettingError, match="given twice"):
        check(plan(model(fill(1)), model(fill(1))))
    with pytest.raises(SettingError, match="1 or more"):
        check(plan(repeats=0))
    with pytest.raises(InputError, match="nothing to judge"):
        check(plan(subjects=[]))
    with pytest.raises(InputError, match="have the id 't0'"):
        check(plan(subjects=[*subjects(1), *subjects(1)]))


def test_two_processes_cannot_judge_into_one_folder(plan: Callable[..., Plan], tmp_path: Path) -> None:
    with Run(tmp_path).alone("judge"), pytest.raises(SettingError, match="Another process is at the stage 'judge'"):
        run(plan(), tmp_path)
