"""How many raters a study needs: `empathic power between --groups 3 --effect 0.25 --icc 0.08 --ratings 10`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from empathic.cli import output
from empathic.statistics import power, power_ordinal


def arguments(parser: argparse.ArgumentParser) -> None:
    designs = parser.add_subparsers(dest="design", required=True, metavar="DESIGN")
    for name, (text, add) in _DESIGNS.items():
        one = designs.add_parser(name, help=text, description=text)
        add(one)
        one.add_argument("--alpha", type=float, default=0.05, help="significance level (default 0.05)")
        output.add_common(one)


def run(options: argparse.Namespace) -> None:
    if options.design == "ordinal":
        return _print_simulation(options)
    plan = _RUN[options.design](options)
    if options.json:
        output.print_json({"answer": plan.answer, "curve": [{"raters": n, "power": p} for n, p in plan.curve]})
        return None
    output.say(output.table(("raters", "power"), plan.curve))
    if plan.answer.value is None:
        output.say(f"\nNo answer: {plan.answer.missing}.")
        return None
    output.say(f"\n{_sentence(plan.answer.value, plan.answer.details)}\n{plan.answer.signature}")
    return None


def _sentence(raters: float, details: dict[str, float]) -> str:
    each = details["ratings_per_rater"]
    groups = raters / details["per_group"] if details["per_group"] else 1
    per_group = f" ({details['per_group']:.0f} per group)" if groups > 1 else ""
    ratings = f", {each:.0f} ratings each, {details['ratings']:.0f} ratings in all" if each > 1 else ""
    return f"{raters:.0f} raters{per_group}{ratings}: power {details['power']:.4f}, wanted {details['target']:g}."


def _print_simulation(options: argparse.Namespace) -> None:
    study = power_ordinal.OrdinalStudy(
        odds_ratios=tuple(options.odds_ratio), raters_per_group=options.raters, ratings_per_rater=options.ratings,
        items=options.items, thresholds=power_ordinal.thresholds_of(options.shares), sd_rater=options.sd_rater,
        sd_item=options.sd_item,
    )  # fmt: skip
    found = power_ordinal.simulated_power(
        study, runs=options.runs, seed=options.seed, alpha=options.alpha, progress=_progress(options.runs)
    )
    if options.json:
        output.print_json({"answer": found, "study": study})
        return
    output.say(
        f"{found.details['raters']} raters, {options.ratings} ratings each: power {found.value:.3f} "
        f"[{found.low:.3f}, {found.high:.3f}] in {options.runs} simulated studies\n{found.signature}"
    )


def _progress(runs: int) -> Callable[[int], None] | None:
    if not sys.stderr.isatty():
        return None

    def show(done: int) -> None:
        sys.stderr.write(f"\r{done} of {runs} studies" + ("\n" if done == runs else ""))
        sys.stderr.flush()

    return show


def _target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--power", type=float, default=0.8, help="power wanted (default 0.8)")


def _clustered(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--icc", type=float, default=0.0, help="intraclass correlation of one rater's ratings")
    parser.add_argument("--ratings", type=int, default=1, help="ratings per rater")
    _target(parser)


def _between(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--groups", type=int, required=True)
    parser.add_argument("--effect", type=float, required=True, help="Cohen's f on single ratings")
    _clustered(parser)


def _chi_square(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--df", type=int, required=True)
    parser.add_argument("--effect", type=float, required=True, help="Cohen's w")
    parser.add_argument("--groups", type=int, default=1)
    _clustered(parser)


def _within(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--levels", type=int, required=True, help="cells each rater fills, e.g. 8 for 4 systems x 2")
    parser.add_argument("--effect", type=float, required=True, help="Cohen's f")
    parser.add_argument("--df", type=int, help="degrees of freedom of the effect (default levels - 1)")
    parser.add_argument("--correlation", type=float, default=0.5, help="between cells (default 0.5)")
    parser.add_argument("--epsilon", type=float, default=1.0, help="sphericity, 1 = holds")
    _target(parser)


def _paired(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--effect", type=float, required=True, help="d_z")
    _target(parser)


def _proportion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--first", type=float, required=True, help="share in the first group")
    parser.add_argument("--second", type=float, required=True, help="share in the second group")
    _clustered(parser)


def _ordinal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--odds-ratio", type=float, nargs="+", required=True, help="of each further group")
    parser.add_argument("--raters", type=int, required=True, help="per group")
    parser.add_argument("--ratings", type=int, default=10, help="per rater (default 10)")
    parser.add_argument("--items", type=int, default=100, help="how many items there are (default 100)")
    parser.add_argument("--shares", type=float, nargs="+", required=True, help="of the categories in the first group")
    parser.add_argument("--sd-rater", type=float, default=0.65, help="in logits (default 0.65)")
    parser.add_argument("--sd-item", type=float, default=0.3, help="in logits (default 0.3)")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, required=True)


_DESIGNS = {
    "between": ("groups of raters, one-way ANOVA on the raters' means", _between),
    "chi-square": ("shares of categories", _chi_square),
    "within": ("every rater fills every cell: repeated measures, also factorial", _within),
    "paired": ("two conditions seen by the same raters", _paired),
    "proportion": ("two shares in two groups of raters", _proportion),
    "ordinal": ("the ordinal mixed model, by simulation", _ordinal),
}
_RUN = {
    "between": lambda o: power.between(o.effect, o.groups, icc=o.icc, ratings=o.ratings, alpha=o.alpha, power=o.power),
    "chi-square": lambda o: power.chi_square(
        o.effect, o.df, groups=o.groups, icc=o.icc, ratings=o.ratings, alpha=o.alpha, power=o.power
    ),
    "within": lambda o: power.within(
        o.effect, o.levels, correlation=o.correlation, epsilon=o.epsilon, df=o.df, alpha=o.alpha, power=o.power
    ),
    "paired": lambda o: power.paired(o.effect, alpha=o.alpha, power=o.power),
    "proportion": lambda o: power.proportion(
        o.first, o.second, icc=o.icc, ratings=o.ratings, alpha=o.alpha, power=o.power
    ),
}
