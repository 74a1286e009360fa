"""Ratings by a judge and by people become their agreement, a stamp for the judge's numbers, and combined estimates."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from empathic import files
from empathic.cli import output, ratings
from empathic.errors import InputError, SettingError
from empathic.records import Estimate, Instrument, Rating, Record
from empathic.statistics.calibration import Agreement, Kind, agreement
from empathic.statistics.observations import Observation, is_judge, source
from empathic.statistics.paired import How
from empathic.statistics.prediction_powered import system_estimates

UNCALIBRATED = "uncalibrated"


class Calibration(Record, frozen=True, omit_defaults=False):
    """How one judge agrees with people on one instrument, and on which data that was found out."""

    judge: str
    signature: str
    instrument: str
    people: dict[str, str]  # file of people's ratings → SHA-256
    headline: str  # the measure whose κ stands on the stamp
    measures: tuple[Agreement, ...]


def run(options: argparse.Namespace) -> int:
    """`calibrate` or `estimate`."""
    judged, human = _given(options)
    instrument = ratings.find(options.instrument, judged)
    sides = [ratings.on(instrument, side) for side in (judged, human)]
    if options.action == "estimate":
        _show_estimates(options, estimates(instrument, *sides))
        return 0
    found = [
        calibration(instrument, name, own, sides[1], _hashes(options.human_ratings), options)
        for name, own in _by_judge(sides[0]).items()
    ]
    if options.output is not None:
        files.write_json(options.output, found)
    _show(options, found)
    return 0


def _given(options: argparse.Namespace) -> tuple[list[Rating], list[Rating]]:
    if not options.judge_ratings or not options.human_ratings:
        raise SettingError(f"`judge {options.action}` needs --judge-ratings FILE and --human-ratings FILE.")
    if options.width <= 0 or options.replicates < 1:
        raise SettingError("--width is above 0, --replicates is 1 or more.")
    judged = [each for each in ratings.read(options.judge_ratings) if is_judge(each.rater)]
    human = [each for each in ratings.read(options.human_ratings) if not is_judge(each.rater)]
    for flag, side in (("--judge-ratings: no rater is a judge", judged), ("--human-ratings: no rater is human", human)):
        if not side:
            raise InputError(f"{flag} (raters are called judge:provider/model#repeat or human:name)")
    return judged, human


def _hashes(paths: Sequence[Path]) -> dict[str, str]:
    inner = [path / "ratings.jsonl" if path.is_dir() else path for path in paths]
    return {str(path): files.sha256(path) for path in inner}


def _by_judge(judged: Sequence[Rating]) -> dict[str, list[Rating]]:
    found: dict[str, list[Rating]] = {}
    for each in judged:
        found.setdefault(source(each.rater), []).append(each)
    return found


def calibration(
    instrument: Instrument,
    judge: str,
    judged: Sequence[Rating],
    human: Sequence[Rating],
    people: dict[str, str],
    options: argparse.Namespace,
) -> Calibration:
    """One judge beside people, item by item and component by component."""
    signatures = {str(each.metadata.get("signature", "unsigned")) for each in judged}
    if len(signatures) > 1:
        raise InputError(f"the ratings of '{judge}' were made in {len(signatures)} ways; calibrate each on its own")
    scale = ratings.scale_of(instrument)
    kinds: dict[str, Kind] = dict.fromkeys(scale.items, "ordinal")
    kinds |= dict.fromkeys(scale.nominal, "nominal")
    kinds |= dict.fromkeys(scale.components, "interval")
    mine, theirs = (ratings.observations(instrument, side) for side in (judged, human))
    how = How(replicates=options.replicates)
    return Calibration(
        judge=judge,
        signature=signatures.pop(),
        instrument=f"{instrument.id}.v{instrument.version}",
        people=people,
        headline=scale.total or next(iter(scale.components or kinds)),
        measures=tuple(_agreement(mine, theirs, name, kind, options.width, how) for name, kind in kinds.items()),
    )


def _agreement(
    mine: Sequence[Observation], theirs: Sequence[Observation], name: str, kind: Kind, width: float, how: How
) -> Agreement:
    return agreement(mine, theirs, name, kind, width=width, how=how)


def estimates(instrument: Instrument, judged: Sequence[Rating], human: Sequence[Rating]) -> list[Estimate]:
    """Prediction-powered means and differences of every component (of every item, if there is no component)."""
    scale = ratings.scale_of(instrument)
    mine, theirs = (ratings.observations(instrument, side) for side in (judged, human))
    return [each for name in scale.components or scale.items for each in system_estimates(theirs, mine, name)]


def stamp(path: Path, signature: str, instrument: Instrument) -> str:
    """`calibrated on …, κ = …, n = …`, if the file holds a calibration of exactly this judge; else why not."""
    asked = f"{instrument.id}.v{instrument.version}"
    for each in files.read_json(path, list[Calibration]):
        if _recipe(each.signature) == _recipe(signature) and each.instrument == asked:
            return words(each)
    return f"{UNCALIBRATED} ({path} is about another judge, prompt, instrument or setting)"


def stamps(path: Path | None, given: Sequence[Rating], instrument: Instrument) -> dict[str, str]:
    """The stamp of every judge among the raters."""
    found = {}
    for judge, own in _by_judge([each for each in given if is_judge(each.rater)]).items():
        ways = {str(each.metadata.get("signature", "unsigned")) for each in own}
        if path is None:
            found[judge] = UNCALIBRATED
        elif len(ways) > 1:
            found[judge] = f"{UNCALIBRATED} (its ratings were made in {len(ways)} ways)"
        else:
            found[judge] = stamp(path, ways.pop(), instrument)
    return found


def words(found: Calibration) -> str:
    """The stamp of a calibration."""
    head = next(each for each in found.measures if each.measure == found.headline)
    on = ", ".join(Path(name).name for name in found.people)
    if head.kappa.value is None:
        return f"{UNCALIBRATED}: {head.kappa.missing}"
    people = head.kappa_people.value
    among = "unknown" if people is None else f"{people:.2f}"
    return (
        f"calibrated on {on} ({head.measure}), κ = {head.kappa.value:.2f} {_interval(head.kappa)}, n = {head.targets}; "
        f"people among themselves κ = {among}"
    )


def _recipe(signature: str) -> str:
    """A signature without the version of the package: a judge's recipe does not change with it."""
    return signature.rpartition("|empathic:")[0] or signature


