"""Text becomes words (Penn Treebank, as NLTK's `word_tokenize` gives them) and sentences, in one pass over its chunks.

A chunk is what stands between white space. Nearly every rule of the Penn Treebank looks at one chunk only, so each
distinct chunk is cut once and remembered; the only thing a chunk cannot know is whether its full stop ends a sentence.
That decision follows Kiss & Strunk (2006), "Unsupervised multilingual sentence boundary detection", with a list of
abbreviations of our own (`data/abbreviations.txt`) in place of trained tables.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

NEVER, ALWAYS, PERHAPS = 0, 1, 2  # whether a sentence ends after a chunk
REMEMBERED = 1 << 15  # chunks, and pairs of them
LARGEST_MEMORY = 200_000  # chunks remembered before the memory is emptied: bounds memory on any corpus

_SEPARATOR = re.compile(r"""(\.{2,}|--|`+|''|[:,](?!\d)|[;@#$%&?!*()\[\]{}<>"«»“”‘’„])""")
_FULL_STOP = re.compile(r"""^(.*[^.])\.([\])}>"'»”’]*)$""", re.DOTALL)
_INNER_STOP = re.compile(r"""([^\s.(\[{*"]+(?:\.[^\s.(\[{*"]+)*)\.(?=[?!)";}\]*:@'({\[])""")
_OPENING = re.compile(r"(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b")
_SHORT_CLITIC = re.compile(r"^(.*[^'])('[sSmMdD]|')$", re.DOTALL)
_LONG_CLITIC = re.compile(r"^(.*[^'])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T)$", re.DOTALL)
_JOINED = re.compile(
    r"(?i)\b(?:(can)(not)|(d)('ye)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(more)('n))\b|\b(wan)(na)$|^('t)(is|was)\b"
)
_JOINED_LETTERS = frozenset(("cannot", "gimme", "gonna", "gotta", "lemme", "wanna"))  # of these, those without marks
_ONLY_MARKS = re.compile(r"[?!]+")
_CLOSERS = frozenset("])}>\"'»”’")
_LETTERS = re.compile(r"[^a-z]")
_NO_OPENING = re.compile(r"""[.?!"'\])}»”’]+""")
_ENDS_SENTENCE = re.compile(r"""[.?!]["'\])}»”’*]*$""")


def _read_words(name: str) -> frozenset[str]:
    text = resources.files("empathic.metrics").joinpath("data", name).read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


ABBREVIATIONS = _read_words("abbreviations.txt")
STARTERS = _read_words("sentence_starters.txt")


class _Memory(dict[str, tuple[str, ...]]):
    """Chunk → its words, cut when first seen."""

    def __init__(self, final: bool) -> None:
        super().__init__()
        self.final = final

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= LARGEST_MEMORY:
            self.clear()
        found = self[chunk] = cut(chunk, self.final)
        return found


_inner = _Memory(final=False)
_final = _Memory(final=True)


def words(text: str) -> list[str]:
    """The Penn Treebank words of a text: `words("I can't.") == ["I", "ca", "n't", "."]`."""
    chunks = text.split()
    found: list[str] = []
    if "." not in text:
        for chunk in chunks:
            found += _inner[chunk]
        return found
    last = _last_worded(chunks)
    for index, chunk in enumerate(chunks):
        if "." in chunk and (index >= last or stops(chunk, chunks[index + 1])):
            found += _final[chunk]
        else:
            found += _inner[chunk]
    return found


def split_words(text: str) -> list[str]:
    """The words of a text that is tokenised already: what stands between white space."""
    return text.split()


def sentences(text: str) -> list[str]:
    """The sentences of a text, white space between words reduced to one blank."""
    chunks = text.split()
    found, start = [], 0
    for index in range(len(chunks) - 1):
        if ending(chunks[index]) and breaks(chunks[index], chunks[index + 1]):
            found.append(" ".join(chunks[start : index + 1]))
            start = index + 1
    if start < len(chunks):
        found.append(" ".join(chunks[start:]))
    return found


def _last_worded(chunks: list[str]) -> int:
    """The index of the last chunk that is more than closing brackets and quotes."""
    last = len(chunks) - 1
    while last > 0 and only_closes(chunks[last]):
        last -= 1
    return last


def only_closes(chunk: str) -> bool:
    """Whether a chunk is nothing but closing brackets and quotes."""
    return _CLOSERS.issuperset(chunk)


@lru_cache(maxsize=REMEMBERED)
def ending(chunk: str) -> int:
    """Whether a sentence ends after a chunk, whatever word follows: ALWAYS, NEVER, or PERHAPS."""
    if not _ENDS_SENTENCE.search(chunk):
        return NEVER
    bare = _bare(chunk)
    return ALWAYS if bare == "." or bare.endswith(("?", "!")) else PERHAPS


def may_open(chunk: str) -> bool:
    """Whether a sentence can begin with a chunk: not with closing marks alone."""
    return not _NO_OPENING.fullmatch(chunk)


def breaks(chunk: str, following: str) -> bool:
    """Whether a sentence ends after a chunk that ends like one."""
    if not may_open(following):
        return False
    if ending(chunk) == ALWAYS:
        return True
    return _opens(following) if _bare(chunk).endswith("..") else stops(chunk, following)


def _bare(chunk: str) -> str:
    return chunk.rstrip("\"'])}»”’*")


def has_full_stop(chunk: str) -> bool:
    """Whether a chunk ends in a full stop that may or may not end its sentence."""
    return "." in chunk and _FULL_STOP.match(chunk) is not None


@lru_cache(maxsize=REMEMBERED)
def stops(chunk: str, following: str) -> bool:
    """Whether the full stop of a chunk ends its sentence, given the chunk that follows."""
    match = _FULL_STOP.match(chunk)
    if match is None:
        return False
    if _ONLY_MARKS.fullmatch(following):
        return False
    word = match[1].lower().lstrip("(\"'`[{*-:;,")
    if _is_abbreviation(word):
        return _opens(following)
    return not (_is_number(word) and (following[0].islower() or following[0] in ";:,.!?"))


def _is_abbreviation(word: str) -> bool:
    """Whether a word keeps its full stop: a known one, or a single letter."""
    return word in ABBREVIATIONS or word.rpartition("-")[2] in ABBREVIATIONS or (len(word) == 1 and word.isalpha())


def _is_number(word: str) -> bool:
    return word.replace(",", "").replace(".", "").removeprefix("-").isdigit()


def _opens(chunk: str) -> bool:
    """Whether a chunk opens a sentence: capitalised, and a word that is usually written small."""
    bare = chunk.lstrip("(\"'`[{*")
    return bare[:1].isupper() and _LETTERS.split(bare.lower(), maxsplit=1)[0] in STARTERS


def cut(chunk: str, final: bool) -> tuple[str, ...]:
    """The words of one chunk; `final`: its full stop ends the sentence."""
    if chunk.isascii() and chunk.isalpha() and chunk.lower() not in _JOINED_LETTERS:
        return (chunk,)
    match = _FULL_STOP.match(chunk) if final else None
    if match is None:
        return tuple(_pieces(_INNER_STOP.sub(_free_stop, chunk) if "." in chunk else chunk))
    return (*_pieces(_INNER_STOP.sub(_free_stop, match[1])), ".", *_pieces(match[2], opening=False))


def _free_stop(match: re.Match[str]) -> str:
    """A full stop within a chunk, before a bracket, a quote or another mark, ends a sentence too."""
    return match[0] if _is_abbreviation(match[1].lower()) else f"{match[1]} . "


def _pieces(chunk: str, opening: bool = True) -> list[str]:
    found: list[str] = []
    before = " " if opening else "."
    for piece in _SEPARATOR.split(chunk):
        if piece in ('"', "''"):
            found.append("``" if before in " ([{<" else "''")
        elif piece:
            found += (
                [piece] if _SEPARATOR.fullmatch(piece) else [part for word in piece.split() for part in _clitics(word)]
            )
        before = piece[-1:] or before
    return found


def _clitics(word: str) -> list[str]:
    """`don't` → `do n't`, `cannot` → `can not`, `dogs'` → `dogs '`."""
    if "'" in word:
        word = _OPENING.sub(r"\1 \2", word)
        parts = [short for part in word.split() for short in _SHORT_CLITIC.sub(r"\1 \2", part).split()]
        word = " ".join(_LONG_CLITIC.sub(r"\1 \2", part) for part in parts)
    return [piece for part in word.split() for piece in _JOINED.sub(_unjoin, part).split()]


def _unjoin(match: re.Match[str]) -> str:
    first, second = (group for group in match.groups() if group)
    return f" {first} {second} "
