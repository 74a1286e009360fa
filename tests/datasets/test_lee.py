from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets import lee
from empathic.datasets.lee import query_id, system_of, turns_of
from empathic.errors import InputError, SettingError
from empathic.records import Response, Turn

FILES = ("care", "cem", "emocause", "human", "moel", "trs")


def test_turns_end_with_the_speakers() -> None:
    assert [turn.role for turn in turns_of(["a", "b", "c"])] == ["speaker", "listener", "speaker"]
    assert [turn.role for turn in turns_of(["a", "b"])] == ["listener", "speaker"]


def test_a_query_is_known_by_its_words_alone() -> None:
    assert query_id(["I could n't wait ."]) == query_id(["i couldn't  wait."])
    assert query_id(["a", "b"]) != query_id(["ab"])


def test_the_system_is_in_the_files_name_unless_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "moel_responses.json"
    path.write_text('[{"query": ["a", "b", "c"], "response": "d", "top_k": "e"}, {"query": ["a"], "response": ""}]')
    one, two = datasets.read(path)
    assert isinstance(one, Response) and isinstance(two, Response)
    assert (one.system, one.id, one.position, one.metadata) == ("moel", "moel-0", 1, {"index": 0, "top_k": "e"})
    assert (two.text, two.missing) == (None, "the response is empty")
    assert [record.system for record in datasets.read(path, system="mine") if isinstance(record, Response)] == [
        "mine",
        "mine",
    ]
    assert system_of(Path("a/cem_responses.json.gz")) == "cem"


def test_an_empty_query_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "x_responses.json"
    path.write_text('[{"query": ["a"], "response": "d"},\n{"query": [], "response": "d"}]')
    with pytest.raises(InputError, match="x_responses.json:2 field 'query': is empty"):
        list(datasets.read(path))


@pytest.mark.parametrize("name", FILES)
def test_the_released_responses_are_read_one_by_one(shared: Path, name: str) -> None:
    path = shared / "data" / "lee2024" / f"{name}_responses.json"
    source = json.loads(path.read_text())
    records = list(datasets.read(path))
    assert len(records) == len(source) == (5259 if name == "emocause" else 5255)
    for index, (released, record) in enumerate(zip(source, records, strict=True)):
        assert isinstance(record, Response)
        assert (record.text, [turn.text for turn in record.turns]) == (released["response"], released["query"])
        others = {key: released[key] for key in released if key not in ("query", "response")}
        assert record.metadata == {"index": index, **others}


def test_the_released_files_pair_by_query(shared: Path) -> None:
    def dialogues(name: str) -> list[str]:
        path = shared / "data" / "lee2024" / f"{name}_responses.json"
        return [record.dialogue for record in datasets.read(path) if isinstance(record, Response)]

    human = dialogues("human")
    assert all(dialogues(name) == human for name in ("care", "cem", "moel", "trs"))


def response(**changes: object) -> Response:
    known: dict[str, object] = {"id": "r", "system": "s", "dialogue": "d", "turns": turns_of(["a"]), "text": "b"}
    return Response(**(known | changes))  # type: ignore[arg-type]


def test_what_is_written_is_what_was_released(tmp_path: Path) -> None:
    path = tmp_path / "s_responses.json"
    made = [response(metadata={"index": 0, "top_k": "c"}), response(id="q", text=None, missing="refused")]
    assert lee.write(path, made) == 2
    assert json.loads(path.read_text()) == [
        {"query": ["a"], "top_k": "c", "response": "b"},
        {"query": ["a"], "response": ""},
    ]


def test_two_systems_or_turns_that_do_not_alternate_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="holds one system, these are 's' and 't'.*--only-system s"):
        lee.write(tmp_path / "x.json", [response(), response(system="t")])
    twice = (Turn(role="speaker", text="a"), Turn(role="speaker", text="b"))
    with pytest.raises(InputError, match="response 'r': the turns of a query alternate"):
        lee.write(tmp_path / "x.json", [response(turns=twice)])
    assert list(tmp_path.iterdir()) == []
