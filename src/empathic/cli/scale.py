"""The analysis of a scale becomes what a person reads: profile, items, reliability, factors, severity, order."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from empathic import files
from empathic.cli import calibrate, output, ratings, rooms
from empathic.records import Estimate, Instrument
from empathic.statistics.factors import FactorModel
from empathic.statistics.items import ItemAnalysis
from empathic.statistics.scale import ScaleAnalysis, analyze

WIDTH = 49
FILE = "scale.json"


def run(options: argparse.Namespace) -> None:
    """`empathic analyze ratings FILE --instrument NAME`."""
    rooms.load()
    given = ratings.read([options.source], options.format)
    instrument = ratings.find(options.instrument, given)
    own = [each for each in ratings.on(instrument, given) if each.rater not in options.exclude]
    found = analyze(
        ratings.scale_of(instrument),
        ratings.observations(instrument, own),
        missing=ratings.missing(own),
        stamps=calibrate.stamps(options.calibration, own, instrument),
        seed=options.seed,
    )
    path = options.output / FILE
    files.write_json(path, found)
    if options.json:
        output.print_json(found)
    else:
        output.say("\n".join(_lines(instrument, found)))
    output.log(f"{path} written")


def _lines(instrument: Instrument, found: ScaleAnalysis) -> Iterator[str]:
    yield f"{instrument.title}"
    yield f"{found.raters} raters ({found.judges} judges), {found.targets} targets, {found.sheets} answer sheets"
    yield from (f"  {judge}: {stamp}" for judge, stamp in found.stamps.items())
    for reason, count in found.missing.items():
        yield f"  {count} answers missing: {reason}"
    yield from ("", "Profile (mean of the target means; interval by targets and raters)", *_profile(found))
    low, high = instrument.points[0].value, instrument.points[-1].value
    yield from ("", *drawing(found.systems, low, high), "", "Items", *_items(found))
    yield from ("", "Agreement of raters (Krippendorff's α; raters that reach .80)", *_agreement(found))
    yield from ("", f"Consistency of the items: Cronbach's α {_with(found.alpha)}, McDonald's ω {_with(found.omega)}")
    yield from (
        "",
        *_factors(found),
        "",
        *_raters(found),
        "",
        f"Order of items, points per place: {_with(found.order)}",
        f"Speakers' names swapped, points: {_with(found.swapped)}",
    )


def _profile(found: ScaleAnalysis) -> Iterator[str]:
    rows = [
        (each.labels["measure"], each.labels["system"], each.value, span(each), each.n, _why(each))
        for each in found.systems
    ]
    yield output.table(("component", "system", "mean", "95 % interval", "targets", ""), rows)


def drawing(systems: Sequence[Estimate], low: float, high: float) -> Iterator[str]:
    """The profile as lines of text: ● the mean, ─ its interval, on the points of the scale."""
    shown = [each for each in systems if each.value is not None]
    if not shown or high <= low:
        return
    width = max(len(_name(each)) for each in shown)
    yield f"{'':{width}}  {low:<{WIDTH - 1}g}{high:g}"
    for each in shown:
        yield f"{_name(each):{width}}  {_line(each, low, high)}"


def _line(each: Estimate, low: float, high: float) -> str:
    def place(value: float) -> int:
        return round(min(max((value - low) / (high - low), 0.0), 1.0) * (WIDTH - 1))

    cells = ["·"] * WIDTH
    if each.low is not None and each.high is not None:
        for position in range(place(each.low), place(each.high) + 1):
            cells[position] = "─"
    cells[place(each.value or 0.0)] = "●"
    return "".join(cells)


def _name(each: Estimate) -> str:
    return f"{each.labels['measure']} {each.labels['system'] or ''}".rstrip()


def _items(found: ScaleAnalysis) -> Iterator[str]:
    head = ("item", "n", "missing", "mean", "sd", "lowest", "highest", "item–rest r", "α without")
    rows = [(i.item, i.n, i.missing, i.mean, i.sd, *_rest(i)) for i in found.items]
    yield output.table(head, rows)


def _rest(i: ItemAnalysis) -> tuple[object, ...]:
    return _share(i.lowest), _share(i.highest), _with(i.item_rest), i.alpha_without.value


def _agreement(found: ScaleAnalysis) -> Iterator[str]:
    yield output.table(
        ("measure", "α", "95 % interval", "targets", "raters", ""),
        [(e.measure, e.alpha.value, span(e.alpha), e.alpha.n, e.needed.value, _why(e.alpha)) for e in found.agreement],
    )


def _factors(found: ScaleAnalysis) -> Iterator[str]:
    parallel = found.parallel
    if parallel.missing:
        yield f"Factors: {parallel.missing}"
        return
    pairs = list(zip(parallel.eigenvalues, parallel.thresholds, strict=True))
    first = ", ".join(f"{one:.2f} ({other:.2f})" for one, other in pairs[:5])
    yield f"Factors by parallel analysis: {parallel.factors}. Eigenvalues (95th percentile if unrelated): {first} …"
    head = ("model", "χ²", "df", "p", "CFI", "RMSEA", "SRMR", "BIC", "")
    yield output.table(head, [_model(model) for model in found.models])


def _model(m: FactorModel) -> tuple[object, ...]:
    return m.name, m.chi2, m.df, m.p, m.cfi, m.rmsea, m.srmr, m.bic, m.missing or "; ".join(m.cautions)


def _raters(found: ScaleAnalysis) -> Iterator[str]:
    spread, *raters = found.severity
    if spread.missing:
        yield f"Severity of raters: {spread.missing}"
        return
    yield f"Severity of raters: sd {spread.value:.3g} points, F = {spread.statistic:.3g}, p = {spread.p:.3g}"
    extreme = sorted((each for each in raters if each.value is not None), key=lambda each: -abs(each.value or 0.0))[:10]
    yield output.table(
        ("rater", "points", "95 % interval", "p adjusted", "targets"),
        [(each.name, each.value, span(each), each.p_adjusted, each.n) for each in extreme],
    )
    partial = [each for each in found.differential if each.p_adjusted is not None and each.p_adjusted < 0.05]
    for each in partial:
        apart = f"{each.value:+.2f} points {span(each)} beside other raters"
        yield f"  {each.name}: {apart}, p adjusted {each.p_adjusted:.2g}"


def span(each: Estimate) -> str:
    """`[low, high]`, or a dash."""
    return "–" if each.low is None or each.high is None else f"[{each.low:.2f}, {each.high:.2f}]"


def _with(each: Estimate) -> str:
    return f"– ({each.missing})" if each.value is None else f"{each.value:.2f} {span(each)}"


def _why(each: Estimate) -> str:
    return each.missing or str(each.details.get("caution", ""))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
