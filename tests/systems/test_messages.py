from __future__ import annotations

from empathic.contracts import Message
from empathic.records import Turn
from empathic.systems.messages import chat_messages, plain_messages

TURNS = (Turn(role="speaker", text="a"), Turn(role="listener", text="b"), Turn(role="speaker", text="c"))


def test_the_speaker_is_the_user_and_the_listener_the_assistant() -> None:
    assert plain_messages(TURNS) == [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ]


def test_the_instruction_comes_first_if_there_is_one() -> None:
    assert chat_messages("Be kind.", TURNS[:1]) == [
        Message(role="system", content="Be kind."),
        Message(role="user", content="a"),
    ]
    assert [message.role for message in chat_messages(None, TURNS)] == ["user", "assistant", "user"]
