"""The material of a report becomes one self-contained HTML page: the answer first, the evidence below, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from empathic import style
from empathic.records import Estimate
from empathic.reports import html
from empathic.reports.exports import pair_rows
from empathic.reports.figures import Dot, dots, legend
from empathic.reports.html import Cell
from empathic.reports.material import Material, Section
from empathic.reports.numbers import interval, number, p_value, spoken

_HERE = Path(__file__).parent
_BETTER = {"higher": "higher", "lower": "lower", "zero": "nearer zero", "human": "nearer the reference",
           "neither": "neither"}  # fmt: skip


def page(material: Material) -> str:
    """The whole report."""
    css = style.css() + (_HERE / "report.css").read_text(encoding="utf-8")
    script = (_HERE / "report.js").read_text(encoding="utf-8")
    body = "".join(_sections(material))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(material.title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{css}</style></head><body><main class="report">{body}</main><script>{script}</script></body></html>\n'
    )


def figures(material: Material) -> dict[str, str]:
    """Every figure by name."""
    made = {"profile": distance_figure(material)}
    for section in material.sections:
        made[section.id] = section_figure(material, section)
    return {name: svg for name, svg in made.items() if svg}


def distance_figure(material: Material) -> str:
    """Each system's headline numbers as distances to the reference, in standard deviations of the reference."""
    base = material.reference or material.systems[0]
    values = material.values()
    found = []
    for each in material.of("difference"):
        sides = (each.labels["base"], each.labels["system"])
        spread = values.get((each.labels["metric"], base))
        if base not in sides or spread is None or each.value is None or not spread.details.get("sd"):
            continue
        if each.labels["metric"] not in _headline(material):
            continue
        sign = 1.0 if sides[0] == base else -1.0
        found.append(_distance(each, sides[1] if sides[0] == base else sides[0], sign / float(spread.details["sd"])))
    if not found:
        return ""
    axis = f"distance to {material.reference_name if material.reference else base}, in its standard deviations"
    return dots(found, material.systems, title="Profile: distance to the reference", axis=axis, zero=True)


def section_figure(material: Material, section: Section) -> str:
    """The means of one section, each metric on the section's axis only if they share a range; else the headline ones."""
    values = material.values()
    metrics = list(section.headline) or list(section.metrics)[:4]
    found = [
        Dot(spoken(metric), system, each.value, each.low, each.high)
        for metric in metrics
        for system in material.systems
        if (each := values.get((metric, system))) is not None and each.value is not None
    ]
    sizes = [abs(dot.value) for dot in found]
    if not found or max(sizes) > 20 * (min(sizes) + 0.05):
        return ""
    return dots(found, material.systems, title=section.title, axis="mean with 95 % interval")


def _distance(difference: Estimate, system: str, factor: float) -> Dot:
    ends = [None if end is None else end * factor for end in (difference.low, difference.high)]
    low, high = (ends[0], ends[1]) if factor > 0 else (ends[1], ends[0])
    return Dot(spoken(difference.labels["metric"]), system, (difference.value or 0.0) * factor, low, high)


def _headline(material: Material) -> list[str]:
    return [name for section in material.sections for name in section.headline]


def _sections(material: Material) -> Iterator[str]:
    yield _header(material)
    yield _profile(material)
    for section in material.sections:
        yield _dimension(material, section)
    yield _pairs(material)
    yield _groups(material)
    yield _equal_length(material)
    yield _pathologies(material)
    yield _phrases(material)
    yield _examples(material)
    yield _methods(material)


def _header(material: Material) -> str:
    facts = " · ".join(f"{name}: {value}" for name, value in material.facts.items())
    links = [("profile", "Profile"), *((each.id, each.title) for each in material.sections), ("pairs", "Pairs"),
             ("groups", "Emotions"), ("length", "Equal length"), ("pathologies", "What goes wrong"),
             ("phrases", "Phrases"), ("dialogues", "Dialogues"), ("methods", "Methods")]  # fmt: skip
    nav = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in links)
    return (
        f"<header><h1>{escape(material.title)}</h1>{html.paragraph(facts, 'soft small')}</header>"
        f'<nav aria-label="Sections"><ul>{nav}</ul></nav>'
    )


