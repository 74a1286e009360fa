from __future__ import annotations

from pathlib import Path

import pytest

from empathic.datasets.messages import ChatMessage, Part, role_of, to_messages, to_turns
from empathic.errors import InputError
from empathic.records import Turn

PATH = Path("c.jsonl")


def test_roles_of_many_tools_are_two(tmp_path: Path) -> None:
    roles = [role_of(name, path=PATH, line=1, field="role") for name in ("user", "Human", "seeker", "gpt", "supporter")]
    assert roles == ["speaker", "speaker", "speaker", "listener", "listener"]


def test_text_parts_are_joined_and_others_are_refused() -> None:
    parts = [Part(type="text", text="a"), Part(type="text", text="b")]
    turns, prompt = to_turns([ChatMessage("user", parts)], path=PATH, line=3)
    assert (turns, prompt) == ((Turn(role="speaker", text="ab"),), None)
    picture = ChatMessage("user", [Part(type="image_url")])
    with pytest.raises(InputError, match=r"c.jsonl:3 field 'messages\[0\].content': only text can be read"):
        to_turns([picture], path=PATH, line=3)


def test_a_system_prompt_stands_first_or_is_refused() -> None:
    prompt, asked = ChatMessage("developer", "Be kind."), ChatMessage("user", "Hi")
    assert to_turns([prompt, asked], path=PATH, line=1) == ((Turn(role="speaker", text="Hi"),), "Be kind.")
    with pytest.raises(InputError, match=r"messages\[1\].role': the role 'developer' is not known"):
        to_turns([asked, prompt], path=PATH, line=1)
    with pytest.raises(InputError, match="there is no message of a user"):
        to_turns([prompt], path=PATH, line=1)


def test_turns_become_messages() -> None:
    turns = [Turn(role="speaker", text="a"), Turn(role="listener", text="b")]
    assert to_messages(turns, "p") == [
        {"role": "system", "content": "p"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
    ]
