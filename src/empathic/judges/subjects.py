"""Dialogues and responses become subjects: the thing one questionnaire is filled about, or why it cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from empathic.contracts import Subject
from empathic.errors import SettingError
from empathic.records import Dialogue, Instrument, Response, Turn

SILENT, BLANK = "the conversation has no turn of the listener", "the listener's turns are empty"


def of_dialogues(dialogues: Iterable[Dialogue], instrument: Instrument) -> Iterator[Subject]:
    """Whole conversations, or each listener turn with what came before it, as the instrument asks."""
    _refuse_self_report(instrument)
    for dialogue in dialogues:
        if instrument.target == "transcript":
            yield _conversation(dialogue)
        else:
            yield from _turns(dialogue)


def of_responses(responses: Iterable[Response], instrument: Instrument) -> Iterator[Subject]:
    """Each response with its context, or (instruments about conversations) each system's last one per dialogue.

    A listener turn of the context counts as the system's own only if the system gave it, at an earlier position of
    the same dialogue; the others (of a person, in a piecewise procedure) are context and are not rated.
    """
    _refuse_self_report(instrument)
    if instrument.target != "transcript":
        yield from map(_single, responses)
        return
    grouped: dict[tuple[str, str, int], list[Response]] = {}
    for response in responses:
        grouped.setdefault((response.system, response.dialogue, response.repeat), []).append(response)
    for group in grouped.values():
        yield _whole(sorted(group, key=lambda response: response.position))


def _refuse_self_report(instrument: Instrument) -> None:
    if instrument.target == "rater":
        raise SettingError(
            f"'{instrument.id}' asks raters about themselves; a judge can only fill instruments about a response, "
            "a turn or a transcript, for example eshcc."
        )


def _conversation(dialogue: Dialogue) -> Subject:
    rated = _spoken(dialogue)
    silent = all(turn.role != "listener" for turn in dialogue.turns)
    return Subject(
        target=dialogue.id,
        turns=dialogue.turns,
        rated=rated,
        missing=None if rated else SILENT if silent else BLANK,
        system=_system(dialogue),
        dialogue=dialogue.id,
    )


def _turns(dialogue: Dialogue) -> Iterator[Subject]:
    places = [place for place, turn in enumerate(dialogue.turns) if turn.role == "listener"]
    if not places:
        yield _conversation(dialogue)
    spoken = _spoken(dialogue)
    for position, place in enumerate(places):
        yield Subject(
            target=f"{dialogue.id}#{position}",
            turns=dialogue.turns[: place + 1],
            rated=(place,) if place in spoken else (),
            missing=None if place in spoken else BLANK,
            system=_system(dialogue),
            dialogue=dialogue.id,
        )


def _spoken(dialogue: Dialogue) -> tuple[int, ...]:
    """The places where the listener says something."""
    return tuple(place for place, turn in enumerate(dialogue.turns) if turn.role == "listener" and turn.text.strip())


def _system(dialogue: Dialogue) -> str | None:
    system = dialogue.metadata.get("system")
    return system if isinstance(system, str) else None


def _single(response: Response) -> Subject:
    said = (Turn(role="listener", text=response.text),) if response.text and response.text.strip() else ()
    return Subject(
        target=response.id,
        turns=(*response.turns, *said),
        rated=(len(response.turns),) if said else (),
        missing=None if said else f"there is no response: {response.missing or 'it is empty'}",
        system=response.system,
        dialogue=response.dialogue,
    )


def _whole(group: list[Response]) -> Subject:
    last = _single(group[-1])
    if last.missing:
        return last
    own = {response.text for response in group[:-1]}
    earlier = (place for place, turn in enumerate(group[-1].turns) if turn.role == "listener" and turn.text in own)
    return Subject(
        target=last.target,
        turns=last.turns,
        rated=(*earlier, *last.rated),
        system=last.system,
        dialogue=last.dialogue,
    )
