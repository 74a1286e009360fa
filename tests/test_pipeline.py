from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from empathic import files, pipeline
from empathic.errors import InputError
from empathic.metrics import Choice, Plan, engines
from empathic.pipeline import Source
from empathic.records import Response, Turn
from empathic.runs import Run

PLAN = Plan(choices=(Choice(asked="length"), Choice(asked="distinct")), tokens="ptb")


def responses(system: str) -> list[Response]:
    return [
        Response(
            id=f"{system}-{place}", system=system, dialogue=f"d{place}", text="word " * (place % 5 + len(system)),
            turns=(Turn(role="speaker", text="Hello"),),
        )
        for place in range(20)
    ]  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "bot_responses.jsonl"
    files.write_lines(path, [*responses("a"), *responses("bb")])
    return path


def steps(run: Run, source: Path, seed: int = 1) -> list[pipeline.Step]:
    return [
        pipeline.collect(run, [Source(source)]),
        pipeline.score(run, PLAN, engines.serial),
        pipeline.analyze(run, seed=seed, draws=100, reference="a"),
    ]


def test_the_stages_run_in_order_and_leave_their_files(tmp_path: Path, source: Path) -> None:
    run = Run(tmp_path / "run")
    assert pipeline.carry_out(run, steps(run, source)) == ["collect", "score", "analyze"]
    assert pipeline.system_names(run) == ["a", "bb"]
    assert len(pipeline.read_estimates(run)) > 0
    run.check()


def test_a_stage_whose_inputs_and_settings_are_as_before_is_not_done_again(tmp_path: Path, source: Path) -> None:
    run = Run(tmp_path / "run")
    pipeline.carry_out(run, steps(run, source))
    assert pipeline.carry_out(run, steps(run, source)) == []
    assert pipeline.carry_out(run, steps(run, source, seed=2)) == ["analyze"]


def test_a_changed_input_redoes_what_depends_on_it(tmp_path: Path, source: Path) -> None:
    run = Run(tmp_path / "run")
    pipeline.carry_out(run, steps(run, source))
    files.write_lines(source, [*responses("a"), *responses("ccc")])
    assert pipeline.carry_out(run, steps(run, source)) == ["collect", "score", "analyze"]
    assert pipeline.system_names(run) == ["a", "ccc"]


def test_a_lost_or_changed_output_is_made_again(tmp_path: Path, source: Path) -> None:
    run = Run(tmp_path / "run")
    pipeline.carry_out(run, steps(run, source))
    before = run.path(pipeline.ESTIMATES).read_bytes()
    run.path(pipeline.ESTIMATES).unlink()
    assert pipeline.carry_out(run, steps(run, source)) == ["analyze"]
    assert run.path(pipeline.ESTIMATES).read_bytes() == before


def test_a_run_stopped_in_a_stage_goes_on_there(tmp_path: Path, source: Path) -> None:
    run, whole = Run(tmp_path / "run"), Run(tmp_path / "whole")

    def crash() -> None:
        raise KeyboardInterrupt

    collected, scored, analyzed = steps(run, source)
    with pytest.raises(KeyboardInterrupt):
        pipeline.carry_out(run, [collected, scored._replace(work=crash), analyzed])
    assert pipeline.carry_out(run, steps(run, source)) == ["score", "analyze"]
    pipeline.carry_out(whole, steps(whole, source))
    for name in ("scores.parquet", "scores.json", "estimates.json"):
        assert run.path(name).read_bytes() == whole.path(name).read_bytes()


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path, source: Path) -> None:
    one, two = Run(tmp_path / "one"), Run(tmp_path / "two")
    pipeline.carry_out(one, [pipeline.collect(one, [Source(source)]), pipeline.score(one, PLAN, engines.serial)])
    engine = partial(engines.pool, workers=2)
    pipeline.carry_out(two, [pipeline.collect(two, [Source(source)]), pipeline.score(two, PLAN, engine)])
    assert one.path("scores.parquet").read_bytes() == two.path("scores.parquet").read_bytes()


def test_a_named_file_gives_its_responses_that_system(tmp_path: Path, source: Path) -> None:
    found = list(pipeline.read_responses([Source(source, "mine")]))
    assert {each.system for each in found} == {"mine"}


def test_a_file_without_responses_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dialogues.jsonl"
    path.write_text('{"id":"d1","turns":[{"role":"speaker","text":"Hello"}]}\n')
    with pytest.raises(InputError, match="holds no responses"):
        list(pipeline.read_responses([Source(path)]))


def test_what_is_done_is_told(tmp_path: Path, source: Path) -> None:
    run, said = Run(tmp_path / "run"), []
    pipeline.carry_out(run, steps(run, source), watch=said.append)
    pipeline.carry_out(run, steps(run, source), watch=said.append)
    assert said[:3] == ["collect", "score", "analyze"]
    assert said[3] == "collect: nothing changed"
