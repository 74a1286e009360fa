"""Lee et al. (2024), a multidimensional analysis: the released responses become Table 2, the claims, and findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from empathic.metrics.trie import Shape
from empathic.papers.checks import Check, Reproduction, cell_matches
from empathic.papers.lee2024_data import BASELINE, HUMAN, Released, System, published
from empathic.papers.lee2024_findings import findings

PAPER = "lee2024"
TABLE_2 = (
    "templates",
    "templates_pct",
    "span_types",
    "total_nodes",
    "span_types_pct",
    "root_children",
    "root_children_pct",
    "compression_pct",
    "start_words",
)


def reproduce(folder: Path) -> Reproduction:
    """Every cell of Table 2 and the claims of Figures 2 and 4, for the systems in the folder; then findings."""
    released = Released(folder)
    checks = [check for system in released.systems.values() for check in _table_2(system)]
    checks += [*_figure_2(released), *_figure_4(released)]
    return Reproduction(paper=PAPER, checks=tuple(checks), findings=tuple(findings(released)))


def _table_2(system: System) -> Iterator[Check]:
    computed = _cells(system.as_printed, published()["responses"])
    for column in TABLE_2:
        printed = str(system.printed[column])
        digits = len(printed.partition(".")[2])
        match = cell_matches(float(printed), computed[column], digits)
        value = float(printed) if digits else int(printed)
        yield Check(
            table="Table 2", row=system.name, column=column, published=value, computed=computed[column], match=match
        )


def _cells(found: Shape, responses: int) -> dict[str, float]:
    """The columns as printed: percentages are of 5,255 responses, whatever the file holds."""
    return {
        "templates": found.templates,
        "templates_pct": 100 * found.templates / responses,
        "span_types": found.span_types,
        "total_nodes": found.total_nodes,
        "span_types_pct": 100 * found.span_types / found.total_nodes,
        "root_children": found.root_children,
        "root_children_pct": 100 * found.root_children / responses,
        "compression_pct": 100 * found.compression,
        "start_words": found.start_words,
    }


def _figure_2(released: Released) -> Iterator[Check]:
    values = released.specificity
    others = [name for name in values if name not in (HUMAN, BASELINE)]
    if BASELINE in values and others:
        near = [name for name in others if abs(values[name] - values[BASELINE]) <= 0.005]
        yield _claim(
            "most systems within .005 of EmpatheticDialogue", "most", near, others, 2 * len(near) > len(others)
        )
        lower = [name for name in others if values[name] < values[BASELINE]]
        # with all eight systems exactly four must be lower; with fewer, at most four may be on either side
        fits = len(lower) <= 4 and len(others) - len(lower) <= 4
        yield _claim("lower than EmpatheticDialogue", "4 of 8", lower, others, fits)
    if HUMAN in values:
        below = [name for name in values if name != HUMAN and values[name] < values[HUMAN]]
        systems = [name for name in values if name != HUMAN]
        yield _claim("less specific than humans", "all", below, systems, len(below) == len(systems))


def _claim(claim: str, published_: str, holds: list[str], among: list[str], match: bool) -> Check:
    computed = f"{len(holds)} of {len(among)}: {', '.join(holds) or 'none'}"
    return Check(
        table="Figure 2", row=claim, column="specificity", published=published_, computed=computed, match=match
    )


def _figure_4(released: Released) -> Iterator[Check]:
    """Earlier systems (MoEL, MIME) are said to score better than newer ones: closer to zero than most of them."""
    for column in ("intensity", "arousal", "valence"):
        values = released.word_choice.get(f"{column}.difference", {})
        early = [name for name in values if released.systems[name].early]
        newer = [name for name in values if name not in (HUMAN, BASELINE, *early)]
        if early and newer:
            better = [name for name in early if _closer(name, newer, values)]
            shown = ", ".join(f"{name} {values[name]:+.4f}" for name in (*early, *newer))
            yield Check(
                table="Figure 4",
                row="MoEL and MIME closer to zero than newer systems",
                column=column,
                published="yes",
                computed=f"{len(better)} of {len(early)} ({shown})",
                match=len(better) == len(early),
            )


def _closer(name: str, newer: list[str], values: dict[str, float]) -> bool:
    return 2 * sum(abs(values[name]) < abs(values[other]) for other in newer) > len(newer)
