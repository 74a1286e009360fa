"""A model becomes what stands beside its scores: how good it is, whether it notices the context, what fools it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from empathic import files
from empathic.contracts import Value
from empathic.metrics.batch import Batch
from empathic.metrics.quality import Quality
from empathic.metrics.sensitivity import Scorer, read_probes, run_probes
from empathic.records import Record, Response

MEASURED = Path(__file__).parent / "measured.json"
Score = Callable[[Batch], Mapping[str, Sequence[Value | str]]]


class Measured(Record, frozen=True):
    """The figures of one embedded classifier, as `empathic models measure` gives them."""

    label: str
    pairs: Quality  # test split of the project's pairs
    epitome: Quality | None = None  # all rows of the released EPITOME files, never fitted on
    context_change: float = 0.0  # mean change of the expected level with swapped prompts, on the test split
    context_flipped: float = 0.0


def measured(path: Path = MEASURED) -> dict[str, Measured]:
    """The figures kept with the package, by label."""
    return {each.label: each for each in files.read_json(path, list[Measured])}


def quality_text(labels: Sequence[str]) -> str:
    """Accuracy / macro-F1 on data not fitted on, and the context-sensitivity index, in one line."""
    found = [measured()[label] for label in labels]
    pieces = [
        "accuracy/macro-F1 on the test split of our pairs " + _figures((each.label, each.pairs) for each in found)
    ]
    if all(each.epitome for each in found):
        pieces.append("on EPITOME (Reddit) " + _figures((each.label, each.epitome) for each in found if each.epitome))
    context = ", ".join(f"{each.label} {each.context_change:.2f}" for each in found)
    return "; ".join(pieces) + f"; mean change with a swapped prompt {context}"


def _figures(pairs: Iterable[tuple[str, Quality]]) -> str:
    return ", ".join(f"{label} {one.accuracy:.2f}/{one.macro_f1:.2f}".replace("0.", ".") for label, one in pairs)


def probes_text(columns: Mapping[str, str], score: Score) -> str:
    """Each probe with its value beside that of the genuine reply; `columns`: what a probe is about → column."""
    pieces = []
    for about, column in columns.items():
        for result in run_probes(_scorer(score, column), read_probes(about)):
            if result.value is not None and result.genuine is not None:
                fooled = " (fooled)" if result.fooled else ""
                pieces.append(f'"{result.text}" {result.value:.1f} against {result.genuine:.1f}{fooled}')
    return "probes: " + ", ".join(pieces)


def _scorer(score: Score, column: str) -> Scorer:
    def scorer(responses: Sequence[Response]) -> list[float | None]:
        found = score(Batch(responses))[column]
        return [value if isinstance(value, float) else None for value in found]

    return scorer
