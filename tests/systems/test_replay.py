from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files, systems
from empathic.contracts import System
from empathic.errors import SettingError, UnknownName
from empathic.records import Generation, Response, Turn
from talk import respond


def recorded(system: str, dialogue: str, text: str | None, **fields: object) -> Response:
    turns = (Turn(role="speaker", text="a"),)
    return Response(id=f"{system}{dialogue}", system=system, dialogue=dialogue, turns=turns, text=text, **fields)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    responses = [
        recorded("bot", "d", "Hello.", generation=Generation(cost=0.5)),
        recorded("bot", "e", None, missing="HTTP 500"),
    ]
    files.write_lines(tmp_path / "one.jsonl", responses)
    files.write_lines(tmp_path / "two.jsonl", [*responses, recorded("other", "d", "Hi.")])
    return tmp_path


def test_recorded_responses_are_given_again_under_the_same_name(path: Path) -> None:
    system = systems.make(f"replay:{path / 'one.jsonl'}")
    assert (system.name, isinstance(system, System)) == ("bot", True)
    assert respond(system, "a").text == "Hello."
    assert respond(system, "a").generation.cost == 0.5
    assert respond(system, "a", dialogue="e").missing == "HTTP 500"
    assert respond(system, "a", dialogue="f").missing == "the recorded responses do not hold this place"
    assert respond(system, "a", repeat=1).text is None


def test_one_of_several_systems_is_chosen_by_name(path: Path) -> None:
    assert respond(systems.make(f"replay:{path / 'two.jsonl'}#other"), "a").text == "Hi."
    with pytest.raises(SettingError, match="holds 2 systems; one is needed. Type replay:.*two.jsonl#bot"):
        systems.make(f"replay:{path / 'two.jsonl'}")
    with pytest.raises(UnknownName, match="Did you mean 'other'?"):
        systems.make(f"replay:{path / 'two.jsonl'}#othr")


def test_a_file_is_needed() -> None:
    with pytest.raises(SettingError, match="needs a file"):
        systems.make("replay")
