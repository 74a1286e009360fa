"""A design and systems become the files of a probe run, stage by stage; what was finished is not done again.

manifest.json  probes.jsonl  dialogues.jsonl  responses.jsonl  measured.jsonl  estimates.json  report.html
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from empathic import files, generation
from empathic.cache import Store
from empathic.contracts import Reply, System
from empathic.generation.engine import request_keys
from empathic.generation.stage import REPLIES
from empathic.probes import accuracy, agreement, measuring, neutrality
from empathic.probes.asking import Asking
from empathic.probes.letters import Place
from empathic.probes.measured import Measured
from empathic.probes.probe import Probe
from empathic.probing import likely, report
from empathic.probing.design import Design
from empathic.probing.scoring import FreeAnswers
from empathic.records import Estimate, Response
from empathic.runs import Run

PROBES, RESPONSES, MEASURED, ESTIMATES = "probes.jsonl", "responses.jsonl", "measured.jsonl", "estimates.json"


def sample(design: Design, run: Run) -> None:
    """Write the probes; the manifest keeps the settings and the hashes of templates and factors."""
    with run.alone("sample"):
        files.write_lines(run.path(PROBES), design.probes)
        settings = {
            "design": files.to_builtins(design.settings),
            "templates": {template.id: files.content_hash(template) for template in design.templates},
            "factors": files.content_hash(design.factors),
            "left out": design.left_out,
        }
        run.finish("sample", outputs=[PROBES], settings=settings, seed=design.settings.seed)


def plan(
    design: Design, systems: Sequence[System], *, max_connections: int = 16, deadline: float = 600.0
) -> generation.Plan:
    """What the engine is to ask."""
    return generation.Plan(
        systems=systems,
        dialogues=design.questions,
        procedure=Asking(),
        max_connections=max_connections,
        deadline=deadline,
    )


async def ask(
    planned: generation.Plan,
    run: Run,
    *,
    shared: Store | None = None,
    watch: Callable[[generation.Progress], None] = lambda progress: None,
) -> list[generation.Outcome]:
    """Let the systems answer what they have not answered yet."""
    return await generation.run_stage(planned, run, shared=shared, watch=watch)


def measure(
    design: Design, systems: Sequence[System], run: Run, scorer: FreeAnswers, *, likelihood: str | None = None
) -> list[Measured]:
    """Measure the responses in the folder; `likelihood` names a local model that is asked how likely it finds answers."""
    with run.alone("measure"), _tokens(systems, run) as tokens:
        probes = {probe.id: probe for probe in design.probes}
        given = list(measuring.answers(files.read_lines(run.path(RESPONSES), Response), probes))
        found = measuring.measure(given, score=scorer, tokens=tokens)
        if likelihood is not None:
            found += likely.measure(design.probes, likely.find(likelihood), likelihood, run)
        files.write_lines(run.path(MEASURED), found)
        inputs = [run.path(PROBES), run.path(RESPONSES)]
        run.finish("measure", outputs=[MEASURED], inputs=inputs, settings={"signatures": scorer.signatures()})
        return found


def analyze(
    design: Design, measured: Sequence[Measured], run: Run, scorer: FreeAnswers, *, draws: int = 4999
) -> list[Estimate]:
    """What the measured values say of reading, of the metrics themselves and of the groups; estimates and report."""
    with run.alone("analyze"):
        found = [
            *accuracy.estimates(measured),
            *agreement.estimates(measured),
            *neutrality.shifts(list(design.pairs()), scorer),
        ]
        estimates = report.write(
            run,
            measured,
            found,
            probes=design.probes,
            references={name: factor.reference for name, factor in design.factors.items()},
            focal=design.settings.focal,
            excepted=design.excepted,
            seed=design.settings.seed,
            draws=draws,
        )
        report.page(run)
        return estimates


@contextlib.contextmanager
def _tokens(systems: Sequence[System], run: Run) -> Iterator[measuring.Tokens]:
    """Looks the log-probabilities of a response up in the store of replies."""
    keys = {system.name: request_keys(system) for system in systems}
    procedure = Asking()
    with contextlib.closing(Store(run.path(REPLIES))) as store:

        def look_up(response: Response) -> Sequence[Place] | None:
            request = procedure.request_of(response)
            reply = store.get(keys[response.system].key(request), Reply)
            return None if reply is None else reply.logprobs

        yield look_up


def read_measured(run: Run) -> list[Measured]:
    """The measured values in a run folder."""
    return list(files.read_lines(run.path(MEASURED), Measured))


def read_probes(run: Run) -> list[Probe]:
    """The probes in a run folder."""
    return list(files.read_lines(run.path(PROBES), Probe))
