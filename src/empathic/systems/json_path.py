"""A JSON path such as `$[*].text` or `choices[0].message.content` becomes the values it points at."""

from __future__ import annotations

import re
from typing import Any

from empathic.errors import SettingError

_STEP = re.compile(r"\.?([A-Za-z_][\w-]*)|\[(\*|-?\d+)\]|\[['\"]([^'\"]+)['\"]\]")
Step = str | int | None  # a key, an index, or None for every element


def parse(path: str) -> tuple[Step, ...]:
    """The steps of a path: names, indices and `[*]`."""
    steps: list[Step] = []
    place = 1 if path.startswith("$") else 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            raise SettingError(f"The JSON path '{path}' cannot be read from '{path[place:]}' on. Type e.g. $[*].text.")
        name, index, quoted = match.groups()
        steps.append(name or quoted or (None if index == "*" else int(index)))
        place = match.end()
    return tuple(steps)


def values(document: Any, steps: tuple[Step, ...]) -> list[Any]:
    """Every value the steps lead to; a step that leads nowhere yields nothing."""
    found = [document]
    for step in steps:
        found = [child for value in found for child in _children(value, step)]
    return found


def _children(value: Any, step: Step) -> list[Any]:
    if isinstance(step, str):
        return [value[step]] if isinstance(value, dict) and step in value else []
    if not isinstance(value, list):
        return []
    if step is None:
        return list(value)
    return [value[step]] if -len(value) <= step < len(value) else []
