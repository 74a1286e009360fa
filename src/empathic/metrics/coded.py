"""Texts become numbers of their words, with the bounds of texts and sentences: a whole batch is cut at once.

`text.py` says how one text is cut into words and sentences. Nearly all it decides depends on one chunk (what stands
between white space), so here each different chunk is asked once per process and texts are put together from the
answers; only a chunk whose full stop may or may not end its sentence is looked at where it stands. The words and
sentences are the same (a test compares).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from empathic.contracts import Texts
from empathic.metrics import text
from empathic.metrics.ragged import Ints, Ragged, bounds, in_runs
from empathic.metrics.vocabulary import Vocabulary

REMEMBERED = 10_000  # texts
LARGEST = 200_000  # chunks known before a new memory is begun: bounds memory on any corpus
FINAL = "\n"  # stands after a chunk whose full stop ends its sentence; a chunk itself holds no white space


class Memory:
    """The chunks and words a process has seen; the words of a chunk are `words[starts[chunk]:starts[chunk + 1]]`."""

    def __init__(self, tokens: str) -> None:
        self.tokens = tokens
        self.chunks, self.words = Vocabulary(), Vocabulary()
        self.texts: dict[str, Ints] = {}  # whole texts that come up again, in words
        self._pieces, self._starts = np.empty(0, dtype=np.int64), np.zeros(1, dtype=np.int64)

    def cut(self, chunks: Ints) -> tuple[Ints, Ints]:
        """The words of chunks, one after the other, and the bounds of each chunk's."""
        self._learn()
        first = self._starts[chunks]
        ends = np.append(0, np.cumsum(self._starts[chunks + 1] - first))
        return self._pieces[np.repeat(first - ends[:-1], np.diff(ends)) + np.arange(ends[-1])], ends

    def _learn(self) -> None:
        """Cut the chunks that are new, words in lower case."""
        new = [self._words_of(chunk) for chunk in self.chunks.strings[len(self._starts) - 1 :]]
        if new:
            numbers = self.words.numbers([word.lower() for words in new for word in words])
            self._pieces = np.concatenate([self._pieces, numbers])
            self._starts = np.concatenate([self._starts, self._starts[-1] + bounds(map(len, new))[1:]])

    def _words_of(self, chunk: str) -> Sequence[str]:
        if self.tokens == "split":
            return [chunk]
        return text.cut(chunk.removesuffix(FINAL), final=chunk.endswith(FINAL))


class Chunks(NamedTuple):
    """Texts as numbers of chunks: text t is `ids[starts[t]:starts[t + 1]]`, in words `strings[…]`."""

    memory: Memory
    strings: list[str]
    ids: Ints
    starts: Ints


class Coded(NamedTuple):
    """Texts as numbers of words in lower case, and the same words by sentence; an empty text is an empty sentence."""

    chunks: Chunks
    words: Ragged  # by text
    sentences: Ragged  # by sentence
    owned: Ints  # text t has the sentences owned[t]:owned[t + 1]
    places: Ints  # the bounds of the sentences, in chunks

    def strings(self) -> list[list[str]]:
        """The sentences of each text, white space between words reduced to one blank."""
        places = self.places.tolist()
        pairs = zip(places[:-1], places[1:], strict=True)
        found = [" ".join(self.chunks.strings[start:end]) for start, end in pairs]
        owned = self.owned.tolist()
        return [found[start:end] if found[start] else [] for start, end in zip(owned[:-1], owned[1:], strict=True)]


_memories: dict[str, Memory] = {}


def memory_of(batch: Texts) -> Memory:
    """The memory all texts of a batch are coded with (a shared view)."""
    found = _memories.get(batch.tokens)
    if found is None or len(found.chunks) > LARGEST:
        found = _memories[batch.tokens] = Memory(batch.tokens)
    return found


def chunked(texts: Sequence[str], memory: Memory) -> Chunks:
    """The chunks of texts as numbers."""
    rows = [each.split() for each in texts]
    strings = list(chain.from_iterable(rows))
    return Chunks(memory, strings, memory.chunks.numbers(strings), bounds(map(len, rows)))


