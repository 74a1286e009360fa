"""A language becomes the scorer of free answers: distances of affect and levels of communication mechanisms.

    ae.X = |mean of X over the known words of the speaker's last utterance − the same over those of the answer|

for X valence, arousal and dominance (means do not grow with length, largest values do), and the expected levels
(0 to 2) of emotional reaction, interpretation and exploration (EPITOME, Sharma et al. 2020). Both read English; for
another language affect needs a lexicon of it, and mechanisms are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from empathic.contracts import Missing, Value
from empathic.metrics.batch import Batch
from empathic.metrics.measure import Measure, build
from empathic.records import Response

SCALES = ("valence", "arousal", "dominance")
MECHANISMS = {"er": "emotional_reactions", "ip": "interpretations", "ex": "explorations"}
ENGLISH = "en"
TOKENS = "ptb"


class FreeAnswers:
    """Scores free answers in one language; callable as the measuring wants it."""

    def __init__(self, language: str = ENGLISH, *, lexicon: str | None = None) -> None:
        self.language = language
        affect = language == ENGLISH or lexicon is not None
        self._affect = build("word_choice", {"lexicon": lexicon} if lexicon else {}) if affect else None
        self._mechanisms = build("mechanisms") if language == ENGLISH else None

    def signatures(self) -> dict[str, str]:
        """The strings that reproduce the numbers, by metric."""
        used = {"ae": self._affect, "era": self._mechanisms}
        return {name: measure.signature(TOKENS) for name, measure in used.items() if measure is not None}

    def __call__(self, responses: Sequence[Response]) -> Mapping[str, Sequence[Value]]:
        """The values by metric, in the order of the responses, which all have a text."""
        batch = Batch(responses, TOKENS)
        return {**self._distances(batch), **self._levels(batch)}

    def _distances(self, batch: Batch) -> dict[str, list[Value]]:
        if self._affect is None:
            reason = f"no affect lexicon for '{self.language}' was given; name one with --lexicon"
            return {f"ae.{scale}": [Missing(reason=reason)] * len(batch.responses) for scale in SCALES}
        found = _scored(self._affect, batch)
        lacking = Missing(reason="the lexicon has no such scale")
        return {
            f"ae.{scale}": [
                abs(value) if isinstance(value, float) else value
                for value in found.get(f"{scale}.mean_difference", [lacking] * len(batch.responses))
            ]
            for scale in SCALES
        }

    def _levels(self, batch: Batch) -> dict[str, list[Value]]:
        if self._mechanisms is None:
            reason = Missing(reason="communication mechanisms are measured in English only")
            return {f"era.{name}": [reason] * len(batch.responses) for name in MECHANISMS.values()}
        found = _scored(self._mechanisms, batch)
        return {f"era.{name}": list(found[column]) for column, name in MECHANISMS.items()}


def _scored(measure: Measure, batch: Batch) -> Mapping[str, Sequence[Value]]:
    """What the metric says, or nothing of nobody."""
    if not batch.responses:
        return {column.name: [] for column in measure.columns}
    found: Mapping[str, Sequence[Value]] = measure.metric.score(batch)
    return found