def _interval(found: Estimate) -> str:
    return "" if found.low is None or found.high is None else f"[{found.low:.2f}, {found.high:.2f}]"


def _show(options: argparse.Namespace, found: Sequence[Calibration]) -> None:
    if options.json:
        output.print_json([{"stamp": words(each), "calibration": each} for each in found])
        return
    head = ("", "n", "κ", "people", "α", "people", "ICC", "people", "ρ", "people", "bias", "needed")
    for each in found:
        output.say(f"{each.judge} beside people, {each.instrument}")
        output.say(output.table(head, [_row(measure) for measure in each.measures]) + "\n")
        output.say("\n".join(map(_detail, each.measures)))
        output.say("\n".join(_reasons(each.measures)))
        output.say(f"Stamp: {words(each)}")
    output.say("people: people among themselves, the ceiling. bias: judge − people. needed: targets for κ ± --width.")


def _row(measure: Agreement) -> tuple[object, ...]:
    pairs = (
        measure.kappa, measure.kappa_people, measure.alpha, measure.alpha_people, measure.icc, measure.icc_people,
        measure.rank, measure.rank_people, measure.bias, measure.needed,
    )  # fmt: skip
    return (measure.measure, measure.targets, *(_rounded(each.value) for each in pairs[:-1]), _whole(pairs[-1].value))


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _detail(measure: Agreement) -> str:
    if measure.kappa.value is None:
        return f"κ of {measure.measure}: –"
    apart = "" if measure.gap.value is None else f", judge − people {measure.gap.value:+.2f} {_interval(measure.gap)}"
    return f"κ of {measure.measure}: {measure.kappa.value:.2f} {_interval(measure.kappa)}{apart}"


def _reasons(measures: Sequence[Agreement]) -> list[str]:
    """Why figures are missing, each reason once, with the measures it holds for."""
    found: dict[str, list[str]] = {}
    for measure in measures:
        for each in (measure.kappa, measure.kappa_people, measure.icc, measure.alpha_people):
            if each.missing and measure.measure not in found.setdefault(each.missing, []):
                found[each.missing].append(measure.measure)
    return [f"missing: {reason} ({', '.join(names)})" for reason, names in found.items()]


def _show_estimates(options: argparse.Namespace, found: Sequence[Estimate]) -> None:
    if options.json:
        output.print_json(found)
        return
    head = ("", "system", "combined", "interval", "people alone", "judge alone", "people", "worth")
    output.say(output.table(head, [_estimate_row(each) for each in found]))
    for reason in dict.fromkeys(each.missing for each in found if each.missing):
        output.say(f"missing: {reason}")
    output.say("\nworth: how many targets rated by people alone would give the same error.")
    output.say("Holds if the targets that people rated are a random part of those the judge rated.")


def _estimate_row(found: Estimate) -> tuple[object, ...]:
    system = found.labels.get("system")
    if "baseline" in found.labels:
        system = f"{system} − {found.labels['baseline']}"
    numbers = [_rounded(found.details.get(key)) for key in ("people_alone", "judge_alone")]
    name = found.labels.get("measure", found.name)
    worth = _whole(found.details.get("worth"))
    return name, system, _rounded(found.value), _interval(found), *numbers, found.n, worth
