"""A study file: what is wrong is said with the line, the value and what to write instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from empathic.errors import InputError
from empathic.studies import reading
from empathic.studies.design import Between, Ieval

TEXT = """\
design: between
title: Small
description: We ask.
consent:
  version: "1"
  text: I agree.
codes: {complete: A, screened_out: B, failed: C, withdrawn: D}
help: Call.
debrief: Thanks.
responses: responses.jsonl
questions:
- id: gender
  text: Your gender
  options: [female, male]
"""


def write(tmp_path: Path, text: str, name: str = "study.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def changed(tmp_path: Path, **changes: Any) -> Path:
    return write(tmp_path, yaml.safe_dump({**yaml.safe_load(TEXT), **changes}))


def test_a_study_file_becomes_a_study(tmp_path: Path) -> None:
    study = reading.read(write(tmp_path, TEXT))
    assert isinstance(study, Between)
    assert (study.title, study.batch, study.instrument) == ("Small", 10, "bad-okay-good")


def test_toml_says_the_same(tmp_path: Path) -> None:
    content = yaml.safe_load(TEXT)
    text = msgspec.toml.encode(content).decode() if _can_write_toml() else _toml()
    assert reading.read(write(tmp_path, text, "study.toml")).title == "Small"


def _can_write_toml() -> bool:
    try:
        return bool(msgspec.toml.encode({"a": 1}))
    except ImportError:
        return False


def _toml() -> str:
    plain = ["design", "title", "description", "help", "debrief", "responses"]
    content = yaml.safe_load(TEXT)
    lines = [f'{name} = "{content[name]}"' for name in plain]
    lines += ["[consent]", 'version = "1"', 'text = "I agree."', "[codes]"]
    return "\n".join(lines + [f'{key} = "{value}"' for key, value in content["codes"].items()])


def test_a_mistyped_key_is_named_with_its_line_and_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"study.yaml:6.*consent.txt.*no key 'txt'.*Did you mean 'text'\?"):
        reading.read(write(tmp_path, TEXT.replace("  text: I agree.", "  txt: I agree.")))
    with pytest.raises(InputError, match="no key 'titel'.*Did you mean 'title'"):
        reading.read(write(tmp_path, TEXT.replace("title:", "titel:")))
    with pytest.raises(InputError, match=r":14 .*questions.optoins.*Did you mean 'options'"):
        reading.read(write(tmp_path, TEXT.replace("options:", "optoins:")))


def test_a_value_of_the_wrong_kind_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"study.yaml:2 field 'title'.*Expected `str`, got `int`"):
        reading.read(write(tmp_path, TEXT.replace("title: Small", "title: 5")))
    with pytest.raises(InputError, match="missing required field `help`"):
        reading.read(write(tmp_path, TEXT.replace("help: Call.\n", "")))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"codes": {"complete": "A", "screened_out": "A", "failed": "C", "withdrawn": "D"}}, "stands for 2 outcomes"),
        ({"codes": {"complete": "A ", "screened_out": "B", "failed": "C", "withdrawn": "D"}}, "neither be empty|blank"),
        ({"raters": 0}, "at least 1, it is 0"),
        ({"batch": -2}, "at least 1, it is -2"),
        ({"balance": {"age": ["19-25"]}}, "needs a question with the id 'age'"),
        ({"balance": {"gender": ["woman"]}}, "'woman' is no option"),
        ({"balance": {"age": ["old"]}, "questions": [{"id": "age", "text": "?", "kind": "number"}]}, "no age band"),
        ({"questions": [{"id": "a", "text": "?"}]}, "needs at least two options"),
        ({"questions": [{"id": "a", "text": "?", "kind": "text"}] * 2}, "'a' appears 2 times"),
        ({"design": "within"}, "it can be between, ieval, observer"),
    ],
)
def test_what_cannot_be_run_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        reading.read(changed(tmp_path, **changes))


@pytest.mark.parametrize(("count", "fits"), [(2, False), (3, True), (7, True), (8, False)])
def test_three_to_seven_bots_can_be_compared(tmp_path: Path, count: int, fits: bool) -> None:
    bots = [{"name": f"b{number}", "system": "echo"} for number in range(count)]
    content = {**yaml.safe_load(TEXT), "design": "ieval", "bots": bots, "scenarios": "s.jsonl"}
    del content["responses"]
    path = write(tmp_path, yaml.safe_dump(content))
    if fits:
        assert isinstance(reading.read(path), Ieval)
    else:
        with pytest.raises(InputError, match=f"there are {count}"):
            reading.read(path)


@pytest.mark.parametrize("text", ["", "- a\n- b", "a: [1", "\x00", "title: \tx: y: z"])
def test_what_is_no_study_file_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        reading.read(write(tmp_path, text))


def test_a_folder_without_a_study_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empathic study new"):
        reading.find(tmp_path)
    write(tmp_path, TEXT)
    assert reading.find(tmp_path).name == "study.yaml"


@pytest.mark.parametrize(
    ("band", "limits"),
    [("19-25", (19, 25)), ("65+", (65, float("inf"))), ("46–64", (46, 64)), ("9", None), ("b-c", None)],
)
def test_an_age_band_has_a_lowest_and_a_highest_age(band: str, limits: tuple[float, float] | None) -> None:
    assert reading.age_band(band) == limits
