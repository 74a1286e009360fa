"""Fit classifiers on released data, measure the embedded ones, check any metric for context and empty words.

The commands `fit`, `measure` and `probe` of the verb `models`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from empathic import datasets, registry
from empathic.cli import output, rooms
from empathic.contracts import Encoder
from empathic.errors import SettingError
from empathic.metrics import fitted, miti_training, sensitivity
from empathic.metrics.mechanisms import embedded, epitome
from empathic.metrics.mechanisms.measuring import measure
from empathic.metrics.mechanisms.training import numbers_of, rows_of
from empathic.metrics.miti import labels_of
from empathic.metrics.quality import Quality, label_quality, quality
from empathic.records import Response

HEAD = ("model", "measured on", "n", "accuracy", "macro-F1", "weighted κ", "calibration", "r", "majority")


def arguments(commands: Any) -> None:
    """Add the commands to the parsers of `empathic models`."""
    fit = commands.add_parser("fit", help="fit a classifier on released data of yours and keep it")
    fit.add_argument("name", choices=("epitome", "miti"))
    fit.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with the released files")
    fit.add_argument("--encoder", metavar="NAME", help="epitome: also what an encoder says of the responses (minilm)")
    fit.add_argument("--folds", type=int, default=0, metavar="N", help="also cross-validate, grouped (5 is usual)")
    fit.add_argument("--seed", type=int, default=1, help="which groups go into which fold (default 1)")
    again = commands.add_parser("measure", help="measure every embedded classifier on data it was not fitted on")
    again.add_argument("--epitome", type=Path, metavar="DIR", help="folder with the released EPITOME files")
    again.add_argument("--miti", type=Path, metavar="DIR", help="folder with the table of Welivita & Pu (2024)")
    probe = commands.add_parser("probe", help="does a metric notice the context, is it fooled by empty words?")
    probe.add_argument("column", help="a column with a number per response: mechanisms.er, sentiment.response")
    probe.add_argument("files", nargs="*", type=Path, metavar="FILE", help="responses to score with swapped prompts")
    probe.add_argument("--swaps", type=int, default=1, help="how often each prompt is swapped (default 1)")
    probe.add_argument("--step", type=float, default=1.0, help="distance between two levels (default 1)")
    probe.add_argument("--seed", type=int, default=1, help="which prompts are swapped (default 1)")
    for command, function in ((fit, _fit), (again, _measure), (probe, _probe)):
        output.add_common(command)
        command.set_defaults(call=function)


def _fit(options: argparse.Namespace) -> None:
    rooms.load()
    if options.encoder and options.name != "epitome":
        raise SettingError(f"--encoder is for epitome; leave it out: empathic models fit {options.name} --data DIR")
    path, rows = _fit_epitome(options) if options.name == "epitome" else _fit_miti(options)
    metric = "mechanisms" if options.name == "epitome" else "miti"
    if options.json:
        output.print_json({"name": _kept(options), "path": str(path), "cross_validated": _plain(rows)})
        return
    output.say(f"Fitted and kept in {path}.")
    if rows:
        output.say(_table(rows))
    output.say(f"Use it with: empathic score FILES… --metrics {metric} --set {metric}.model={_kept(options)}")


Rows = list[tuple[str, str, Quality]]


def _fit_epitome(options: argparse.Namespace) -> tuple[Path, Rows]:
    found = epitome.read(options.data)
    if not found.same_as_measured:
        output.log("These are not the files the figures in docs/mechanisms.md were measured on (other SHA-256).")
    rows, encoder = rows_of(found.seekers, found.responses), _encoder(options.encoder)
    encoded = None if encoder is None else np.asarray(encoder.encode(found.responses), dtype=np.float64)
    source = f"epitome@{found.hashes['er'][:8]}" + (f"+{encoder.label}" if encoder else "")
    model = fitted.fit(found.responses, rows, found.levels, source=source, encoder=encoder, encoded=encoded)
    path, measured = fitted.save(_kept(options), model), Rows()
    if options.folds:
        groups = {"folds": options.folds, "seed": options.seed}
        cross = fitted.cross_validated(found.responses, rows, found.levels, found.posts, **groups, encoded=encoded)
        for label, values in found.levels.items():
            numbers = numbers_of(model.levels[label], values.tolist())
            measured.append((label, f"{options.folds}-fold, grouped", quality(numbers, cross[label])))
    return path, measured


def _encoder(name: str | None) -> Encoder | None:
    found: Encoder | None = registry.find("encoder", name).thing() if name else None
    return found


def _kept(options: argparse.Namespace) -> str:
    """The name a classifier is kept under: with an encoder another one, so that the one without stays usable."""
    return f"{options.name}-{options.encoder}" if options.encoder else str(options.name)


def _fit_miti(options: argparse.Namespace) -> tuple[Path, Rows]:
    found = miti_training.read(options.data)
    output.log(f"{len(found.labels)} sentences; {found.left_out} responses left out (labels and sentences differ).")
    path, measured = fitted.save("miti", miti_training.fit(found)), Rows()
    if options.folds:
        cross = miti_training.cross_validated(found, folds=options.folds, seed=options.seed)
        for condition in miti_training.CONDITIONS:
            own = [place for place, name in enumerate(found.conditions) if name == condition]
            figures = quality(found.labels[own].astype(int), cross[own], nominal=True)
            measured.append((f"miti, {condition}", f"{options.folds}-fold, grouped", figures))
    return path, measured


def _measure(options: argparse.Namespace) -> None:
    rooms.load()
    found, rows = measure(embedded(), options.epitome), Rows()
    for each in found:
        rows.append((each.label, "test split of the pairs", each.pairs))
        if each.epitome:
            rows.append((each.label, "EPITOME", each.epitome))
    if options.miti:
        rows += _measure_miti(options.miti)
    context = [(each.label, each.context_change, each.context_flipped) for each in found]
    if options.json:
        plain = {label: {"mean_change": change, "flipped": flipped} for label, change, flipped in context}
        output.print_json({"quality": _plain(rows), "context_sensitivity": plain})
        return
    output.say(_table(rows))
    output.say("\nContext sensitivity on the test split, prompts swapped 10 times:")
    output.say(output.table(("model", "mean change", "flipped"), context))
    for word, given in (("--epitome", options.epitome), ("--miti", options.miti)):
        if not given:
            output.say(f"\n{word} DIR measures on released data as well.")


def _measure_miti(folder: Path) -> Rows:
    found, rows = miti_training.read(folder), Rows()
    guessed = labels_of(found.marks)
    for condition in miti_training.CONDITIONS:
        own = [place for place, name in enumerate(found.conditions) if name == condition]
        figures = label_quality(found.labels[own].astype(int), guessed[own])
        rows.append(("miti rules", f"Welivita & Pu, {condition}", figures))
    return rows


def _probe(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    scorer = sensitivity.column_scorer(options.column)
    probes = sensitivity.run_probes(scorer, sensitivity.read_probes())
    responses = [each for path in options.files for each in datasets.read(path) if isinstance(each, Response)]
    context = None
    if responses:
        spoken = [response for response in responses if response.text and response.text.strip()]
        context = sensitivity.context_sensitivity(
            scorer, spoken, swaps=options.swaps, step=options.step, seed=options.seed
        )
    if options.json:
        output.print_json({"column": options.column, "probes": probes, "context_sensitivity": context})
        return
    output.say(output.table(("probe", "reply", "value", "genuine", "neutral", "fooled"), map(_probe_row, probes)))
    if context is not None:
        output.say(f"\nSwapped prompts, {context.n} comparisons: mean change {context.mean_change:.3f}, ")
        output.say(f"nearest level changed in {context.flipped:.1%}; {context.missing} could not be scored.")


def _probe_row(result: sensitivity.ProbeResult) -> tuple[object, ...]:
    fooled = {None: "–", True: "yes", False: "no"}[result.fooled]
    return result.id, result.text, result.value, result.genuine, result.neutral, fooled


def _table(rows: Rows) -> str:
    def figures(one: Quality) -> tuple[object, ...]:
        return one.n, one.accuracy, one.macro_f1, one.kappa, one.calibration, one.correlation, one.majority

    return output.table(HEAD, [(label, where, *figures(found)) for label, where, found in rows])


def _plain(rows: Rows) -> list[dict[str, object]]:
    return [{"model": label, "measured_on": where, "quality": found} for label, where, found in rows]
