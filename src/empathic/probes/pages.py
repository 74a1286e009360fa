"""A YAML file → its content as plain strings, lists and mappings, each with the lines it stands on."""

from __future__ import annotations

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

    def line(self, trail: Trail, words: str = "") -> int:
        """The line of a value; with `words`, the line within it where these stand (a long word of them suffices)."""
        while trail and trail not in self.places:
            trail = trail[:-1]
        first, last = self.places.get(trail, (1, len(self.lines)))
        wanted = [words.strip(), *sorted(words.split(), key=len, reverse=True)] if words.strip() else []
        for needle in wanted:
            for number in range(first, last + 1):
                if needle in self.lines[number - 1]:
                    return number
        return first


def read(path: Path) -> Page:
    """The page of a file; text that is no YAML, or says a key twice, is an InputError with its line."""
    with files.open_binary(path) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        content = yaml.load(text, Loader=yaml.BaseLoader)  # makes nothing but strings
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"is not valid YAML: {_plain(error)}", path=path, line=line) from None
    except yaml.YAMLError as error:
        raise InputError(f"is not valid YAML: {error}", path=path) from None
    _refuse_repeated(node, path)
    return Page(path, content, tuple(text.splitlines()) or ("",), dict(_places(node, ())))


def convert(page: Page, type_: type[T]) -> T:
    """The content as a record; what does not fit is an InputError with its line and field."""
    try:
        return msgspec.convert(page.content, type_, strict=False)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        trail = where.rstrip("`").lstrip(".").replace("[", ".").replace("]", "")
        keys = tuple(part for part in trail.split(".") if part and part != "...")
        raise InputError(what, path=page.path, line=page.line(keys), field=trail or None) from None


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
