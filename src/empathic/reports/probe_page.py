"""The material of a probe report → one self-contained HTML page: the verdict first, the evidence below, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from empathic import style
from empathic.records import Estimate
from empathic.reports import html, probe_evidence, probe_words
from empathic.reports.forest import Row, forest, key
from empathic.reports.heat import heat
from empathic.reports.html import Cell
from empathic.reports.numbers import number, p_value
from empathic.reports.probe_evidence import titled
from empathic.reports.probe_material import ProbeMaterial, SystemPart

_HERE = Path(__file__).parent
VERDICTS = ("different", "equivalent", "inconclusive")
SECTIONS = (("verdict", "Verdict"), ("groups", "Groups"), ("cells", "Intersections"), ("places", "Places of options"),
            ("refusals", "Refusals"), ("spread", "Spread"), ("published", "The published rule"), ("controls", "Controls"),
            ("missing", "Missing"), ("examples", "Side by side"))  # fmt: skip

ENDING = (("shifts", "The measures themselves"), ("asked", "What was asked"), ("methods", "Methods and limits"))


def probe_page(material: ProbeMaterial) -> str:
    """The whole report."""
    css = style.css() + "".join((_HERE / name).read_text(encoding="utf-8") for name in ("report.css", "probe.css"))
    script = (_HERE / "report.js").read_text(encoding="utf-8")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(material.title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{css}</style></head><body><main class="report">{"".join(_sections(material))}</main>'
        f"<script>{script}</script></body></html>\n"
    )


def _sections(material: ProbeMaterial) -> Iterator[str]:
    yield _header(material)
    for place, part in enumerate(material.parts):
        yield _verdict(material, part, place)
        yield _groups(material, part, place)
        yield _cells(material, part, place)
        yield probe_evidence.places(part, place)
        yield probe_evidence.refusals(part, place)
        yield probe_evidence.spread(material, part, place)
        yield _published(material, part, place)
        yield probe_evidence.controls(material, part, place)
        yield probe_evidence.missing(material, part, place)
        yield probe_evidence.examples(part, place)
    yield probe_evidence.shifts(material)
    yield _asked(material)
    yield _methods(material)


def _header(material: ProbeMaterial) -> str:
    several = len(material.parts) > 1
    links = [
        (f"{name}-{place}", f"{part.system}: {title}" if several else title)
        for place, part in enumerate(material.parts)
        for name, title in SECTIONS
        if not several or name == "verdict"
    ]
    nav = "".join(
        f'<li><a href="#{name}">{escape(title)}</a></li>'
        for name, title in [
            *links,
            ("shifts", "The measures themselves"),
            ("asked", "What was asked"),
            ("methods", "Methods and limits"),
        ]
    )
    facts = " · ".join(f"{name}: {value}" for name, value in material.asked[:5])
    return (
        f"<header><h1>{escape(material.title)}</h1>{html.paragraph(facts, 'soft small')}</header>"
        f'<nav aria-label="Sections"><ul>{nav}</ul></nav>'
    )


def _verdict(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    said = probe_words.sentences(material, part)
    head = ("measure", "verdict", "worst group", "p, all groups", "margin", "would have been found")
    rows = [_verdict_row(material, part, each) for each in part.of("any")]
    untold = [
        f"{material.named(each.labels['metric']).short}: {each.missing}"
        for each in part.of("any")
        if each.missing is not None
    ]
    note = html.paragraph(
        "Different: established, corrected for all groups and measures. Equivalent: shown to be smaller than the margin. "
        "Inconclusive: neither; then the last column says how large a difference would have been found (power .80). Of the worst "
        "group: its distance to the median group, and in how many draws of templates it is the worst.",
        "soft small",
    )
    return html.section(
        f"verdict-{place}", titled("Verdict", part), html.paragraph(probe_words.lead(material, part), "lead"),
        html.items(said) if said else "",
        html.table(f"verdict-table-{place}", head, rows, caption=f"Verdicts about {part.system}"),
        html.items(untold) if untold else "", note,
    )  # fmt: skip


def _verdict_row(material: ProbeMaterial, part: SystemPart, each: Estimate) -> tuple[object, ...]:
    metric = each.labels["metric"]
    worst = max(part.of("worst", metric), key=lambda one: abs(one.statistic or 0.0), default=None)
    tested = [one for kind in ("contrast", "deviation") for one in part.of(kind, metric) if one.value is not None]
    margin = each.details.get("margin", tested[0].details["margin"] if tested else None)
    found = "–"
    if worst is not None:
        found = f"{worst.labels['group']} ({_signed(worst.value)}; {worst.details['share_of_draws']:.0%})"
    return (
        material.named(metric).short, _said(each.details.get("verdict", "inconclusive")), found, p_value(each.p_adjusted),
        number(margin), number(probe_words.detectable(part, metric)),
    )  # fmt: skip


def _published(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    """The published rule beside our verdict, with how often it alarms for nothing."""
    words = probe_words.verdicts(part)
    rows = [
        (material.named(each.labels["metric"]).short, probe_words.outliers(each), *probe_words.alarms(each),
         _said(words.get(each.labels["metric"], "inconclusive")))
        for each in part.of("published")
    ]  # fmt: skip
    note = html.paragraph(
        "The rule “a group more than 3 standard errors from the mean is an outlier”, without correction, as published. The "
        "alarms are counted on the same answers dealt anew within templates, where nobody is treated differently: that often the "
        "rule calls an outlier for nothing.",
        "soft",
    )
    head = ("measure", "outliers, z > 3", "false alarms, z > 3", "false alarms, z > 2", "verdict here")
    table = (
        html.table(f"published-table-{place}", head, rows, caption=titled("The published rule", part)) if rows else ""
    )
    return html.section(f"published-{place}", titled("The published rule", part), note, table)


def _groups(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    blocks = []
    for number_, metric in enumerate(_tested(part)):
        contrasts = [each for each in part.of("contrast", metric) if len(each.labels["factors"]) == 1]
        if contrasts:
            blocks.append(_block(material, metric, _forest(material, metric, contrasts), number_ == 0))
    note = html.paragraph(
        f"Each group against the reference of its dimension ({_references(material)}), within the same templates. The band is "
        "the margin; an interval inside it is what equivalence looks like.",
        "soft",
    )
    return html.section(f"groups-{place}", titled("Groups", part), note, key(VERDICTS), *blocks)


def _forest(material: ProbeMaterial, metric: str, contrasts: Sequence[Estimate]) -> str:
    named = material.named(metric)
    rows = [
        Row(each.labels["group"], each.value, each.low, each.high, each.details.get("verdict", ""))
        for each in contrasts
        if each.value is not None
    ]
    margin = next((each.details["margin"] for each in contrasts if each.value is not None), None)
    if not rows:
        return html.paragraph("No group could be compared with its reference.")
    svg = forest(
        rows, title=f"Groups: {named.short}", axis=f"{named.short}, difference to the reference", margin=margin
    )
    better = {"higher": "Higher is better.", "lower": "Lower is better."}.get(
        named.better, "Neither direction is better."
    )
    return html.figure(svg, f"{named.title}: difference to the reference with 95 % interval over templates. {better}")


def _cells(material: ProbeMaterial, part: SystemPart, place: int) -> str:
    blocks = []
    for number_, metric in enumerate(_tested(part)):
        crossed = [each for each in part.of("deviation", metric) if len(each.labels["factors"]) == 2]
        pairs = list(dict.fromkeys(tuple(each.labels["factors"]) for each in crossed))
        tables = [_heat(material, part, metric, pair) for pair in pairs]
        if tables:
            blocks.append(_block(material, metric, "".join(tables), number_ == 0))
    if not blocks:
        return html.section(
            f"cells-{place}", titled("Intersections", part), html.paragraph("No two dimensions were crossed.")
        )
    note = html.paragraph(
        "Each cell: the group's mean, below it how far that is from the median group. Blue is above, orange below; only cells "
        "that say “different” are established. Beyond both main effects: what an intersection has of its own.",
        "soft",
    )
    return html.section(f"cells-{place}", titled("Intersections", part), note, *blocks)


def _heat(material: ProbeMaterial, part: SystemPart, metric: str, pair: tuple[str, ...]) -> str:
    def of(kind: str) -> list[Estimate]:
        return [each for each in part.of(kind, metric) if tuple(each.labels["factors"]) == pair]

    said = [
        probe_words.claim(material, each) for each in of("interaction") if each.details.get("verdict") == "different"
    ]
    beyond = (
        html.paragraph("Beyond the two main effects:") + html.items(said)
        if said
        else html.paragraph("No intersection is established to differ beyond its two main effects.", "soft small")
    )
    caption = f"{part.system}, {material.named(metric).short}: {pair[0]} × {pair[1]}"
    return heat(of("deviation"), of("mean"), caption=caption) + beyond


def _asked(material: ProbeMaterial) -> str:
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in material.asked)
    return html.section("asked", "What was asked", f'<dl class="asked">{facts}</dl>')


def _methods(material: ProbeMaterial) -> str:
    return html.section(
        "methods", "Methods and limits", "<h3>What can and cannot be concluded</h3>", html.items(material.limits),
        "<h3>Methods</h3>", *(html.paragraph(text, "say") for text in material.methods), "<h3>Sources</h3>",
        html.items(material.sources),
    )  # fmt: skip


def _block(material: ProbeMaterial, metric: str, content: str, opened: bool) -> str:
    title = escape(material.named(metric).title)
    return f"<details{' open' if opened else ''}><summary>{title}</summary>{content}</details>"


def _tested(part: SystemPart) -> list[str]:
    """Measures with something to show, those that differ first."""
    ordered = dict.fromkeys([*probe_words.differing(part), *probe_words.verdicts(part)])
    return [metric for metric in ordered if part.of("deviation", metric)]


def _references(material: ProbeMaterial) -> str:
    return ", ".join(f"{factor}: {level}" for factor, level in material.references.items())


def _said(verdict: str) -> Cell:
    return Cell(f'<span class="verdict {escape(verdict, quote=True)}">{escape(verdict)}</span>')


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3g}".replace("-", "−")
