"""A report's tables become CSV and LaTeX (booktabs), its figures SVG, PDF and PNG."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from empathic import parts
from empathic.files import atomic
from empathic.reports.material import Material, Section
from empathic.reports.numbers import interval, number, p_value, spoken

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "&%$#_{}"} | {"–": "--", "−": "$-$", "≥": "$\\geq$"})
Rows = Sequence[Sequence[str]]


def profile_rows(material: Material, section: Section) -> tuple[list[str], list[list[str]]]:
    """Head and rows of one section's table: metrics × systems, each value with its interval."""
    values = material.values()
    rows = []
    for metric in section.metrics:
        found = [values.get((metric, system)) for system in material.systems]
        cells = ["–" if each is None else f"{number(each.value)} {interval(each)}".strip() for each in found]
        rows.append([spoken(metric), *cells])
    return ["", *material.systems], rows


def pair_rows(material: Material) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the comparison of all pairs on the headline metrics."""
    headline = {name for section in material.sections for name in section.headline}
    head = ["metric", "systems", "difference", "95 % interval", "d_z", "p (adjusted)", "n"]
    rows = [
        [
            spoken(each.labels["metric"]),
            f"{each.labels['system']} − {each.labels['base']}",
            number(each.value) if each.value is not None else each.missing or "–",
            interval(each),
            number(each.details.get("d_z")),
            p_value(each.p_adjusted),
            str(each.n or ""),
        ]
        for each in material.of("difference")
        if each.labels["metric"] in headline
    ]
    return head, rows


def as_csv(head: Sequence[str], rows: Rows) -> str:
    """Comma-separated values."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([head, *rows])
    return stream.getvalue()


def as_latex(head: Sequence[str], rows: Rows, *, caption: str, label: str) -> str:
    """A booktabs table to paste into a paper."""
    columns = "l" + "r" * (len(head) - 1)
    body = [" & ".join(cell.translate(_SPECIAL) for cell in row) + r" \\" for row in [head, *rows]]
    lines = [
        r"\begin{table}", r"\centering", rf"\caption{{{caption.translate(_SPECIAL)}}}", rf"\label{{tab:{label}}}",
        rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule",
        r"\end{tabular}", r"\end{table}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def write_tables(material: Material, folder: Path) -> list[Path]:
    """Every table as CSV and LaTeX."""
    tables = {section.id: (section.title, *profile_rows(material, section)) for section in material.sections}
    tables["pairs"] = ("Pairs of systems", *pair_rows(material))
    written = []
    for name, (title, head, rows) in tables.items():
        written.append(_write(folder / f"{name}.csv", as_csv(head, rows).encode()))
        written.append(_write(folder / f"{name}.tex", as_latex(head, rows, caption=title, label=name).encode()))
    return written


def write_figures(figures: dict[str, str], folder: Path) -> list[Path]:
    """Every figure as SVG, PDF and PNG, from one source."""
    convert = parts.need("vl_convert")
    written = []
    for name, svg in figures.items():
        plain = svg.replace("currentColor", "#1f2328")
        written.append(_write(folder / f"{name}.svg", plain.encode()))
        written.append(_write(folder / f"{name}.pdf", convert.svg_to_pdf(plain)))
        written.append(_write(folder / f"{name}.png", convert.svg_to_png(plain, scale=2)))
    return written


def _write(path: Path, content: bytes) -> Path:
    with atomic(path) as stream:
        stream.write(content)
    return path
