"""The stages of an evaluation in order: responses → scores → estimates → report, in one run folder.

A stage is skipped when its settings and everything it reads are as they were when it last finished, and done anew
otherwise; its files are declared in the manifest only when they are whole. So any stage can be redone alone, and a run
that was killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from empathic import datasets, files, metrics, profile
from empathic.errors import InputError
from empathic.metrics.references import References
from empathic.metrics.run import SUMMARY, TABLE, Engine
from empathic.metrics.scoring import Plan
from empathic.rated import RATINGS
from empathic.records import Estimate, Json, Response
from empathic.runs import Run, Stage

RESPONSES, ESTIMATES, REPORT = "responses.jsonl", "estimates.json", "report.html"
Watch = Callable[[str], None]


class Step(NamedTuple):
    """One stage: what it reads and writes in the run folder, what decides it, and the work."""

    name: str
    inputs: Sequence[Path]
    outputs: Sequence[str]
    settings: Json
    work: Callable[[], None]


class Source(NamedTuple):
    """A file of responses and the system it is of, if the user names it."""

    path: Path
    system: str | None = None


def carry_out(run: Run, steps: Iterable[Step], *, watch: Watch = lambda text: None) -> list[str]:
    """Do every step that is not done yet; returns the names of those that were."""
    done = []
    for step in steps:
        if is_done(run, step):
            watch(f"{step.name}: nothing changed")
            continue
        watch(step.name)
        step.work()
        read = [path for path in step.inputs if path.is_file()]  # ratings may be there or not
        run.finish(step.name, outputs=step.outputs, inputs=read, settings=step.settings)
        done.append(step.name)
    return done


def is_done(run: Run, step: Step) -> bool:
    """Whether the step finished with these settings on these inputs, and its files are still as it left them."""
    before = run.stage(step.name)
    if before is None or files.content_hash(before.settings) != files.content_hash(step.settings):
        return False
    return before.inputs == _hashes(step.inputs) and _intact(run, before)


def collect(run: Run, sources: Sequence[Source], format_: str | None = None) -> Step:
    """Responses that exist already, brought together in one file; nothing is ever generated."""

    def work() -> None:
        files.write_lines(run.path(RESPONSES), read_responses(sources, format_))

    named = {str(source.path): source.system for source in sources}
    settings = {"systems": named, "format": format_}
    return Step("collect", [source.path for source in sources], [RESPONSES], settings, work)


def read_responses(sources: Sequence[Source], format_: str | None = None) -> Iterator[Response]:
    """The responses of all files, each with its system: as named, as the file says, or the file's own name."""
    for source in sources:
        stem, found = source.path.name.split(".")[0].removesuffix("_responses"), False
        for record in datasets.read(source.path, format_, system=source.system or stem):
            if isinstance(record, Response):
                found = True
                yield record if source.system is None else msgspec.structs.replace(record, system=source.system)
        if not found:
            raise InputError("holds no responses; `empathic convert --help` tells what can be read", path=source.path)


def score(
    run: Run,
    plan: Plan,
    engine: Engine,
    *,
    reference: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Step:
    """Scores of all responses; the reference system's answers are what overlap is measured against."""
    path = run.path(RESPONSES)

    def work() -> None:
        metrics.score(_referred(path, reference), plan, run.folder, engine=engine, progress=progress)

    settings = {"plan": msgspec.to_builtins(plan), "reference": reference}
    return Step("score", [path], [TABLE, SUMMARY], settings, work)


def analyze(run: Run, *, seed: int, draws: int, reference: str | None, watch: Watch = lambda text: None) -> Step:
    """The profile, the comparisons, the groups."""

    def work() -> None:
        found = profile.analyse(run.folder, seed=seed, draws=draws, reference=reference, watch=watch)
        files.write_json(run.path(ESTIMATES), found)

    inputs = [run.path(name) for name in (RESPONSES, TABLE, SUMMARY, RATINGS)]
    return Step("analyze", inputs, [ESTIMATES], {"seed": seed, "draws": draws, "reference": reference}, work)


def report(run: Run, write: Callable[[], None]) -> Step:
    """The page people read; `write` makes it from the run's files."""
    inputs = [run.path(name) for name in (RESPONSES, TABLE, SUMMARY, ESTIMATES)]
    return Step("report", inputs, [REPORT], {}, write)


def system_names(run: Run) -> list[str]:
    """The systems that answered, in the order of their first response."""
    return list(dict.fromkeys(each.system for each in files.read_lines(run.path(RESPONSES), Response)))


def reference_of(run: Run) -> str | None:
    """The system that stands for people, if there is one."""
    return next((name for name in system_names(run) if name == "human" or name.startswith("human/")), None)


def read_estimates(run: Run) -> list[Estimate]:
    """What `analyze` wrote."""
    return files.read_json(run.path(ESTIMATES), list[Estimate])


def _referred(path: Path, reference: str | None) -> Iterator[Response]:
    responses = files.read_lines(path, Response)
    if reference is None:
        return responses
    own = (each for each in files.read_lines(path, Response) if each.system == reference)
    return References(own).attach(responses, reference)


def _hashes(paths: Sequence[Path]) -> dict[str, str]:
    return {str(path): files.sha256(path) for path in paths if path.is_file()}


def _intact(run: Run, stage: Stage) -> bool:
    return all(
        run.path(name).is_file() and files.sha256(run.path(name)) == digest for name, digest in stage.outputs.items()
    )
