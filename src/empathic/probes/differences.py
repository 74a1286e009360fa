"""Two renderings of one template → the words in which they differ."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import NamedTuple

from empathic.probes.probe import Probe


class Change(NamedTuple):
    """Words of one text that stand in place of words of another."""

    before: str
    after: str


def changes(before: str, after: str) -> list[Change]:
    """The places where two texts differ, word by word."""
    return [Change(one, other) for one, other in spans(before, after) if one != other]


def marked(before: str, after: str) -> str:
    """The second text, what it changes in the first marked as [-old-]{+new+}."""
    return " ".join(_mark(one, other) for one, other in spans(before, after))


def spans(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Runs of words of two texts side by side; runs that are equal are common to both."""
    one, other = before.split(), after.split()
    for _, i, j, k, m in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        yield " ".join(one[i:j]), " ".join(other[k:m])


def texts(probe: Probe) -> dict[str, str]:
    """Every text of a probe by its place."""
    turns = {f"turn {number}": turn.text for number, turn in enumerate(probe.turns, 1)}
    options: dict[str, str] = {option.kind: option.text for option in probe.options}
    return {"instruction": probe.instruction, "context": probe.context, **turns, **options}


def _mark(one: str, other: str) -> str:
    if one == other:
        return one
    return (f"[-{one}-]" if one else "") + (f"{{+{other}+}}" if other else "")
