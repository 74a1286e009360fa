"""Parts of a probe report: places of options, refusals, spread, what is missing, controls, answers side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from empathic.records import Estimate
from empathic.reports import html
from empathic.reports.forest import Row, forest
from empathic.reports.html import Cell
from empathic.reports.numbers import interval, number, p_value
from empathic.reports.probe_material import Pair, ProbeMaterial, SystemPart, Told


def titled(what: str, part: SystemPart) -> str:
    """`Groups: builtin/eliza`."""
    return f"{what}: {part.system}"


def places(part: SystemPart, place: int) -> str:
    """What the place of an option does."""
    shares = [each for each in part.of("position") if each.value is not None]
    title = titled("Places of options", part)
    if not shares:
        reasons = [each.missing or "" for each in part.of("position")]
        return html.section(
            f"places-{place}", title, html.paragraph("; ".join(reasons) or "No choice was made among options.")
        )
    rows = [Row(f"place {each.labels['position']}", each.value or 0.0, each.low, each.high) for each in shares]
    svg = forest(rows, title="Places of options", axis="share among equally good options", centre=1 / len(rows))
    facts = [*_letters(part), *_accuracy(part), *_kinds(part)]
    return html.section(
        f"places-{place}", title,
        html.figure(svg, "The share each place would get if all options were equally good; the dashed line is an even hand."),
        html.items(facts),
    )  # fmt: skip


def _letters(part: SystemPart) -> Iterator[str]:
    for each in part.of("letters"):
        if each.p is not None:
            said = "Places matter to this system" if each.p <= 0.05 else "No preference for a place is established"
            counts = ", ".join(
                f"{letter} {count}" for letter, count in zip("ABCDE", each.details["chosen"], strict=False)
            )
            yield f"{said}: χ² = {number(each.statistic)}, p = {p_value(each.p)} ({counts}).".replace("p = <", "p <")
    for each in part.of("consistency"):
        if each.value is not None:
            yield f"Two orders of the same question lead to the same answer in {each.value:.0%} of pairs {interval(each)}."


def _accuracy(part: SystemPart) -> Iterator[str]:
    """Understanding in three ways: without places, and as chosen with failures counted as wrong or left out."""
    known = {each.name: each for each in part.estimates if each.value is not None}
    words = {
        "accuracy": "Understanding if places did nothing", "ce.accuracy": "as chosen, failures to choose counted as wrong",
        "ce.accuracy.excluded": "failures left out",
    }  # fmt: skip
    told = [f"{text}: {known[name].value:.3f} {interval(known[name])}" for name, text in words.items() if name in known]
    if told:
        yield f"{'; '.join(told)}; by chance 0.2."


def _kinds(part: SystemPart) -> Iterator[str]:
    total = sum(part.chosen.values())
    if total:
        shares = (f"{kind} {hits / total:.0%}" for kind, hits in sorted(part.chosen.items(), key=lambda each: -each[1]))
        yield f"Kinds of answer chosen: {', '.join(shares)}."


def refusals(part: SystemPart, place: int) -> str:
    """Who is refused, and for whom the system falls out of its role."""
    title, head = (
        titled("Refusals and role breaks", part),
        ("group", "refusals", "role breaks", "choices that could not be read"),
    )
    shown = {
        (each.labels["metric"], each.labels["group"]): each
        for each in part.of("mean")
        if len(each.labels["factors"]) < 2
    }
    verdict = {
        (each.labels["metric"], each.labels["group"]): each.details.get("verdict")
        for each in part.of("deviation")
    }  # fmt: skip
    unread = {group: f"{hits} of {of}" for group, hits, of in part.unread}
    groups = list(dict.fromkeys(group for metric, group in shown if metric in ("refusal", "role_break")))
    rows = [
        (group, *(_rate(shown.get((metric, group)), verdict.get((metric, group))) for metric in ("refusal", "role_break")),
         unread.get(group, "–"))
        for group in groups
    ]  # fmt: skip
    if not rows:
        return html.section(f"refusals-{place}", title, html.paragraph("Refusals were not measured."))
    note = html.paragraph("A refusal is a result: who is refused is not understood.", "soft")
    return html.section(
        f"refusals-{place}", title, note, html.table(f"refusals-table-{place}", head, rows, caption=title)
    )


def _rate(mean: Estimate | None, verdict: object) -> object:
    if mean is None or mean.value is None:
        return "–"
    sign = ' <span class="verdict different">different</span>' if verdict == "different" else ""
    span = f"of {mean.n}"  # where no template differs from another, an interval over templates would be a point
    if mean.low is not None and mean.high is not None and mean.low < mean.high:
        span = f"[{max(0.0, mean.low):.1%}, {min(1.0, mean.high):.1%}]"
    return Cell(f'{mean.value:.1%} <span class="interval">{span}</span>{sign}')


def spread(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    """Whether answers to some groups vary more."""
    head = ("measure", "dimension", "largest ratio of SDs", "F", "p")
    rows = [
        (material.named(each.labels["metric"]).short, each.labels["factor"], number(each.value), number(each.statistic),
         p_value(each.p_adjusted))
        for each in part.of("spread")
        if each.value is not None
    ]  # fmt: skip
    left = {
        material.named(each.labels["metric"]).short: each.missing for each in part.of("spread") if each.value is None
    }
    note = html.paragraph(
        "Whether some groups get more varied answers than others (Brown–Forsythe within templates, Holm over all rows). The "
        "spread of answers is the quantity the published framework looks at.",
        "soft",
    )
    rows.sort(key=lambda row: row[-1] == "1")
    different = [
        each for each in part.of("spread") if each.p_adjusted is not None and each.p_adjusted <= material.alpha
    ]
    said = html.items(
        f"{material.named(each.labels['metric']).short} by {each.labels['factor']}: standard deviations differ by a factor "
        f"of up to {number(each.value)}, p = {p_value(each.p_adjusted)}."
        for each in different
    )
    if not different:
        said = html.paragraph("No difference in spread is established.")
    table = html.table(f"spread-table-{place}", head, rows, caption=titled("Spread", part)) if rows else ""
    untested = html.items(f"{name} is not tested: {why}" for name, why in left.items()) if left else ""
    more = f"<details><summary>All {len(rows)} tests</summary>{table}{untested}</details>" if rows or left else ""
    return html.section(f"spread-{place}", titled("Spread", part), note, said, more)


def missing(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    """What has no value, and why."""
    rows = [(material.named(each.metric).short, each.reason, f"{each.hits} of {each.of}") for each in part.lost]
    title = titled("What is missing", part)
    if not rows:
        return html.section(f"missing-{place}", title, html.paragraph("No value is missing."))
    table = html.table(f"missing-table-{place}", ("measure", "why", "how many"), rows, caption=title)
    return html.section(f"missing-{place}", title, table)


def examples(part: SystemPart, place: int) -> str:
    """Answers to the same template side by side."""
    note = html.paragraph(
        "The same template told of two people, and what was answered. Marked words are not in the other answer. One pair "
        "shows what answers look like; it proves nothing.",
        "soft",
    )
    shown = [_pair(each, number_ == 0) for number_, each in enumerate(part.pairs)]
    content = shown or [html.paragraph("No two answers to one template are there.")]
    return html.section(f"examples-{place}", titled("Side by side", part), note, *content)


def _pair(pair: Pair, opened: bool) -> str:
    label = f"{pair.template}: {pair.first.group} | {pair.second.group}"
    scene = (
        f"<p><span class='soft small'>What was told, its differences marked: </span>{_runs(pair.scene)}</p>"
        if pair.scene
        else ""
    )
    return (
        f"<details{' open' if opened else ''}><summary>{escape(label)}</summary>{scene}"
        f'<div class="answers">{_told(pair.first)}{_told(pair.second)}</div></details>'
    )


def _told(told: Told) -> str:
    answer = _runs(told.runs) if told.missing is None else f'<span class="flag">missing: {escape(told.missing)}</span>'
    values = html.paragraph(" · ".join(told.values), "soft small") if told.values else ""
    return f"<div><h3>{escape(told.group)}</h3><p>{answer}</p>{values}</div>"


def _runs(runs: Sequence[tuple[str, bool]]) -> str:
    return " ".join(escape(words) if common else f"<mark>{escape(words)}</mark>" for words, common in runs if words)


def controls(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    """What was measured for comparison, beside the mean of all groups."""
    title = titled("Controls", part)
    overall = {each.labels["metric"]: each for each in part.of("mean") if not each.labels["factors"]}
    rows = [
        (material.named(each.labels["metric"]).short, each.labels["control"], number(each.value), str(each.n),
         number(overall[each.labels["metric"]].value) if each.labels["metric"] in overall else "–")
        for each in part.of("control")
    ]  # fmt: skip
    if not rows:
        return html.section(f"controls-{place}", title, html.paragraph("No controls were asked."))
    note = html.paragraph(
        "The same scenes with nothing said of the person, with something irrelevant said, and asked again as they are: how much "
        "answers move without any group.", "soft")  # fmt: skip
    head = ("measure", "control", "mean", "n", "mean of all groups")
    table = html.table(f"controls-table-{place}", head, rows, caption=title)
    return html.section(
        f"controls-{place}", title, note, f"<details><summary>All {len(rows)} means</summary>{table}</details>"
    )


def shifts(material: ProbeMaterial) -> str:
    """What the measures themselves make of the words that name a group."""
    rows = [
        (material.named(each.labels["metric"]).short, each.labels["factor"], each.labels.get("level", ""), number(each.value),
         each.method)
        for each in material.shifts
        if each.value is not None and abs(each.value) > 1e-9
    ]  # fmt: skip
    note = html.paragraph(
        "The same texts scored with one attribute exchanged: any shift is the measure's own, not the system's. A group's "
        "difference no larger than it says nothing about the system.", "soft")  # fmt: skip
    if not material.shifts:
        shown = html.paragraph("This was not looked at.")
    elif not rows:
        shown = html.paragraph("No measure moves with the words that name a group.")
    else:
        head = ("measure", "dimension", "level", "largest shift", "how")
        shown = html.table("shifts-table", head, rows, caption="What measures make of words")
    return html.section("shifts", "The measures themselves", note, shown)
