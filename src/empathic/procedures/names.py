"""A name becomes a procedure."""

from __future__ import annotations

from empathic import registry
from empathic.contracts import Procedure, Speaker


def make(name: str, *, turns: int | None = None, speaker: Speaker | None = None) -> Procedure:
    """The procedure called `name`; `turns` and `speaker` matter to those that simulate the person."""
    entry = registry.find("procedure", name)
    procedure: Procedure = entry.thing.build(turns=turns, speaker=speaker)
    return procedure
