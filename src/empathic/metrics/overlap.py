"""Responses and what a person answered become their overlap: BLEU, ROUGE-L, METEOR. Reported because reviewers ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from empathic import parts
from empathic.contracts import Column, Missing, Texts, Value
from empathic.registry import register

CAUTION = (
    "compares with the one answer that is known, though a prompt has any number of good answers; in dialogue such "
    "overlap hardly correlates with what people think (Liu et al. 2016; Lee et al. 2024, §3.2); not empathy"
)
NO_REFERENCE = Missing(reason="there is no reference answer to this prompt")
_ALPHANUMERIC = re.compile(r"[a-z0-9]+")


@register("metric", "bleu")
class Bleu:
    """Corpus BLEU-4 (0–100) of lower-cased words against the reference answers, by sacrebleu (Papineni et al. 2002).

    Responses without a reference are left out.
    """

    default, needs, caution = False, "reference", CAUTION
    columns = (Column(low=0, high=100 + 1e-9),)

    def __init__(self) -> None:
        library = parts.need("sacrebleu")
        self.metric = library.BLEU(tokenize="none", lowercase=True, force=True)
        self.version = library.__version__

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"sacrebleu": self.version, "smooth": "exp"}

    def gather(self, batch: Texts) -> list[tuple[str, str | None]]:
        """Pairs of response and reference, words joined by blanks."""
        pairs = zip(batch.words, batch.reference_words, strict=True)
        return [(" ".join(words), None if other is None else " ".join(other)) for words, other in pairs]

    def left_out(self, gathered: Sequence[list[tuple[str, str | None]]]) -> dict[str, int]:
        """How many responses have no reference."""
        without = sum(other is None for part in gathered for _, other in part)
        return {NO_REFERENCE.reason: without} if without else {}

    def finish(self, gathered: Sequence[list[tuple[str, str | None]]]) -> Mapping[str, Value]:
        """BLEU of all pairs together."""
        pairs = [pair for part in gathered for pair in part if pair[1] is not None]
        if not pairs:
            return {"": NO_REFERENCE}
        found = self.metric.corpus_score([one for one, _ in pairs], [[other for _, other in pairs]])
        return {"": float(found.score)}


@register("metric", "rouge_l")
class RougeL:
    """ROUGE-L F1: longest common subsequence of response and reference, letters and digits only (Lin 2004)."""

    default, needs, caution = False, "reference", CAUTION
    columns = (Column(low=0, high=1),)

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """F1 = 2·LCS / (words of the response + words of the reference)."""
        return {"": [_rouge_l(text, other) for text, other in zip(batch.texts, batch.references, strict=True)]}


def _rouge_l(text: str, reference: str | None) -> Value:
    if reference is None:
        return NO_REFERENCE
    one, other = _ALPHANUMERIC.findall(text.lower()), _ALPHANUMERIC.findall(reference.lower())
    if not one or not other:
        return 0.0
    return 2 * common_subsequence(one, other) / (len(one) + len(other))


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence, all of a row at once in the bits of a number (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        hits = row & places.get(word, 0)
        row = ((row + hits) | (row - hits)) & full
    return len(one) - row.bit_count()


@register("metric", "meteor")
class Meteor:
    """METEOR of exact and stemmed matches, without WordNet's synonyms (Banerjee & Lavie 2005).

    F = P·R / (0.9·P + 0.1·R), penalty 0.5·(chunks / matches)³. Stems by Porter's algorithm (snowballstemmer). Lower
    than METEOR with synonyms: the signature says `synonyms:none`.
    """

    default, needs, caution = False, "reference", CAUTION
    columns = (Column(low=0, high=1),)

    def __init__(self) -> None:
        self.stem = _stemmer()

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"synonyms": "none", "stems": "porter"}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """One value per response."""
        lowered = [None if words is None else [word.lower() for word in words] for words in batch.reference_words]
        pairs = zip(batch.lower, lowered, strict=True)
        return {"": [NO_REFERENCE if other is None else self._score(one, other) for one, other in pairs]}

    def _score(self, words: Sequence[str], reference: Sequence[str]) -> float:
        matches = aligned(words, reference, self.stem)
        if not matches:
            return 0.0
        precision, recall = len(matches) / len(words), len(matches) / len(reference)
        mean = precision * recall / (0.9 * precision + 0.1 * recall)
        chunks = 1 + sum(
            (after[0] - before[0], after[1] - before[1]) != (1, 1)
            for before, after in zip(matches, matches[1:], strict=False)
        )
        return mean * (1 - 0.5 * (chunks / len(matches)) ** 3)


def aligned(words: Sequence[str], reference: Sequence[str], stem: Callable[[str], str]) -> list[tuple[int, int]]:
    """Pairs of places that match, exactly or else by stem, each word with the last free one, from the right."""
    left, right = list(enumerate(words)), list(enumerate(reference))
    matches = _matched(left, right)
    if left and right:
        stems = [[(place, stem(word)) for place, word in side] for side in (left, right)]
        matches += _matched(*stems)
    return sorted(matches)


def _matched(left: list[tuple[int, str]], right: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """Takes matching words out of both lists and returns their places."""
    free: dict[str, list[int]] = {}
    for place, word in right:
        free.setdefault(word, []).append(place)
    found = [(place, free[word].pop()) for place, word in reversed(left) if free.get(word)]
    taken = [{one for one, _ in found}, {other for _, other in found}]
    left[:] = [item for item in left if item[0] not in taken[0]]
    right[:] = [item for item in right if item[0] not in taken[1]]
    return found


def _stemmer() -> Callable[[str], str]:
    stemmer = parts.need("snowballstemmer").stemmer("porter")

    @lru_cache(maxsize=50_000)
    def stem(word: str) -> str:
        return str(stemmer.stemWord(word))

    return stem