def _profile(material: Material) -> str:
    figure = distance_figure(material)
    caption = (
        f"Each system's distance to {material.reference_name}; the dashed line is the reference. Intervals are 95 %, by "
        "dialogue. Closer is better for word choice, length and questions; for the others see each section."
    )
    missing = [
        f"{system}: {sum(reasons.values())} of {material.responses.get(system, 0)} responses missing "
        f"({', '.join(f'{count} × {reason}' for reason, count in reasons.items())})"
        for system, reasons in material.missing.items()
        if reasons
    ]
    counted = html.items(missing) if missing else html.paragraph("No response is missing.", "soft small")
    flags = "".join(f'<p class="note warn">{escape(flag)}</p>' for flag in material.flags)
    shown = html.figure(figure, caption) if figure else html.paragraph("One system: there is nothing to compare with.")
    return html.section("profile", "Profile", legend(material.systems), shown, flags, _answers(material), counted)


def _answers(material: Material) -> str:
    """Which systems cannot be told apart on each headline number."""
    rows = [(spoken(metric), Cell("<br>".join(escape(", ".join(group)) for group in groups)))
            for metric, groups in material.groups.items()]  # fmt: skip
    if not rows:
        return ""
    head = ("measure", "systems that cannot be told apart (one line each group; Holm, α = .05)")
    return html.table("groups-table", head, rows, caption="Groups of systems that cannot be told apart")


def _dimension(material: Material, section: Section) -> str:
    values = material.values()
    rows = []
    for metric in section.metrics:
        cells: list[object] = []
        for system in material.systems:
            each = values.get((metric, system))
            cells.append(_value(each))
        rows.append((spoken(metric), *cells, _BETTER.get(material.better.get(metric, ""), "")))
    figure = section_figure(material, section)
    shown = html.figure(figure, "Mean with 95 % interval by dialogue.") if figure else ""
    head = ("", *material.systems, "better is")
    return html.section(
        section.id, section.title, html.paragraph(section.question, "soft"), shown,
        html.table(f"{section.id}-table", head, rows, caption=section.title),
    )  # fmt: skip


def _value(estimate: Estimate | None) -> Cell:
    if estimate is None:
        return Cell("–")
    if estimate.value is None:
        return Cell(f'<span class="soft">missing: {escape(estimate.missing or "")}</span>')
    shown = f'{number(estimate.value)} <span class="interval">{interval(estimate)}</span>'
    return Cell(f'<span title="n = {estimate.n}, {escape(estimate.signature or "", quote=True)}">{shown}</span>')


def _pairs(material: Material) -> str:
    head, rows = pair_rows(material)
    detectable = [
        f"{spoken(each.labels['metric'])}: differences below {number(each.details['minimum_detectable'])} could not be seen "
        f"with {each.details['dialogues']} dialogues (power .80)"
        for each in material.of("difference")
        if each.labels["metric"] in _headline(material) and each.details.get("minimum_detectable")
    ]
    smallest = html.items(list(dict.fromkeys(detectable))[:12])
    return html.section(
        "pairs", "Pairs of systems", html.table("pairs-table", head, rows, caption="Pairs of systems"),
        f"<details><summary>What these dialogues could show</summary>{smallest}</details>",
    )  # fmt: skip


