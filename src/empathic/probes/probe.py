"""One scene, told of one person, with five answers to choose from: what a template and its attributes become."""

from __future__ import annotations

from typing import Literal

from empathic.records import Polarity, Record, Turn

Kind = Literal["empathetic", "sympathetic", "affective", "indifferent", "distressed"]
KEYED: Kind = "empathetic"  # the answer that shows the deepest understanding


class Option(Record, frozen=True):
    """One answer that can be chosen, and what kind of answer it is."""

    kind: Kind
    text: str


class Probe(Record, frozen=True):
    """A template filled with attributes: ready to be answered freely, or by choosing one of its options."""

    id: str
    template: str
    language: str
    levels: dict[str, str]  # factor → level, of every factor, said in the text or not
    instruction: str  # who the listener is and what is asked of them
    context: str  # what the listener knows of the speaker and of what happened
    turns: tuple[Turn, ...]  # ends with the speaker's turn that is answered
    options: tuple[Option, ...]  # in the order of the template's file; orders of asking come later
    repeat: int = 0
    control: str | None = None  # e.g. "no attribute": not one of the groups, measured for comparison
    emotion: str | None = None
    polarity: Polarity | None = None
