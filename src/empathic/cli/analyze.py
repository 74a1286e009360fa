"""Analyse ratings by their study's design (`analyze FILE --design within`) or as a scale (`… --instrument eshcc`)."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from pathlib import Path

from empathic import files
from empathic.cli import output, scale, sources
from empathic.cli.rated import levels, ratings, traits
from empathic.datasets.duplicates import refuse_duplicates
from empathic.errors import SettingError, UnknownName
from empathic.records import Estimate
from empathic.statistics.analysis import Analysis, Assumption, Design, Shape, analyse, collect

DESIGNS = {
    "between": ("empathic.statistics.between", "every rater rates one system"),
    "within": ("empathic.statistics.within", "every rater rates every system"),
    "observer": ("empathic.statistics.observer", "several raters judge the same responses from outside"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    sources.add_flags(parser)
    told = "; ".join(f"{name}: {text}" for name, (_, text) in DESIGNS.items())
    parser.add_argument("file", nargs="?", type=Path, help=argparse.SUPPRESS)  # `analyze ratings FILE …`
    parser.add_argument("--design", help=f"{told}; without a design: the instrument as a scale")
    parser.add_argument("--item", action="append", default=[], metavar="ITEM", help="only this item (repeatable)")
    parser.add_argument("--component", metavar="NAME", help="score the items of the instrument into this component")
    parser.add_argument("--instrument", metavar="NAME", help="only ratings on this instrument")
    parser.add_argument("--group", default="system", metavar="FIELD", help="what is compared (default: system)")
    parser.add_argument("--block", metavar="FIELD", help="what was assigned together, e.g. part (between)")
    parser.add_argument("--by", metavar="FIELD", help="emotion, polarity …: does the effect differ by it? (between)")
    parser.add_argument("--trait", metavar="NAME", help="a number known of each rater: slopes per system (between)")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="RATER", help="leave out, show both (repeatable)"
    )
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="of the judges among the raters (scale)")
    parser.add_argument("--seed", type=int, default=1, help="of bootstrap and permutation (default 1)")
    parser.add_argument("-o", "--output", type=Path, default=Path(), metavar="DIR", help="where estimates.json goes")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    output.load_extensions(options)
    _settle_source(options)
    if options.design is None:
        scale.run(options)
        return
    design = design_named(options.design)
    source, format_ = sources.source_of(options)
    records = [record for _, record in refuse_duplicates(format_.read(source), source.path)]
    shape = Shape(
        options.group,
        options.block,
        levels(records, options.by) if options.by else None,
        traits(records, options.trait) if options.trait else None,
    )
    chosen = ratings(records, instrument=options.instrument, component=options.component)
    found = [
        analyse(design, answers, exclude=options.exclude, seed=options.seed)
        for answers in collect(chosen, items=options.item, shape=shape)
    ]
    path = options.output / "estimates.json"
    files.write_json(path, [each for one in found for each in one.flat()])
    if options.json:
        output.print_json(found)
    else:
        for one in found:
            say(one)
    output.log(f"{path} written")


def _settle_source(options: argparse.Namespace) -> None:
    """`analyze ratings FILE` means `analyze FILE`."""
    if options.file is not None and str(options.source) == "ratings":
        options.source, options.file = options.file, None
    if options.file is not None:
        raise SettingError(f"'{options.file}' is one file too many; analyse one at a time.")


def design_named(name: str) -> Design:
    """The function of a design."""
    if name not in DESIGNS:
        raise UnknownName("design", name, DESIGNS)
    function: Design = getattr(importlib.import_module(DESIGNS[name][0]), name)
    return function


def say(one: Analysis) -> None:
    """Print what was found about one item."""
    output.say(f"\n{one.instrument} · {one.item} · design {one.design}")
    _say_estimates(one.estimates)
    if one.before_exclusion:
        output.say("\nThe same with nobody excluded by hand")
        _say_estimates(one.before_exclusion)
    output.say("\nFor comparison, as usually published")
    _say_estimates(one.published)
    output.say("\nAssumptions")
    for assumption in one.assumptions:
        output.say(f"- {_verdict(assumption)} {assumption.name}: {assumption.text}")
    for exclusion in one.exclusions:
        output.say(f"\nLeft out ({exclusion.rule}), {len(exclusion.ids)}: {', '.join(exclusion.ids)}")


def _say_estimates(estimates: Sequence[Estimate]) -> None:
    head = ("estimate", "value", "95 % interval", "statistic", "df", "p", "p adjusted", "n", "method")
    output.say(output.table(head, map(_row, estimates)))
    reasons: dict[str, list[str]] = {}
    for estimate in estimates:
        if estimate.missing:
            reasons.setdefault(estimate.missing, []).append(estimate.name)
    for reason, names in reasons.items():
        output.say(f"  missing, because {reason}: {', '.join(dict.fromkeys(names))}")
    cautions = [estimate.details["caution"] for estimate in estimates if "caution" in estimate.details]
    for caution in dict.fromkeys(cautions):
        output.say(f"  caution: {caution}")


def _row(one: Estimate) -> tuple[object, ...]:
    span = "–" if one.low is None or one.high is None else f"[{one.low:.4g}, {one.high:.4g}]"
    degrees = ", ".join(f"{number:.4g}" for number in one.df)
    return f"{one.name}{_about(one)}", one.value, span, one.statistic, degrees, one.p, one.p_adjusted, one.n, one.method


def _about(one: Estimate) -> str:
    """Which systems the number is about, unless its name says so."""
    sign = " / " if "ratio" in one.name else " − "
    systems = [str(one.labels[key]) for key in ("system", "baseline") if key in one.labels]
    return "" if not systems or systems[-1] in one.name else f" {sign.join(systems)}"


def _verdict(assumption: Assumption) -> str:
    return {True: "holds:", False: "VIOLATED:", None: "unknown:"}[assumption.holds]