def _groups(material: Material) -> str:
    tests = material.of("interaction")
    rows = [
        (f"{spoken(each.labels['metric'])} by {each.labels['by']}", f"{each.labels['system']} − {each.labels['base']}",
         number(each.statistic), p_value(each.p))
        for each in tests
    ]  # fmt: skip
    claimed = {(each.labels["metric"], each.labels["system"], each.labels["by"])
               for each in tests if each.p is not None and each.p < 0.05}  # fmt: skip
    details = [
        (
            spoken(each.labels["metric"]),
            each.labels["system"],
            each.labels.get("group", ""),
            number(each.value),
            interval(each),
        )
        for kind in ("polarity", "emotion")
        for each in material.of(kind)
        if (each.labels["metric"], each.labels["system"], kind) in claimed and each.value is not None
    ]
    note = html.paragraph(
        "A difference in one emotion is only claimed where the test that differences vary between emotions stands; values "
        "are partially pooled towards the common difference.", "soft")  # fmt: skip
    head = ("measure", "systems", "F", "p")
    more = html.table("emotions-table", ("measure", "system", "group", "difference", "95 % interval"), details,
                      caption="Differences per group") if details else ""  # fmt: skip
    content = html.table("interactions-table", head, rows, caption="Does the difference vary?") if rows else ""
    return html.section("groups", "Emotions and polarity", note, content, more)


def _equal_length(material: Material) -> str:
    rows = [
        (spoken(each.labels["metric"]), f"{each.labels['system']} − {each.labels['base']}", number(each.value),
         interval(each), each.missing or "")
        for each in material.of("equal-length")
    ]  # fmt: skip
    note = html.paragraph("The difference two systems would have if their responses were equally long. Where length is part "
                          "of how empathy is shown, the raw difference is the answer.", "soft")  # fmt: skip
    head = ("measure", "systems", "difference at equal length", "95 % interval", "")
    return html.section(
        "length", "At equal length", note, html.table("length-table", head, rows, caption="At equal length")
    )


def _pathologies(material: Material) -> str:
    rows = [
        (each.name, each.system, Cell(f'<span class="{"flag" if each.flagged else ""}">{each.hits} of {each.n}</span>'),
         Cell("<br>".join(f"“{escape(text)}”" for text in each.examples)), each.meaning)
        for each in material.pathologies
        if each.hits
    ]  # fmt: skip
    head = ("what", "system", "how often", "examples", "why it matters")
    return html.section(
        "pathologies", "What goes wrong", html.table("pathologies-table", head, rows, caption="Pathologies")
    )


def _phrases(material: Material) -> str:
    blocks = [
        f"<details><summary>{escape(each.system)}</summary><h3>Templates</h3>"
        f"{html.items(f'{count} × {text}' for text, count in each.templates)}<h3>Spans</h3>"
        f"{html.items(f'{count} × {text}' for text, count in each.spans)}"
        f"<h3>Beginnings, as a tree</h3>{html.tree(each.beginnings)}</details>"
        for each in material.phrases
    ]
    return html.section("phrases", "What is said again and again", *blocks)


def _examples(material: Material) -> str:
    emotions = sorted({each.emotion for each in material.examples if each.emotion})
    options = "".join(f"<option>{escape(each)}</option>" for each in emotions)
    chooser = (
        f'<p><label for="choose-emotion">Emotion</label> <select id="choose-emotion"><option value="">all</option>{options}'
        "</select></p>" if emotions else ""
    )  # fmt: skip
    note = html.paragraph(
        f"{len(material.examples)} places; marked words earned the score named when you point at them.", "soft"
    )
    return html.section("dialogues", "Dialogues", note, chooser, *(html.example(each) for each in material.examples))


def _methods(material: Material) -> str:
    sources = "".join(f"<li>{escape(each.citation)}</li>" for each in material.sources)
    bibtex = escape("\n\n".join(each.bibtex for each in material.sources))
    return html.section(
        "methods", "Methods, limits, sources",
        *(html.paragraph(text) for text in material.methods), "<h3>Limits</h3>",
        *(html.paragraph(text) for text in material.limitations), "<h3>Licences</h3>", html.items(material.licences),
        f"<h3>Sources</h3><ul>{sources}</ul><details><summary>BibTeX</summary>"
        f'<pre class="copy" tabindex="0">{bibtex}</pre></details>',
    )  # fmt: skip
