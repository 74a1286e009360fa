"""A probe run's measured values become estimates.json and report.html: what is said of the groups, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from empathic import files, reports
from empathic.errors import InputError
from empathic.probes.measured import Measured
from empathic.probes.probe import Probe
from empathic.probes.sampling import Draw, associations
from empathic.probing import analysis
from empathic.probing.analysis import Settings
from empathic.probing.examples import parts
from empathic.records import Estimate, Response
from empathic.reports import Named, ProbeMaterial
from empathic.runs import Run

PROBES, RESPONSES, MEASURED, ESTIMATES = "probes.jsonl", "responses.jsonl", "measured.jsonl", "estimates.json"
REPORT, STAGE = "report.html", "analyze"
WORDS = Path(__file__).with_name("words.toml")


def write(
    run: Run,
    measured: Sequence[Measured],
    first: Sequence[Estimate],
    *,
    probes: Sequence[Probe],
    references: Mapping[str, str],
    focal: Sequence[str],
    seed: int,
    excepted: Mapping[str, Sequence[str]] | None = None,
    margins: Mapping[str, float] | None = None,
    alpha: float = 0.05,
    draws: int = 4999,
) -> list[Estimate]:
    """Write the estimates of a run; `first` are those of the measuring itself, `references` the level by factor."""
    there = any(each.control is None for each in measured)
    chosen = Settings(
        references=analysis.references(measured, references),
        crossed=tuple(focal), margins=dict(margins or {}), alpha=alpha, draws=draws, seed=seed,
        excepted={factor: tuple(templates) for factor, templates in (excepted or {}).items()},
    )  # fmt: skip
    found = [*first, *(analysis.analyze(measured, chosen) if there else ())]
    files.write_json(run.path(ESTIMATES), found)
    settings: dict[str, Any] = {"focal": list(focal), "probes": len(probes), "values": len(measured)}
    settings |= {"references": dict(references), "margins": chosen.margins, "alpha": alpha, "draws": draws}
    settings["excepted"] = chosen.excepted
    run.finish(STAGE, outputs=[ESTIMATES], inputs=[run.path(MEASURED)], settings=settings, seed=seed)
    return found


def again(
    run: Run, *, margins: Mapping[str, float] | None = None, focal: Sequence[str] = (), alpha: float = 0.05,
    draws: int = 4999, seed: int | None = None,
) -> list[Estimate]:  # fmt: skip
    """Analyse the measured values of a run anew, with other margins or factors of interest."""
    stage = _stage(run)
    with run.alone(STAGE):
        before = files.read_json(run.path(ESTIMATES), list[Estimate])
        first = [each for each in before if each.name not in analysis.NAMES]
        return write(
            run, list(files.read_lines(run.path(MEASURED), Measured)), first,
            probes=list(files.read_lines(run.path(PROBES), Probe)), references=stage.settings["references"],
            focal=tuple(focal) or tuple(stage.settings["focal"]), excepted=stage.settings.get("excepted"),
            margins=margins, alpha=alpha, draws=draws, seed=(stage.seed or 1) if seed is None else seed,
        )  # fmt: skip


def tested(run: Run) -> list[str]:
    """The measures of a run that are tested, for which a margin can be stated."""
    _stage(run)
    present = {each.metric for each in files.read_lines(run.path(MEASURED), Measured)}
    return sorted(metric for metric in present if not analysis.measure(metric).described)


def page(run: Run, path: Path | None = None, *, title: str = "") -> Path:
    """Write the report's page."""
    target = path or run.path(REPORT)
    with files.atomic(target) as stream:
        stream.write(reports.probe_page(material(run, title=title)).encode())
    return target


def material(run: Run, *, title: str = "") -> ProbeMaterial:
    """Everything the report of a probe run shows."""
    stage = _stage(run)
    estimates = files.read_json(run.path(ESTIMATES), list[Estimate])
    measured = list(files.read_lines(run.path(MEASURED), Measured))
    probes = list(files.read_lines(run.path(PROBES), Probe))
    there = run.path(RESPONSES).is_file()
    responses = list(files.read_lines(run.path(RESPONSES), Response)) if there else []
    known = analysis.measures()
    return ProbeMaterial(
        title=title or f"Who is understood? {run.folder.name}",
        parts=parts(estimates, measured, probes, responses),
        measures={name: Named(name, each.title, each.short, each.better) for name, each in known.items()},
        references=analysis.references(measured, stage.settings["references"]),
        crossed=stage.settings["focal"], alpha=stage.settings["alpha"],
        asked=_asked(run, stage.settings, probes, measured),
        shifts=[each for each in estimates if each.name.startswith("measurement.")],
        **_words(),
    )  # fmt: skip


def _words() -> dict[str, list[str]]:
    found: dict[str, list[str]] = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    return found


def _stage(run: Run) -> Any:
    stage = run.stage(STAGE)
    if stage is None or not run.path(MEASURED).is_file() or "focal" not in stage.settings:
        raise InputError(f"holds no measured probes ({MEASURED}); `empathic probe run` makes them", path=run.folder)
    return stage


def _asked(
    run: Run, settings: Mapping[str, Any], probes: Sequence[Probe], measured: Sequence[Measured]
) -> list[tuple[str, str]]:
    groups = [probe for probe in probes if probe.control is None]
    sampled = run.stage("sample")
    design = sampled.settings.get("design", {}) if sampled is not None else {}
    asked = [
        ("systems", ", ".join(dict.fromkeys(each.system for each in measured))),
        ("templates", str(len({probe.template for probe in probes}))),
        ("probes", f"{len(groups)} and {len(probes) - len(groups)} controls"),
        ("crossed", " × ".join(settings["focal"]) or "nothing"),
        ("seed", str(sampled.seed if sampled is not None else "unknown")),
        ("repeats of every combination", str(design.get("repeats", "unknown"))),
        ("orders of the options", str(design.get("orders", "unknown"))),
        ("language", str(design.get("language", "unknown"))),
        ("reference", ", ".join(f"{factor}: {level}" for factor, level in settings["references"].items())),
        ("worst association of what was drawn", _worst(groups, settings["focal"])),
        ("not counted, a difference may be right there", _excepted(settings.get("excepted") or {})),
        ("margins", ", ".join(f"{name} {value:g}" for name, value in settings["margins"].items()) or "as usual"),
        ("α", f"{settings['alpha']:g}, for all groups and measures of a system together"),
        ("permutations", str(settings["draws"])),
    ]  # fmt: skip
    left = (sampled.settings.get("left out") if sampled is not None else None) or {}
    return [*asked, *((f"left out: {what}", str(why)) for what, why in left.items())]


def _excepted(templates: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{factor} in {', '.join(found)}" for factor, found in templates.items()) or "nothing"


def _worst(groups: Sequence[Probe], focal: Sequence[str]) -> str:
    draws = [Draw(template=probe.template, levels=probe.levels, repeat=probe.repeat) for probe in groups]
    found = [each for each in associations(draws, focal) if each.focal != "template"] if draws else []
    if not found:
        return "nothing was drawn beside what is crossed"
    worst = found[0]
    return f"{worst.factor} with {worst.focal}: Cramér's V {worst.cramers_v:.3f} (at this size at least {worst.smallest:.3f})"
