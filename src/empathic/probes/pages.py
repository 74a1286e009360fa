"""A YAML file → its content as plain strings, lists and mappings, each with the lines it stands on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import yaml

from empathic import files
from empathic.errors import InputError

Trail = tuple[str, ...]  # the keys and positions that lead to a value: ("answers", "2", "affective")
T = TypeVar("T")


class Page(NamedTuple):
    """One YAML file: what it says and where."""

    path: Path
    content: Any
    lines: tuple[str, ...]
    places: dict[Trail, tuple[int, int]]  # first and last line of a value, from 1

    def line(self, trail: Trail, *words: str) -> int:
        """The line of a value; with `words`, the line within it where the first of these is found."""
        first, last = self._span(trail)
        for wanted in words:
            found = self.find(trail, wanted)
            if found is not None:
                return found
        return min(first, last)

    def find(self, trail: Trail, words: str) -> int | None:
        """The line within a value where these words stand; folded over two lines, where most of them do."""
        first, last = self._span(trail)
        for needle in _shorter(words):
            start = r"(?<!\w)" if needle[0].isalnum() else ""
            end = r"(?!\w)" if needle[-1].isalnum() else ""  # whole words; a brace may be followed by anything
            pattern = re.compile(rf"{start}{re.escape(needle)}{end}")
            for number in range(first, last + 1):
                if pattern.search(self.lines[number - 1]):
                    return number
        return None

    def _span(self, trail: Trail) -> tuple[int, int]:
        while trail and trail not in self.places:
            trail = trail[:-1]
        return self.places.get(trail, (1, len(self.lines)))


def read(path: Path) -> Page:
    """The page of a file; text that is no YAML, or says a key twice, is an InputError with its line."""
    with files.open_binary(path) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        _refuse_aliases(text, path)
        content = yaml.load(text, Loader=yaml.BaseLoader)  # makes nothing but strings
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"is not valid YAML: {_plain(error)}", path=path, line=line) from None
    except yaml.YAMLError as error:
        raise InputError(f"is not valid YAML: {error}", path=path) from None
    except RecursionError:
        raise InputError("is nested too deeply", path=path) from None
    _refuse_repeated(node, path)
    return Page(path, content, tuple(text.splitlines()) or ("",), dict(_places(node, ())))


def convert(page: Page, type_: type[T]) -> T:
    """The content as a record; what does not fit is an InputError with its line and field."""
    try:
        return msgspec.convert(page.content, type_, strict=False)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        trail = where.rstrip("`").lstrip(".").replace("[", ".").replace("]", "")
        unknown = re.search(r"unknown field `([^`]+)`", what)
        keys = (*(part for part in trail.split(".") if part and part != "..."), *(unknown.groups() if unknown else ()))
        raise InputError(what, path=page.path, line=page.line(keys), field=trail or None) from None


def _shorter(words: str) -> list[str]:
    """The words themselves, then what is left of them when they are cut at either end, longest first."""
    parts = words.split()
    cut = [" ".join(parts[:-number]) for number in range(1, len(parts))]
    cut += [" ".join(parts[number:]) for number in range(1, len(parts))]
    return [" ".join(parts), *sorted((each for each in cut if len(each) > 3), key=len, reverse=True)] if parts else []


def _plain(error: yaml.MarkedYAMLError) -> str:
    hint = " (a text that begins with { or [ or holds ': ' needs quotes or a block `>-`)"
    return f"{error.problem or error}{hint}"


def _places(node: yaml.Node | None, trail: Trail) -> Iterator[tuple[Trail, tuple[int, int]]]:
    if node is None:
        return
    yield trail, _span(node)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _places(value, (*trail, key.value))
            first, last = _span(value)
            yield (*trail, key.value), (min(key.start_mark.line + 1, first), last)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _places(value, (*trail, str(number)))


def _span(node: yaml.Node) -> tuple[int, int]:
    first, end = node.start_mark.line + 1, node.end_mark
    return first, max(first, end.line + (1 if end.column else 0))


def _refuse_aliases(text: str, path: Path) -> None:
    """A short file of aliases can stand for a text without end, and a template has no use for them."""
    for token in yaml.scan(text, Loader=yaml.BaseLoader):
        if isinstance(token, yaml.AliasToken):
            line = token.start_mark.line + 1
            raise InputError("aliases (*name) are not used here; write the text out", path=path, line=line)


def _refuse_repeated(node: yaml.Node | None, path: Path) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                raise InputError(
                    f"the key '{key.value}' appears twice; keep one of them", path=path, line=key.start_mark.line + 1
                )
            seen.add(key.value)
            _refuse_repeated(value, path)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_repeated(value, path)
