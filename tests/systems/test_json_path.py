from __future__ import annotations

import pytest

from empathic.errors import SettingError
from empathic.systems.json_path import parse, values

RASA = [{"recipient_id": "u", "text": "One."}, {"image": "x"}, {"text": "Two."}]
CHAT = {"choices": [{"message": {"content": "Hi."}}], "a-b": {"c d": 1}}


@pytest.mark.parametrize(
    ("document", "path", "found"),
    [
        (RASA, "$[*].text", ["One.", "Two."]),
        (RASA, "[-1].text", ["Two."]),
        (RASA, "[7].text", []),
        (CHAT, "choices[0].message.content", ["Hi."]),
        (CHAT, "$.choices[*].message.content", ["Hi."]),
        (CHAT, "$['a-b']['c d']", [1]),
        (CHAT, "$.nothing.there", []),
        ("text", "$", ["text"]),
        ("text", "[0]", []),
    ],
)
def test_a_path_finds_its_values(document: object, path: str, found: list[object]) -> None:
    assert values(document, parse(path)) == found


@pytest.mark.parametrize("path", ["$..text", "a[", "a b", "[x]"])
def test_a_path_that_cannot_be_read_says_from_where(path: str) -> None:
    with pytest.raises(SettingError, match="cannot be read from"):
        parse(path)
