"""Dialogues and responses become what an instrument is filled about."""

from __future__ import annotations

import pytest

from empathic import registry
from empathic.errors import SettingError
from empathic.judges import subjects
from empathic.records import Dialogue, Instrument, Response, Turn


def instrument(name: str) -> Instrument:
    found: Instrument = registry.find("instrument", name).thing
    return found


def response(position: int, turns: tuple[Turn, ...], text: str | None, system: str = "kind") -> Response:
    missing = None if text else "the server was down"
    return Response(
        id=f"r{position}", system=system, dialogue="d1", turns=turns, text=text, missing=missing, position=position
    )


def test_an_instrument_about_conversations_takes_a_dialogue_whole(dialogue: Dialogue) -> None:
    (found,) = subjects.of_dialogues([dialogue], instrument("eshcc"))
    assert (found.target, found.rated, found.system) == ("d1", (1, 3), "kind")
    assert found.turns == dialogue.turns


@pytest.mark.parametrize("name", ["epitome", "eshcc-turn"])
def test_an_instrument_about_answers_takes_each_listener_turn_with_what_came_before(
    name: str, dialogue: Dialogue
) -> None:
    found = list(subjects.of_dialogues([dialogue], instrument(name)))
    assert [(each.target, each.rated, len(each.turns)) for each in found] == [("d1#0", (1,), 2), ("d1#1", (3,), 4)]


@pytest.mark.parametrize("name", ["eshcc", "epitome"])
def test_a_dialogue_without_a_listener_has_nothing_to_rate(name: str) -> None:
    silent = Dialogue(id="d2", turns=(Turn(role="speaker", text="Anybody there?"),))
    (found,) = subjects.of_dialogues([silent], instrument(name))
    assert found.missing == "the conversation has no turn of the listener"


def test_a_response_is_rated_with_its_context(dialogue: Dialogue) -> None:
    (found,) = subjects.of_responses([response(1, dialogue.turns[:3], "Half a life.")], instrument("epitome"))
    assert (found.target, found.rated, found.turns[-1].text) == ("r1", (3,), "Half a life.")


def test_a_missing_response_has_nothing_to_rate_and_says_why(dialogue: Dialogue) -> None:
    for name in ("epitome", "eshcc"):
        (found,) = subjects.of_responses([response(1, dialogue.turns[:3], None)], instrument(name))
        assert found.missing == "there is no response: the server was down"


def test_a_conversation_with_a_system_is_one_subject_whose_own_turns_are_rated(dialogue: Dialogue) -> None:
    given = [
        response(1, dialogue.turns[:3], "Half a life."),
        response(0, dialogue.turns[:1], dialogue.turns[1].text),
        response(0, dialogue.turns[:1], "Hm.", system="cold"),
    ]
    kind, cold = subjects.of_responses(given, instrument("eshcc"))
    assert (kind.target, kind.rated) == ("r1", (1, 3))
    assert (cold.system, cold.rated) == ("cold", (1,))


def test_turns_of_somebody_else_in_the_context_are_not_rated(dialogue: Dialogue) -> None:
    (found,) = subjects.of_responses([response(1, dialogue.turns[:3], "Half a life.")], instrument("eshcc"))
    assert found.rated == (3,)


def test_an_instrument_about_the_rater_cannot_be_filled_by_a_judge(dialogue: Dialogue) -> None:
    with pytest.raises(SettingError, match="'teq' asks raters about themselves"):
        list(subjects.of_dialogues([dialogue], instrument("teq")))
    with pytest.raises(SettingError, match="eshcc"):
        list(subjects.of_responses([], instrument("teq")))


def test_an_empty_turn_is_not_rated() -> None:
    blank = Turn(role="listener", text="  ")
    said = Turn(role="listener", text="I see.")
    asked = Turn(role="speaker", text="Hello?")
    half = Dialogue(id="d3", turns=(asked, blank, asked, said))
    (whole,) = subjects.of_dialogues([half], instrument("eshcc"))
    assert (whole.rated, whole.missing) == ((3,), None)
    first, second = subjects.of_dialogues([half], instrument("epitome"))
    assert (first.missing, second.missing) == ("the listener's turns are empty", None)
    (nothing,) = subjects.of_dialogues([Dialogue(id="d4", turns=(asked, blank))], instrument("eshcc"))
    assert nothing.missing == "the listener's turns are empty"
    (answer,) = subjects.of_responses([response(0, (asked,), " ")], instrument("epitome"))
    assert answer.missing == "there is no response: it is empty"
