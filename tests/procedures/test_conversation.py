from __future__ import annotations

import asyncio

from empathic.contracts import Message, Procedure, Reply, Request
from empathic.models import Scripted
from empathic.procedures import Conversation, ModelSpeaker, ScriptedSpeaker
from empathic.records import Dialogue, Turn

TURNS = tuple(
    Turn(role=role, text=text)
    for role, text in (("speaker", "My cat died."), ("listener", "Oh no."), ("speaker", "She was old."))
)
DIALOGUE = Dialogue(id="d", turns=TURNS, situation="My cat of 18 years died.", emotion="sad")


def talk(procedure: Conversation, answers: list[str]) -> list[Request | Reply]:
    """Every request of a conversation in which the system gives these answers."""

    async def run() -> list[Request | Reply]:
        current: Request | Reply | None = next(procedure.requests(DIALOGUE))
        seen: list[Request | Reply] = []
        while current is not None:
            seen.append(current)
            if isinstance(current, Reply):
                break
            current = await procedure.follow(DIALOGUE, current, Reply(text=answers[len(seen) - 1]))
        return seen

    return asyncio.run(run())


def test_the_whole_history_with_the_systems_own_answers_is_seen() -> None:
    seen = talk(Conversation(turns=2), ["I am sorry.", "Still hard."])
    assert [[turn.text for turn in request.turns] for request in seen] == [
        ["My cat died."],
        ["My cat died.", "I am sorry.", "She was old."],
    ]
    assert [request.reference for request in seen] == [None, None]
    assert isinstance(Conversation(), Procedure)


def test_a_scripted_speaker_stops_when_its_script_is_over() -> None:
    assert len(talk(Conversation(turns=9), ["a", "b", "c"])) == 2
    assert asyncio.run(ScriptedSpeaker().say(DIALOGUE, TURNS, repeat=0)) is None


def test_a_model_plays_the_person_with_the_roles_exchanged() -> None:
    heard: list[list[Message]] = []

    def script(messages: list[Message]) -> str:
        heard.append(list(messages))
        return f"line {len(heard)}"

    seen = talk(Conversation(turns=3, speaker=ModelSpeaker(Scripted("scripted/p", script))), ["a", "b", "c"])
    assert [request.turns[-1].text for request in seen] == ["My cat died.", "line 1", "line 2"]
    assert "My cat of 18 years died." in heard[0][0].content
    assert [message.role for message in heard[1][2:]] == ["assistant", "user", "assistant", "user"]


def test_a_speaker_that_fails_ends_the_conversation_with_its_reason() -> None:
    class Silent(Scripted):
        async def complete(self, messages, sampling):
            return Reply(text=None, missing="HTTP 500", transient=True)

    seen = talk(Conversation(turns=3, speaker=ModelSpeaker(Silent("scripted/x", ["-"]))), ["a", "b"])
    assert seen[1].missing == "the simulated speaker failed: HTTP 500"
    assert seen[1].transient
    blank = talk(Conversation(turns=3, speaker=ModelSpeaker(Scripted("scripted/x", [" "]))), ["a", "b"])
    assert blank[1].missing == "the simulated speaker failed: it said nothing"


def test_the_speaker_and_the_number_of_turns_are_part_of_the_settings() -> None:
    one = Conversation(turns=2).settings()
    assert one != Conversation(turns=3).settings()
    assert one != Conversation(turns=2, speaker=ModelSpeaker(Scripted("scripted/x", ["-"]))).settings()


def test_a_missing_answer_ends_the_conversation() -> None:
    procedure = Conversation(turns=3)
    request = next(procedure.requests(DIALOGUE))
    assert asyncio.run(procedure.follow(DIALOGUE, request, Reply(text=None, missing="HTTP 500"))) is None
