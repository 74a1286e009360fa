from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets
from empathic.errors import InputError
from empathic.records import Dialogue, Rating, Response, Turn


@pytest.mark.parametrize("name", ["inspect/log.eval", "inspect/log.json"])
def test_a_log_gives_responses_and_ratings(samples: dict[str, Path], name: str) -> None:
    response, *ratings = datasets.read(samples[name])
    assert response == Response(
        id="1-2",
        system="openai/x",
        dialogue="1",
        turns=(Turn(role="speaker", text="My cat died."),),
        text="I am so sorry.",
        repeat=1,
        reference="I am sorry.",
        metadata={"topic": "pets"},
    )
    assert all(isinstance(rating, Rating) and rating.target == "1-2" for rating in ratings)
    given = [(r.rater, r.item, r.value, r.raw, r.reason) for r in ratings if isinstance(r, Rating)]
    assert given == [
        ("judge:inspect/kind", "kind", 0.5, None, "warm"),
        ("judge:inspect/many", "empathy", 1.0, None, None),
        ("judge:inspect/many", "grade", None, "C", None),
    ]


def test_samples_of_a_dataset_are_dialogues(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    chat = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    lines: list[Any] = [{"input": "Hello", "target": ["a", "b"]}]
    lines.append({"id": 5, "input": chat, "target": "", "metadata": {"emotion": "sad", "n": 1}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    one, two = datasets.read(path)
    assert one == Dialogue(id="line-1", turns=(Turn(role="speaker", text="Hello"),), reference="a\nb")
    assert isinstance(two, Dialogue)
    assert (two.id, two.emotion, two.metadata) == ("5", "sad", {"n": 1, "system_prompt": "Be kind."})


def archive(path: Path, **members: str) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, text in members.items():
            packed.writestr(name.replace("__", "/") + ".json", text)
    path.write_bytes(stream.getvalue())
    return path


def test_a_log_that_was_cut_off_is_read_by_its_journal(tmp_path: Path) -> None:
    sample = json.dumps({"id": "a", "input": "Hi", "target": "", "output": {"completion": "Hello"}})
    path = archive(tmp_path / "x.eval", _journal__start='{"eval": {"model": "m"}}', samples__a_epoch_1=sample)
    (found,) = datasets.read(path)
    assert isinstance(found, Response)
    assert (found.system, found.text) == ("m", "Hello")


def test_a_sample_without_an_answer_is_missing_with_its_reason(tmp_path: Path) -> None:
    sample = json.dumps({"id": "a", "input": "Hi", "messages": [{"role": "user", "content": "Hi"}]})
    path = archive(tmp_path / "x.eval", header='{"eval": {"model": "m"}}', samples__a=sample)
    (found,) = datasets.read(path)
    assert isinstance(found, Response)
    assert (found.text, found.missing) == (None, "the response is empty")


def test_reasoning_and_tool_calls_are_no_turns_and_an_unscored_sample_is_missing(tmp_path: Path) -> None:
    thought = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Hello"}]
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "", "tool_calls": [{"id": 1}]}]
    messages += [{"role": "tool", "content": "42"}, {"role": "assistant", "content": thought}]
    sample = {"id": 0, "input": "Hi", "messages": messages, "scores": {"kind": {"value": float("nan")}}}
    path = archive(tmp_path / "x.eval", header='{"eval": {"model": "m"}}', samples__a=json.dumps(sample))
    response, rating = datasets.read(path)
    assert isinstance(response, Response) and isinstance(rating, Rating)
    assert (response.dialogue, response.text, [turn.text for turn in response.turns]) == ("0", "Hello", ["Hi"])
    assert (rating.value, rating.missing, rating.raw) == (None, "the score is not a number", "NaN")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"other": "{}"}, "x.eval: is no log of inspect_ai: it has no header.json"),
        ({"header": "{}"}, "x.eval: Object missing required field `eval`"),
        ({"header": '{"eval": {"model": "m"}}', "samples__a": '{"id": 1}'}, "x.eval:1: Object missing required field"),
    ],
)
def test_what_is_no_log_is_one_error(tmp_path: Path, members: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(archive(tmp_path / "x.eval", **members)))
    assert message in str(caught.value)


def test_a_score_that_no_float_can_hold_is_missing(tmp_path: Path) -> None:
    sample = '{"id": 1, "input": "Hi", "scores": {"kind": {"value": ' + "9" * 400 + "}}}"
    path = archive(tmp_path / "x.eval", header='{"eval": {"model": "m"}}', samples__a=sample)
    _, rating = datasets.read(path)
    assert isinstance(rating, Rating)
    assert (rating.value, rating.missing) == (None, "the score is not a number")


def test_a_json_log_without_samples_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"version": 2, "eval": {"model": "m", "samples": [{}]}, "plan": {}}')
    with pytest.raises(InputError, match="log.json: there is no array 'samples'"):
        list(datasets.read(path))


def test_a_log_whose_metrics_are_unscored_is_read(tmp_path: Path) -> None:
    header = '{"results": {"scores": [{"metrics": {"mean": {"value": NaN}}}]}, "eval": {"model": "m"}}'
    sample = json.dumps({"id": 1, "input": "Hi", "output": {"completion": "Hello"}})
    (found,) = datasets.read(archive(tmp_path / "x.eval", header=header, samples__a=sample))
    assert isinstance(found, Response) and found.system == "m"
