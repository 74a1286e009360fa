"""A probe run becomes what is said of the groups: `empathic probe analyze`, `report`; and before one, `power`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from empathic.cli import output
from empathic.errors import SettingError
from empathic.probing import analysis, report
from empathic.records import Estimate
from empathic.runs import Run
from empathic.statistics import detectable

KINDS = ("contrast", "deviation", "interaction")


def add(actions: Any) -> None:
    """The actions `analyze`, `report` and `power`."""
    analyze = actions.add_parser("analyze", help="which groups differ, are equivalent, or cannot be told apart")
    analyze.add_argument("run", type=Path, metavar="RUN", help="the folder of a probe run")
    told = "differences smaller than this do not matter: of all measures, or METRIC=DELTA (repeatable)"
    analyze.add_argument("--margin", action="append", default=[], metavar="[METRIC=]DELTA", help=told)
    analyze.add_argument("--focal", metavar="A,B", help="factors whose intersections are compared (default: the run's)")
    analyze.add_argument("--alpha", type=float, default=0.05, help="chance of any false claim (default 0.05)")
    analyze.add_argument("--draws", type=int, default=4999, help="permutations (default 4999)")
    analyze.add_argument("--seed", type=int, help="of permutations and bootstrap (default: the run's)")
    analyze.set_defaults(act=_analyze)
    page = actions.add_parser("report", help="one HTML page: verdicts, groups, intersections, answers side by side")
    page.add_argument("run", type=Path, metavar="RUN", help="the folder of a probe run")
    page.add_argument("-o", "--output", type=Path, metavar="FILE.html", help="(default: report.html in the folder)")
    page.add_argument("--title", default="", help="heading of the page")
    page.set_defaults(act=_report)
    power = actions.add_parser("power", help="what a design can find, before anything is asked")
    _add_power(power)
    power.set_defaults(act=_power)
    for action in (analyze, page, power):
        output.add_common(action)


def _add_power(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--templates", type=int, default=20, help="(default 20)")
    parser.add_argument("--levels", type=int, nargs=2, default=(3, 3), metavar=("A", "B"), help="(default 3 3)")
    parser.add_argument("--repeats", type=int, default=1, help="probes per intersection and template (default 1)")
    parser.add_argument("--orders", type=int, default=5, help="of the options (default 5)")
    parser.add_argument("--accuracy", type=float, default=0.8, help="share of right answers expected (default 0.8)")
    parser.add_argument("--sd", type=float, help="of one answer, for a measure that is no share")
    parser.add_argument("--icc", type=float, default=0.0, help="how alike the orders of one probe are (default 0)")
    parser.add_argument("--template-sd", type=float, default=0.0, help="of the difference itself between templates")
    parser.add_argument("--measures", type=int, default=9, help="how many measures share alpha (default 9)")
    parser.add_argument("--alpha", type=float, default=0.05, help="(default 0.05)")
    parser.add_argument("--effect", type=float, default=0.08, help="difference of one intersection (default 0.08)")
    parser.add_argument("--runs", type=int, default=4000, help="simulated data sets (default 4000)")
    parser.add_argument("--seed", type=int, default=1)


def _analyze(options: argparse.Namespace) -> int:
    run = Run(options.run)
    focal = [name.strip() for name in (options.focal or "").split(",") if name.strip()]
    found = report.again(
        run,
        margins=margins(options.margin, run),
        focal=focal,
        alpha=options.alpha,
        draws=options.draws,
        seed=options.seed,
    )
    if options.json:
        output.print_json({"run": str(options.run), "estimates": found})
        return 0
    for system in dict.fromkeys(each.labels["system"] for each in found if each.labels.get("kind") == "any"):
        say(system, [each for each in found if each.labels.get("system") == system])
    output.say(f"\nEverything: {run.path(report.ESTIMATES)}; as a page: empathic probe report {options.run}")
    return 0


def margins(given: Sequence[str], run: Run) -> dict[str, float]:
    """`0.1` is the margin of every tested measure of the run, `ce=0.1` that of one."""
    found: dict[str, float] = {}
    for text in given:
        metric, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise SettingError(f"--margin {text}: a number is needed, or METRIC=NUMBER, e.g. --margin ce=0.1") from None
        metrics = [metric] if equals else report.tested(run)
        found |= dict.fromkeys(metrics, value)
    return found


def say(system: str, found: Sequence[Estimate]) -> None:
    """A system's measures with their verdicts, every claim, and whether places matter."""
    rows = [_row(each, found) for each in found if each.labels.get("kind") == "any"]
    output.say(f"{system}\n")
    output.say(
        output.table(("measure", "verdict", "farthest group", "difference", "p", "margin", "would be found"), rows)
    )
    for each in found:
        if each.labels.get("kind") == "any" and each.missing is not None:
            output.say(f"  {each.labels['metric']}: {each.missing}")
    claimed = [each for each in found if each.details.get("verdict") == "different" and each.labels["kind"] in KINDS]
    for each in sorted(claimed, key=lambda one: one.p_adjusted or 0.0):
        output.say(
            f"  {each.labels['metric']}: {each.labels['group']} {each.value:+.3g} [{each.low:.3g}, {each.high:.3g}] against "
            f"{each.labels['against']}, p = {each.p_adjusted:.3g}"
        )
    for each in found:
        if each.labels.get("kind") == "letters" and each.p is not None and each.p <= 0.05:
            output.say(f"  places of options matter: χ² = {each.statistic:.3g}, p = {each.p:.3g}")


def _row(each: Estimate, found: Sequence[Estimate]) -> tuple[object, ...]:
    """A measure's verdict, and the deviation that is farthest out."""
    metric = each.labels["metric"]
    mine = [one for one in found if one.labels.get("metric") == metric and one.labels.get("kind") == "deviation"]
    known = [one for one in mine if one.value is not None]
    name, verdict = analysis.measure(metric).short, each.details.get("verdict", "inconclusive")
    if not known:
        return name, verdict, "–", None, None, each.details.get("margin"), None
    far = max(known, key=lambda one: abs(one.statistic or 0.0))
    return (
        name,
        verdict,
        far.labels["group"],
        far.value,
        each.p_adjusted,
        far.details["margin"],
        far.details["detectable"],
    )


def _report(options: argparse.Namespace) -> int:
    written = report.page(Run(options.run), options.output, title=options.title)
    if options.json:
        output.print_json({"written": [str(written)]})
    else:
        output.say(str(written))
    return 0


def _power(options: argparse.Namespace) -> int:
    size = detectable.Size(
        templates=options.templates, levels=tuple(options.levels), repeats=options.repeats, orders=options.orders,
        sd=detectable.share_sd(options.accuracy) if options.sd is None else options.sd, icc=options.icc,
        template_sd=options.template_sd, measures=options.measures, alpha=options.alpha,
    )  # fmt: skip
    found = detectable.power(size, options.effect, runs=options.runs, seed=options.seed)
    if options.json:
        output.print_json({"size": size, "asks": size.asks, "power": found.at, "smallest": found.smallest})
        return 0
    cells = size.levels[0] * size.levels[1]
    output.say(
        f"{size.templates} templates × {cells} intersections × {size.repeats} repeats × {size.orders} orders = {size.asks:,} "
        f"choices per system.\nOne intersection that differs by {options.effect:g} is claimed with a power of "
        f"{found.at.value:.3f} [{found.at.low:.3f}, {found.at.high:.3f}]; with .80 what differs by "
        f"{found.smallest.value:.3g}.\n{found.at.signature}"
    )
    return 0
