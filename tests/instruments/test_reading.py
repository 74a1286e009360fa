from __future__ import annotations

from pathlib import Path

import pytest

from empathic import registry
from empathic.errors import InputError
from empathic.instruments.reading import problems, read
from empathic.records import Instrument

GOOD = """
id = "mini"
version = 1
title = "Mini"
citation = "none"
licence = "CC0"
language = "en"
perspective = "third"
target = "response"
instruction = "Judge."
points = [{ value = 1, label = "low" }, { value = 5, label = "high" }]
components = [{ id = "all", title = "All" }]
items = [{ id = "a", text = "Warm?", components = ["all"] }]
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mini.toml"
    path.write_text(text)
    return path


def test_a_file_becomes_an_instrument(tmp_path: Path) -> None:
    instrument = read(written(tmp_path, GOOD))
    assert instrument.items[0].text == "Warm?"
    assert instrument.points[1].label == "high"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "a"', 'id = "a', "not valid TOML"),
        ('target = "response"', 'target = "room"', "field 'target': Invalid enum value 'room'"),
        ('licence = "CC0"', "", "missing required field `licence`"),
        ('title = "Mini"', 'title = "Mini"\ncolour = 1', "unknown field `colour`"),
        ('components = ["all"] }', 'components = ["al"] }', "no component is called 'al'"),
        ('title = "All" }', 'title = "All", items = ["b"] }', "no item is called 'b'"),
        ('title = "All" }', 'title = "All" }, { id = "all", title = "x" }', "'all' appears 2 times"),
        ('title = "All" }', 'title = "All" }, { id = "none", title = "x" }', "no item belongs to this component"),
        ("value = 5", "value = 1", "must rise without repeating"),
        (', { value = 5, label = "high" }', "", "at least two points"),
        ('text = "Warm?"', 'text = "Warm?", twin = "z"', "its twin 'z' is no item"),
        ('text = "Warm?"', 'text = "Warm?", nominal = true', "a nominal item can neither"),
        ('text = "Warm?"', 'text = "Warm?", points = [{ value = 1 }]', "at least two points"),
        ('items = [{ id = "a", text = "Warm?", components = ["all"] }]', "items = []", "at least one item"),
    ],
)
def test_a_faulty_file_is_one_error_that_names_it(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, GOOD.replace(old, new)))
    assert "mini.toml" in str(caught.value)
    assert message in str(caught.value)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mini.toml"
    path.write_bytes(b'title = "\xff"')
    with pytest.raises(InputError, match="UTF-8"):
        read(path)


def test_every_shipped_instrument_is_free_of_problems() -> None:
    for entry in registry.entries("instrument"):
        instrument: Instrument = entry.thing
        assert not list(problems(instrument)), entry.name
        assert instrument.citation
        assert instrument.limits
        assert instrument.evidence
