from __future__ import annotations

import json

import pytest

from empathic import registry
from empathic.cli import main
from empathic.records import Item


@pytest.fixture(autouse=True)
def registered(_registry_as_it_was: None) -> None:
    registry.register("metric", "zz-shown", summary="a metric")(len)
    registry.register("instrument", "zz-scale", summary="a scale")(Item(id="1", text="How warm?"))
    registry.register("metric", "zz-both", summary="one")(len)
    registry.register("system", "zz-both", summary="other")(len)


def test_a_thing_is_shown_with_its_description(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "zz-shown"]) == 0
    assert capsys.readouterr().out.startswith("metric zz-shown.v1: a metric\nReturn the number of items")


def test_a_record_is_shown_with_its_fields_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "instrument/zz-scale", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["text"] == "How warm?"
    assert shown["kind"] == "instrument"


def test_a_record_is_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "zz-scale"]) == 0
    assert "text: How warm?" in capsys.readouterr().out


def test_a_name_of_two_things_asks_which(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "zz-both"]) == 1
    assert "metric/zz-both, system/zz-both" in capsys.readouterr().err


def test_an_unknown_thing_is_one_line_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "zz-shwn"]) == 1
    assert "Did you mean 'zz-shown'?" in capsys.readouterr().err
