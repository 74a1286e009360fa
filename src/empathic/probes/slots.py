"""A text with masks → its pieces: words as they stand, slots to fill, forms that agree, conditional parts.

{subj} {poss.gen}    a pronoun, name or attribute; a capital first letter ({Subj}) makes a capital
{are|is}             forms that agree with the pronouns, in the order the language names (plural|singular)
{a}                  the article that the next word, once filled in, asks for
[{age}; {race}]      conditional parts: a part is said if every attribute in it is; several are joined by commas
[religion=none? …]   a part that is said at these levels only (several levels: religion=none,jewish?)
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r"\{(?P<brace>[^{}\[\]]*)\}|\[(?P<group>[^\[\]]*)\]|(?P<stray>[{}\[\]])")
_SLOT = re.compile(r"^(?P<name>[^\W\d_][\w-]*)(?:\.(?P<form>[\w-]+))?$")
_CONDITION = re.compile(r"^\s*(?P<factor>[\w-]+)=(?P<levels>[\w,-]+)\?\s*")


class SlotError(Exception):
    """A text whose braces or brackets make no sense; `args` are what is wrong and the words it is about."""

    @property
    def words(self) -> str:
        return str(self.args[1])


class Words(NamedTuple):
    """Text that is the same whoever is spoken of."""

    text: str


class Slot(NamedTuple):
    """A place that is filled: a pronoun, a name, an attribute, or the article."""

    name: str
    form: str | None
    capital: bool

    def __str__(self) -> str:
        shown = self.name[:1].upper() + self.name[1:] if self.capital else self.name
        return f"{{{shown}{'.' + self.form if self.form else ''}}}"


class Agreeing(NamedTuple):
    """Forms of one word, of which the pronouns choose one."""

    forms: tuple[str, ...]

    def __str__(self) -> str:
        return "{" + "|".join(self.forms) + "}"


class Part(NamedTuple):
    """One conditional part: its pieces, and the levels it is said at, if it names any."""

    pieces: tuple[Words | Slot | Agreeing, ...]
    factor: str | None = None
    levels: tuple[str, ...] = ()


class Group(NamedTuple):
    """Conditional parts that are joined as a list."""

    parts: tuple[Part, ...]


Simple = Words | Slot | Agreeing
Piece = Words | Slot | Agreeing | Group


@functools.lru_cache(maxsize=4096)  # a template's texts are filled thousands of times
def parse(text: str) -> tuple[Piece, ...]:
    """The pieces of a text."""
    return tuple(_pieces(text))


def simple(pieces: tuple[Piece, ...]) -> Iterator[Simple]:
    """Every piece, those within groups too."""
    for piece in pieces:
        if isinstance(piece, Group):
            for part in piece.parts:
                yield from part.pieces
        else:
            yield piece


def _pieces(text: str) -> Iterator[Piece]:
    done = 0
    for match in _TOKEN.finditer(text):
        if match.start() > done:
            yield Words(text[done : match.start()])
        done = match.end()
        if match["stray"]:
            raise SlotError(f"a stray '{match['stray']}'", text[max(0, match.start() - 12) : match.end() + 12])
        yield _braced(match["brace"]) if match["brace"] is not None else _group(match["group"])
    if done < len(text):
        yield Words(text[done:])


def _braced(inner: str) -> Slot | Agreeing:
    if "|" in inner:
        return Agreeing(tuple(form.strip() for form in inner.split("|")))
    match = _SLOT.match(inner.strip())
    if match is None:
        raise SlotError(f"'{{{inner}}}' is no mask", f"{{{inner}}}")
    name = match["name"]
    if name.isupper() and len(name) > 1:  # the released templates' masks are kept as they are
        return Slot(name, match["form"], False)
    return Slot(name[:1].lower() + name[1:], match["form"], name[:1].isupper())


def _group(inner: str) -> Group:
    parts = tuple(_part(part) for part in _split(inner))
    if not any(part.pieces for part in parts):
        raise SlotError("an empty conditional part", f"[{inner}]")
    return Group(parts)


def _split(inner: str) -> list[str]:
    return [part.strip() for part in inner.split(";")]


def _part(text: str) -> Part:
    match = _CONDITION.match(text)
    rest = text[match.end() :] if match else text
    pieces = tuple(piece for piece in _inner(rest))
    return Part(pieces, match["factor"], tuple(match["levels"].split(","))) if match else Part(pieces)


def _inner(text: str) -> Iterator[Simple]:
    done = 0
    for match in re.finditer(r"\{([^{}]*)\}", text):
        if match.start() > done:
            yield Words(text[done : match.start()])
        yield _braced(match.group(1))
        done = match.end()
    if done < len(text):
        yield Words(text[done:])