def words(chunks: Chunks) -> Ragged:
    """The words of texts, in lower case."""
    return _words(chunks)[0]


def remembered_words(texts: Sequence[str], memory: Memory) -> Ragged:
    """The words of texts that come up again: several systems answer the same prompts in the same conversations."""
    if len(memory.texts) > REMEMBERED:
        memory.texts.clear()
    new = [each for each in dict.fromkeys(texts) if each not in memory.texts]
    found = words(chunked(new, memory))
    starts = found.starts.tolist()
    memory.texts |= {each: found.ids[starts[at] : starts[at + 1]] for at, each in enumerate(new)}
    rows = [memory.texts[each] for each in texts]
    return Ragged(memory.words, np.concatenate([found.ids[:0], *rows]), bounds(map(len, rows)))


def _words(chunks: Chunks) -> tuple[Ragged, Ints]:
    """The words of texts, and the bounds of each chunk's words."""
    memory = chunks.memory
    ids, ends = memory.cut(chunks.ids if memory.tokens == "split" else _with_finals(chunks))
    return Ragged(memory.words, ids, ends[chunks.starts]), ends


def code(texts: Sequence[str], memory: Memory) -> Coded:
    """The words and sentences of texts as numbers."""
    chunks = chunked(texts, memory)
    by_text, ends = _words(chunks)
    breaks = _breaks(chunks)
    places = np.append(in_runs(np.concatenate([chunks.starts[:-1], breaks])), len(chunks.ids))
    # a sentence belongs to the text it begins in; an empty text begins where the next one does
    broken = np.searchsorted(breaks, chunks.starts)
    owned = np.arange(len(chunks.starts)) + broken
    return Coded(chunks, by_text, Ragged(by_text.vocabulary, by_text.ids, ends[places]), owned, places)


def coded_responses(batch: Texts) -> Coded:
    """The responses of a batch (a shared view)."""
    return code(batch.texts, batch.view(memory_of))


def ragged_responses(batch: Texts) -> Ragged:
    """The words of the responses, in lower case (a shared view)."""
    return batch.view(coded_responses).words


def ragged_prompts(batch: Texts) -> Ragged:
    """The words of the utterances that are answered, in lower case (a shared view)."""
    return remembered_words(batch.prompts, batch.view(memory_of))


def _breaks(chunks: Chunks) -> Ints:
    """The places of the chunks that begin a sentence within a text."""
    known = chunks.memory.chunks
    ending = known.column(text.ending, np.int8)[chunks.ids]
    last = chunks.starts[1:][np.diff(chunks.starts) > 0] - 1
    ending[last] = text.NEVER
    place = np.flatnonzero(ending)
    place = place[known.column(text.may_open, bool)[chunks.ids[place + 1]]]
    strings = chunks.strings
    unsure = np.flatnonzero(ending[place] == text.PERHAPS).tolist()
    refused = [at for at in unsure if not text.breaks(strings[place[at]], strings[place[at] + 1])]
    return np.delete(place, refused) + 1


def _with_finals(chunks: Chunks) -> Ints:
    """The chunks, those whose full stop ends their sentence marked as such."""
    known, strings = chunks.memory.chunks, chunks.strings
    stopped = np.flatnonzero(known.column(text.has_full_stop, bool)[chunks.ids])
    if not len(stopped):
        return chunks.ids
    ends = chunks.starts[np.searchsorted(chunks.starts, stopped, side="right")]
    pairs = zip(stopped.tolist(), ends.tolist(), strict=True)
    final = [place for place, end in pairs if _is_final(strings, place, end)]
    ids = chunks.ids.copy()
    ids[final] = known.numbers([strings[place] + FINAL for place in final])
    return ids


def _is_final(strings: list[str], place: int, end: int) -> bool:
    """Whether the full stop of a chunk ends its sentence: by what follows, or because only closing marks follow."""
    following = place + 1
    if following == end or text.stops(strings[place], strings[following]):
        return True
    return all(map(text.only_closes, strings[following:end]))
