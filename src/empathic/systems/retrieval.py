"""The nearest prompt of a corpus becomes an answer: what a person said there (TF-IDF, cosine)."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from empathic import files
from empathic.contracts import Reply, Request
from empathic.errors import SettingError
from empathic.records import Dialogue
from empathic.registry import register
from empathic.systems.base import Simple
from empathic.systems.options import Options

_WORD = re.compile(r"[a-z']+")


@register("system", "builtin/retrieval")
class Retrieval(Simple):
    """Finds the nearest speaker turn of a corpus and says what the listener answered there.

    Nearness is the cosine of TF-IDF vectors of the speaker's last turn; the weight of a word is
    w = (1 + ln tf) · (ln((1 + N) / (1 + df)) + 1), with N prompts of which df hold the word. The dialogue
    that is being answered is never searched, so a corpus may contain it.
    """

    name = "builtin/retrieval"

    def __init__(self, corpus: Iterable[Dialogue]) -> None:
        self._pairs = list(_pairs(corpus))
        if not self._pairs:
            raise SettingError("builtin/retrieval needs a corpus with answers. Type --corpus FILE.")
        counts = [Counter(_words(prompt)) for _, prompt, _ in self._pairs]
        self._weights = _idf(counts)
        self._unknown = math.log(1 + len(counts)) + 1
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for word, weight in self._vector(count).items():
                self._postings[word].append((index, weight))

    @classmethod
    def build(cls, name: str, options: Options) -> Retrieval:
        return cls(options.corpus)

    def settings(self) -> Mapping[str, Any]:
        return {"system": self.name, "version": 1, "corpus": files.content_hash(self._pairs)}

    async def respond(self, request: Request) -> Reply:
        nearest = self._nearest(request.turns[-1].text, request.dialogue)
        if nearest is None:
            return Reply(text=None, missing="no prompt of the corpus shares a word with this one")
        return Reply(text=self._pairs[nearest][2])

    def _nearest(self, prompt: str, dialogue: str) -> int | None:
        scores: dict[int, float] = defaultdict(float)
        for word, weight in self._vector(Counter(_words(prompt))).items():
            for index, other in self._postings.get(word, ()):
                scores[index] += weight * other
        others = (index for index in scores if self._pairs[index][0] != dialogue)
        return max(others, key=lambda index: (scores[index], -index), default=None)

    def _vector(self, count: Counter[str]) -> dict[str, float]:
        raw = {word: (1 + math.log(n)) * self._weights.get(word, self._unknown) for word, n in count.items()}
        length = math.sqrt(sum(value * value for value in raw.values()))
        return {word: value / length for word, value in raw.items()}


def _pairs(corpus: Iterable[Dialogue]) -> Iterator[tuple[str, str, str]]:
    for dialogue in corpus:
        for one, following in zip(dialogue.turns, dialogue.turns[1:], strict=False):
            if one.role == "speaker" and following.role == "listener":
                yield dialogue.id, one.text, following.text
        if dialogue.reference is not None and dialogue.turns and dialogue.turns[-1].role == "speaker":
            yield dialogue.id, dialogue.turns[-1].text, dialogue.reference


def _idf(counts: list[Counter[str]]) -> dict[str, float]:
    frequency = Counter(word for count in counts for word in count)
    return {word: math.log((1 + len(counts)) / (1 + n)) + 1 for word, n in frequency.items()}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
