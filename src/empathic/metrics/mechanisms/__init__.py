"""Responses become levels of empathy's communication mechanisms (0–2) and of reflection (0–1), with their evidence.

Emotional reaction, interpretation and exploration are the mechanisms of Sharma et al. (2020, EPITOME); reflection is
that of Min et al. (2022, PAIR). The model that comes with the package is linear over named features and was fitted on
labelled pairs written for this project (`pairs.jsonl`, CC BY 4.0; `tools/mechanisms/fit.py` makes `weights.json`).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from empathic import files
from empathic.contracts import Column, Texts, Value
from empathic.metrics import fitted, linear
from empathic.metrics.linear import Linear
from empathic.metrics.mechanisms.levels import embedded_scores, fitted_scores
from empathic.metrics.mechanisms.pairs import Pair, read_pairs
from empathic.metrics.mechanisms.reporting import probes_text, quality_text
from empathic.registry import register

__all__ = ["MECHANISMS", "Mechanisms", "Pair", "Reflection", "embedded", "read_pairs"]

WEIGHTS = Path(__file__).parent / "weights.json"
MECHANISMS = ("er", "ip", "ex")
TITLES = {
    "er": "emotional reaction: feeling shown for the other",
    "ip": "interpretation: understanding shown or, mostly on Reddit, a similar experience shared",
    "ex": "exploration: trying to learn more",
    "level": "reflection of what the other said: 0 none, .5 simple, 1 complex",
}
IP_NOTE = "ip credits a shared experience as well as understanding (on Reddit mostly the former)"


@functools.cache
def embedded() -> Mapping[str, Linear]:
    """The classifiers that come with the package: er, ip, ex, reflection."""
    return linear.read(WEIGHTS)


def columns(names: Sequence[str], high: float) -> tuple[Column, ...]:
    """Per mechanism its level, the sentence that carries it, and how far the level depends on the prompt."""
    found: list[Column] = []
    moved = "mean change when the response answers another prompt"
    for name in names:
        found.append(Column(name=name, low=0, high=high, better="human", summary=TITLES[name]))
        found.append(Column(name=f"{name}_evidence", text=True, summary="the sentence that carries it"))
        found.append(Column(name=f"{name}_context", low=0, high=high, summary=moved))
    return tuple(found)


@register("metric", "mechanisms")
class Mechanisms:
    """Emotional reaction, interpretation and exploration (0–2) as expected levels, each with its evidence sentence.

    The expected level is Σ p(level) · level. `ip` counts an experience shared as well as understanding shown, as
    EPITOME does; use `reflection` for understanding alone. Do not add the three up. `model` is `embedded`, or the
    name (`epitome`) or path of what `empathic models fit epitome` made.
    """

    columns = columns(MECHANISMS, 2)

    def __init__(self, *, model: str = "embedded") -> None:
        self.model = model
        self.fitted = None if model == "embedded" else fitted.load(model)
        probes = probes_text({name: name for name in MECHANISMS}, self.score)
        source = quality_text(MECHANISMS) if self.fitted is None else f"fitted on {self.fitted.source}"
        self.caution = f"{source}; {IP_NOTE}; {probes}."

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"model": fingerprint() if self.fitted is None else self.fitted.source}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value | str]]:
        """Levels, evidence and dependence on the prompt."""
        if self.fitted is not None:
            return fitted_scores(self.fitted, MECHANISMS, batch)
        return embedded_scores({name: embedded()[name] for name in MECHANISMS}, batch)


@register("metric", "reflection")
class Reflection:
    """How far a response mirrors what was said: 0 not, .5 simply (restated), 1 complexly (meaning added)."""

    columns = columns(("level",), 1)

    def __init__(self) -> None:
        probes = probes_text({"reflection": "level"}, self.score)
        self.caution = f"{quality_text(('reflection',))}; {probes}."

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"model": fingerprint()}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value | str]]:
        """Level, evidence and dependence on the prompt."""
        return embedded_scores({"level": embedded()["reflection"]}, batch)


@functools.cache
def fingerprint() -> str:
    """The name of the embedded model with the first digits of its content's hash."""
    return f"embedded@{files.sha256(WEIGHTS)[:8]}"
