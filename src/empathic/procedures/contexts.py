"""A dialogue becomes its places to answer: every run of speaker turns, with what a person answered there."""

from __future__ import annotations

from collections.abc import Iterator

from empathic.contracts import Request
from empathic.records import Dialogue, Turn


def contexts(dialogue: Dialogue) -> Iterator[Request]:
    """One request per place where the speaker has spoken and the listener is to answer.

    Several speaker turns in a row are one place. The turn of the listener that follows is the reference; after the
    last speaker turn it may be `dialogue.reference` instead.
    """
    turns, position = dialogue.turns, 0
    for end in range(1, len(turns) + 1):
        following = turns[end] if end < len(turns) else None
        if turns[end - 1].role == "speaker" and (following is None or following.role == "listener"):
            yield request_at(dialogue, turns[:end], position, following.text if following else dialogue.reference)
            position += 1


def request_at(dialogue: Dialogue, turns: tuple[Turn, ...], position: int, reference: str | None) -> Request:
    """A request about this dialogue with this context."""
    return Request(
        dialogue=dialogue.id,
        position=position,
        turns=turns,
        situation=dialogue.situation,
        emotion=dialogue.emotion,
        reference=reference,
    )
