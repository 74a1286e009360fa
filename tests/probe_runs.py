"""A probe run made by hand, as measuring would have left it: for the tests of what is said of the groups."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from empathic import files
from empathic.probes import accuracy
from empathic.probes.measured import Measured
from empathic.probes.probe import Option, Probe
from empathic.probing import report
from empathic.records import Estimate, Response, Turn
from empathic.runs import Run

LEVELS = {"age": ("25", "45", "70"), "pronouns": ("he", "she", "they")}
RELIGIONS = ("none", "christian", "muslim")
REFERENCES = {"age": "45", "pronouns": "he", "religion": "none"}
KINDS = ("empathetic", "sympathetic", "affective", "indifferent", "distressed")
EVIL = "<script>alert(1)</script> & <img src=x onerror=alert(2)>"


def person(template: str, levels: dict[str, str], repeat: int, control: str | None = None) -> Probe:
    told = ",".join(f"{name}={level}" for name, level in levels.items())
    return Probe(
        id=f"{template}/{told}/{repeat}/{control or ''}", template=template, language="en", levels=levels,
        instruction="Answer.", context=f"Rowan is {levels['age']} years old. {levels['pronouns']} waited. {EVIL}",
        turns=(Turn(role="speaker", text="I cannot explain it."),),
        options=tuple(Option(kind=kind, text=kind) for kind in KINDS), repeat=repeat, control=control,
    )  # fmt: skip


def probes(templates: int = 8, repeats: int = 3) -> list[Probe]:
    found = []
    for template in range(templates):
        cells = list(itertools.product(*LEVELS.values()))
        for place, (cell, repeat) in enumerate(itertools.product(cells, range(repeats))):
            religion = RELIGIONS[(place + template + repeat) % 3]
            levels = {**dict(zip(LEVELS, cell, strict=True)), "religion": religion}
            found.append(person(f"scene-{template}", levels, repeat))
        found.append(person(f"scene-{template}", {**REFERENCES}, 0, "same prompt again"))
    return found


def measured(asked: list[Probe], *, system: str = "bot<1>", less: float = 0.0, seed: int = 1) -> list[Measured]:
    """Five orders of `ce`, lengths, refusals and distances; `less` understanding for people of 70 called they."""
    random, found = np.random.default_rng(seed), []
    for probe in asked:
        refused = random.random() < 0.05
        planted = probe.levels["age"] == "70" and probe.levels["pronouns"] == "they"

        def row(metric, value, probe=probe, **more):
            return Measured(
                system=system, probe=probe.id, template=probe.template, levels=probe.levels, metric=metric, value=value,
                control=probe.control, **more,
            )  # fmt: skip

        for order in range(5):
            right = random.random() < (0.85 - less * planted)
            chosen = int(random.integers(1, 5))
            if refused:
                found.append(
                    row(
                        "ce", None, missing="no answer was chosen: refusal", order=order, outcome="refusal", keyed=order
                    )
                )
                continue
            place = order if right else (order + chosen) % 5
            kind = KINDS[0 if right else chosen]
            found.append(row("ce", float(right), order=order, chosen=kind, position=place, keyed=order, outcome="ok"))
        answer = {"response": f"{system}:{probe.id}"}
        found.append(row("refusal", float(refused), **answer))
        found.append(row("role_break", 0.0, **answer))
        found.append(row("length", float(random.integers(20, 60)), **answer))
        found.append(row("ae.valence", float(abs(random.normal(0.2, 0.1))), **answer))
    return found


def responses(rows: list[Measured]) -> list[Response]:
    said = {each.response: each for each in rows if each.response is not None}
    return [
        Response(
            id=name, system=each.system, dialogue=each.probe, turns=(),
            text=f"That half is what you waited for, {each.levels['pronouns']} of {each.levels['age']}. {EVIL}",
        )
        for name, each in said.items()
    ]  # fmt: skip


def folder(
    path: Path, *, less: float = 0.0, templates: int = 8, repeats: int = 3, systems: tuple[str, ...] = ("bot<1>",)
) -> Run:
    """A run folder up to and without the analysis."""
    run, asked = Run(path), probes(templates, repeats)
    path.mkdir(parents=True, exist_ok=True)
    rows = [each for system in systems for each in measured(asked, system=system, less=less)]
    files.write_lines(run.path("probes.jsonl"), asked)
    files.write_lines(run.path("measured.jsonl"), rows)
    files.write_lines(run.path("responses.jsonl"), responses(rows))
    design = {"repeats": repeats, "orders": 5, "language": "en"}
    run.finish("sample", outputs=["probes.jsonl"], settings={"design": design, "left out": {"x": "why"}}, seed=1)
    return run


def first(run: Run) -> list[Estimate]:
    """What measuring itself estimates: kept as it is when groups are analysed again."""
    rows = list(files.read_lines(run.path("measured.jsonl"), Measured))
    return accuracy.estimates(rows)


def analysed(run: Run, **changes: object) -> list[Estimate]:
    """The analysis as the end of `empathic probe run` makes it."""
    return report.write(
        run, list(files.read_lines(run.path("measured.jsonl"), Measured)), first(run),
        probes=list(files.read_lines(run.path("probes.jsonl"), Probe)), references=REFERENCES,
        focal=["age", "pronouns"], seed=1, **{"draws": 199, **changes},
    )  # fmt: skip
