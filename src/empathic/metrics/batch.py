"""Responses become a batch: their texts and the views (words, sentences, prompts) all metrics share, each cut once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from empathic.contracts import Texts
from empathic.errors import UnknownName
from empathic.metrics.coded import coded_responses
from empathic.metrics.text import split_words, words
from empathic.records import Response

T = TypeVar("T")
TOKENS: dict[str, Callable[[str], list[str]]] = {"ptb": words, "split": split_words}
# several systems answer the same prompts
REMEMBERED = {name: lru_cache(maxsize=8_000)(cut) for name, cut in TOKENS.items()}


class Batch:
    """Responses that have a text; a view is computed when a metric first asks for it."""

    def __init__(self, responses: Sequence[Response], tokens: str = "ptb") -> None:
        if tokens not in TOKENS:
            raise UnknownName("way to cut words", tokens, TOKENS)
        self.responses = responses
        self.tokens = tokens
        self._cut = TOKENS[tokens]
        self._views: dict[Callable[[Texts], Any], Any] = {}

    @cached_property
    def texts(self) -> list[str]:
        """The responses."""
        return [response.text or "" for response in self.responses]

    @cached_property
    def words(self) -> list[list[str]]:
        """The words of each response."""
        return [self._cut(text) for text in self.texts]

    @cached_property
    def lower(self) -> list[list[str]]:
        """The words of each response in lower case."""
        return _lowered(self.words, self.texts)

    @cached_property
    def sentences(self) -> list[list[str]]:
        """The sentences of each response."""
        return self.view(coded_responses).strings()

    @cached_property
    def sentence_lower(self) -> list[list[list[str]]]:
        """The words of each sentence of each response, in lower case."""
        pairs = zip(self.sentences, self.lower, strict=True)
        return [[row] if len(found) < 2 else _lowered(map(self._cut, found), found) for found, row in pairs]

    def view(self, make: Callable[[Texts], T]) -> T:
        """What `make` makes of the batch, made when a metric first asks for it."""
        if make not in self._views:
            self._views[make] = make(self)
        found: T = self._views[make]
        return found

    @cached_property
    def prompts(self) -> list[str]:
        """The speaker's utterance that is answered ("" if there is none)."""
        return [response.turns[-1].text if response.turns else "" for response in self.responses]

    @cached_property
    def prompt_words(self) -> list[list[str]]:
        """The words of the utterance that is answered."""
        return list(map(REMEMBERED[self.tokens], self.prompts))

    @cached_property
    def prompt_lower(self) -> list[list[str]]:
        """The words of the utterance that is answered, in lower case."""
        return _lowered(self.prompt_words, self.prompts)

    @cached_property
    def references(self) -> list[str | None]:
        """What a person answered there."""
        return [response.reference for response in self.responses]

    @cached_property
    def reference_words(self) -> list[list[str] | None]:
        """The words of what a person answered."""
        return [None if text is None else self._cut(text) for text in self.references]


def _lowered(rows: Iterable[list[str]], texts: Iterable[str]) -> list[list[str]]:
    """Words in lower case; those of a text that is in lower case already are taken as they are."""
    pairs = zip(rows, texts, strict=True)
    return [row if text.islower() or not row else " ".join(row).lower().split(" ") for row, text in pairs]
