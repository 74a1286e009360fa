"""Estimates of groups → sentences: what may be said of a system, verdict first, in plain words."""

from __future__ import annotations

from empathic.records import Estimate
from empathic.reports.numbers import interval, number, p_value
from empathic.reports.probe_material import ProbeMaterial, SystemPart


def lead(material: ProbeMaterial, part: SystemPart) -> str:
    """The answer in one or two sentences."""
    words = verdicts(part)
    different = differing(part)
    if different:
        named = _list([material.named(metric).short for metric in different])
        return f"Who the speaker is makes a difference to how {part.system} answers. It shows in: {named}."
    if not words:
        return f"Nothing can be said about {part.system}: no measure could be analysed."
    equal = [metric for metric, said in words.items() if said == "equivalent"]
    open_ = [metric for metric, said in words.items() if said == "inconclusive"]
    if not open_:
        return f"{part.system} treats all groups alike: every difference is shown to be smaller than the stated margin."
    shown = (
        f" For {_list([material.named(metric).short for metric in equal])} groups are shown to be alike."
        if equal
        else ""
    )
    named = _list([material.named(metric).short for metric in open_])
    return (
        f"No difference between groups is established for {part.system}, but for {named} a difference larger than the margin "
        f"is not ruled out either: that is inconclusive, not “no bias”.{shown}"
    )


def sentences(material: ProbeMaterial, part: SystemPart) -> list[str]:
    """One line for each measure that differs, with its clearest group; what is largest beside its margin comes first."""
    return [_sentence(material, part, metric) for metric in differing(part)]


def differing(part: SystemPart) -> list[str]:
    """The measures that differ, by how large their largest claim is beside the margin."""
    found = [metric for metric, verdict in verdicts(part).items() if verdict == "different"]
    return sorted(found, key=lambda metric: -max(map(_weight, part.claims(metric)), default=0.0))


def _sentence(material: ProbeMaterial, part: SystemPart, metric: str) -> str:
    groups: dict[str, Estimate] = {}
    for each in part.claims(metric):
        groups.setdefault(each.labels["group"], each)
    if not groups:
        return f"{material.named(metric).title}: it depends on the group, but no single group stands out."
    more = len(groups) - 1
    tail = f" {more} more group{'s' if more > 1 else ''} below." if more else ""
    return claim(material, next(iter(groups.values()))) + tail


def _weight(each: Estimate) -> float:
    """How large a difference is in units of its margin."""
    margin = each.details.get("margin") or 0.0
    return abs(each.value or 0.0) / margin if margin else 0.0


def claim(material: ProbeMaterial, each: Estimate) -> str:
    """`understanding: age=70 is 0.08 lower [..] than the reference (age=30), p = .003`."""
    named, value = material.named(each.labels["metric"]), each.value or 0.0
    way = "higher" if value > 0 else "lower"
    span = f" {interval(each)}" if each.low is not None else ""
    small = ", which is smaller than the margin" if each.details.get("small") else ""
    return (
        f"{named.short}: {each.labels['group']} is {number(abs(value))} {way}{span} than {each.labels['against']}, "
        f"p = {p_value(each.p_adjusted)} (corrected for all groups and measures){small}."
    ).replace("p = <", "p <")


def verdicts(part: SystemPart) -> dict[str, str]:
    """Measure → different, equivalent or inconclusive."""
    return {each.labels["metric"]: each.details.get("verdict", "inconclusive") for each in part.of("any")}


def outliers(published: Estimate) -> str:
    """Whom the published rule would have called an outlier."""
    if published.value is None:
        return published.missing or "–"
    found = published.details["outliers"]
    return _list([f"{group} (z = {z:.2f})" for group, z in found.items()]) if found else "none"


def alarms(published: Estimate) -> tuple[str, str]:
    """How often the rule calls an outlier where nobody is treated differently."""
    rates = published.details.get("false_alarms", {})
    shown = {bar: f"{rates[bar]:.0%}" if bar in rates else "–" for bar in ("z>3", "z>2")}
    return shown["z>3"], shown["z>2"]


def detectable(part: SystemPart, metric: str) -> float | None:
    """The smallest difference of an intersection (of a level, if nothing is crossed) that would have been found."""
    found = [each for each in part.of("deviation", metric) if each.value is not None]
    crossed = [each for each in found if len(each.labels["factors"]) == 2] or found
    return max((each.details["detectable"] for each in crossed), default=None)


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
