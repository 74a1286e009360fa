from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets, metrics
from empathic.errors import InputError
from empathic.metrics import Choice, Plan
from empathic.records import Dialogue, Rating, Response, Turn

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed: pip install 'empathic[inspect]'")
BIN = Path(sys.executable).parent
PEOPLE = {
    "a": ("My cat died yesterday and I feel empty.", "I'm so sorry about your cat. How long did you have her?"),
    "b": ("I got the job!", "Congratulations! You must be so proud."),
    "c": ("I failed the exam.", None),
}


def responses() -> list[Response]:
    """The same answers as the inspect samples, scored without inspect_ai."""
    return [
        Response(
            id=f"{name}-1",
            system="none/none",
            dialogue=name,
            turns=(Turn(role="speaker", text=said),),
            text=answer,
            missing=None if answer else "the response is empty",
        )
        for name, (said, answer) in PEOPLE.items()
    ]


def inspect(*words: str, folder: Path) -> str:
    """The real command, in a folder of its own."""
    environment = {**os.environ, "INSPECT_LOG_DIR": str(folder / "logs"), "XDG_DATA_HOME": str(folder / "data")}
    command = [str(BIN / "inspect"), *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def read(path: Path) -> dict[str, Any]:
    """A log as inspect_ai wrote it."""
    with zipfile.ZipFile(path) as archive:
        header: dict[str, Any] = json.loads(archive.read("header.json"))
        kept = [json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("samples/")]
    return {"path": path, **header, "samples": kept}


def evaluated(folder: Path, *words: str) -> Path:
    """The log of `inspect eval` over three samples whose answers are replayed."""
    samples = [
        {"id": name, "input": said, "target": "", "metadata": {"response": answer} if answer else {}}
        for name, (said, answer) in PEOPLE.items()
    ]
    (folder / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    chosen = ("-T", "dialogues=samples.jsonl", "--solver", "empathic/replay", "--display", "none", *words)
    inspect("eval", "empathic/empathy", "--model", "none/none", *chosen, folder=folder)
    (path,) = (folder / "logs").glob("*.eval")
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The same, read."""
    return read(evaluated(tmp_path_factory.mktemp("inspect")))


@pytest.mark.slow
def test_a_log_without_scores_is_scored_afterwards(tmp_path: Path, log: dict[str, Any]) -> None:
    path = evaluated(tmp_path, "--no-score")
    assert not read(path)["samples"][0].get("scores")
    scorer = ("--scorer", "empathic/empathy_profile", "--overwrite", "--display", "none")
    inspect("score", str(path), *scorer, folder=tmp_path)
    given, before = (
        {sample["id"]: str(sample["scores"]["empathy_profile"]["value"]) for sample in found["samples"]}
        for found in (read(path), log)
    )
    assert given == before


def test_the_profile_of_a_sample_is_what_empathic_score_gives(log: dict[str, Any]) -> None:
    given = {sample["id"]: sample["scores"]["empathy_profile"] for sample in log["samples"]}
    names = [name for name in given["a"]["value"] if not name.endswith("_context")]
    plan = Plan(choices=tuple(Choice(asked=name) for name in sorted({name.split(".")[0] for name in names})))
    cells = metrics.score([one for one in responses() if one.dialogue == "a"], plan).systems["none/none"]
    assert {"specificity", "mechanisms.er", "reflection.level", "questions.sentences", "length.words"} <= set(names)
    for name in names:
        value = given["a"]["value"][name]
        assert (cells[name].value is None) == math.isnan(value), name
        assert cells[name].value is None or value == pytest.approx(cells[name].value), name
    assert given["a"]["answer"] == PEOPLE["a"][1]
    assert "How long did you have her?" in given["a"]["explanation"]
    assert any(signature.startswith("specificity.v") for signature in given["a"]["metadata"]["signatures"])


def test_an_answer_that_is_not_there_is_unscored_and_counted(log: dict[str, Any]) -> None:
    given = {sample["id"]: sample["scores"]["empathy_profile"] for sample in log["samples"]}
    assert math.isnan(given["c"]["value"])
    assert (given["c"]["reason"], given["c"]["explanation"]) == ("no_response", "the response is empty")
    assert given["a"]["metadata"]["missing"]["repetition.before"] == "the listener said nothing before"
    counted = {
        score["name"]: (score["scored_samples"], score["unscored_samples"]) for score in log["results"]["scores"]
    }
    assert counted["specificity"] == (2, 1)
    assert counted["repetition.before"] == (0, 3)


def test_the_log_has_means_and_numbers_about_all_answers(log: dict[str, Any]) -> None:
    found = {score["name"]: score["metrics"] for score in log["results"]["scores"]}
    plan = Plan(choices=(Choice(asked="distinct"), Choice(asked="length")))
    cells = metrics.score(responses(), plan).systems["none/none"]
    assert found["length.words"]["mean"]["value"] == pytest.approx(cells["length.words"].value)
    assert found["empathy_profile"]["distinct.2"]["value"] == pytest.approx(cells["distinct.2"].value)


def test_the_scored_log_is_read_back_as_responses_and_ratings(log: dict[str, Any]) -> None:
    records = list(datasets.read(log["path"]))
    texts = {one.dialogue: one.text for one in records if isinstance(one, Response)}
    assert texts == {name: answer for name, (_, answer) in PEOPLE.items()}
    items = {one.item: one.value for one in records if isinstance(one, Rating) and one.target == "a-1"}
    assert items["length.words"] == 15


def test_a_dialogue_that_ends_with_the_listener_asks_for_that_turn() -> None:
    from empathic.integrations.inspect import to_sample

    turns = (Turn(role="speaker", text="Hi"), Turn(role="listener", text="Hello"))
    sample = to_sample(Dialogue(id="d", turns=turns, emotion="joyful", metadata={"n": 1}))
    assert [(one.role, one.text) for one in sample.input] == [("user", "Hi")]  # type: ignore[union-attr]
    assert (sample.target, sample.metadata) == ("Hello", {"n": 1, "emotion": "joyful"})


def test_recorded_answers_are_found_by_dialogue_and_system(tmp_path: Path) -> None:
    from empathic.integrations.inspect import read_answers

    path = tmp_path / "both.jsonl"
    files = [{"id": f"{system}-{one}", "system": system, "dialogue": str(one)} for system in "xy" for one in (1, 2)]
    lines = [{**each, "turns": [{"role": "speaker", "text": "Hi"}], "text": each["id"]} for each in files]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_answers(str(path), "y") == {"1": "y-1", "2": "y-2"}
    with pytest.raises(InputError, match=r"both.jsonl: holds 2 systems \(x, y\): say which, -S system=x"):
        read_answers(str(path), None)
    with pytest.raises(InputError, match="holds no responses of z"):
        read_answers(str(path), "z")
