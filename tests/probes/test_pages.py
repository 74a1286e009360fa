"""YAML pages: strings only, and every value knows its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.probes import pages
from empathic.records import Record

TEXT = """id: x
ages:
  - no
  - 25
story: >-
  Once there was
  a long tale
  of a fox.
"""


class Shape(Record, frozen=True):
    id: str
    ages: tuple[str, ...]
    story: str


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "page.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_every_scalar_is_a_string(tmp_path: Path) -> None:
    page = pages.read(written(tmp_path, TEXT))
    assert page.content["ages"] == ["no", "25"], "no is a word here, not false"
    assert pages.convert(page, Shape) == Shape(id="x", ages=("no", "25"), story="Once there was a long tale of a fox.")


@pytest.mark.parametrize(
    ("trail", "words", "line"),
    [
        (("id",), "", 1),
        (("ages", "1"), "", 4),
        (("story",), "", 5),
        (("story",), "of a fox", 8),
        (("story",), "a long tale of a fox", 7),  # over two lines: the line of its longest word
        (("story",), "nowhere", 5),
        (("ages", "7"), "", 2),  # what is not there is where it would be
        (("nothing",), "", 1),
    ],
)
def test_a_value_knows_its_line(tmp_path: Path, trail: tuple[str, ...], words: str, line: int) -> None:
    assert pages.read(written(tmp_path, TEXT)).line(trail, words) == line


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: [1", 1, "is not valid YAML"),
        ("a: 1\nb: {x}: y\n", 2, "is not valid YAML"),
        ("a: 1\nb: 2\na: 3\n", 3, "'a' appears twice"),
        ("a:\n  - b: 1\n    b: 2\n", 3, "'b' appears twice"),
        (b"a: \xff\xfe", None, "is not UTF-8"),
        ("a: \x07", None, "is not valid YAML"),
        ("a: &x 1\nb: *x\n", 2, "aliases"),
        ("a: " + "[" * 1500 + "]" * 1500, None, "nested too deeply"),
    ],
)
def test_what_is_no_page_is_refused_with_its_line(tmp_path: Path, text: str, line: int | None, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        pages.read(written(tmp_path, text))
    assert caught.value.line == line


def test_what_does_not_fit_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="page.yaml:2 field 'ages.1'") as caught:
        pages.convert(pages.read(written(tmp_path, "id: x\nages: [a, [b]]\nstory: y\n")), Shape)
    assert caught.value.line == 2


def test_an_empty_page_has_no_content(tmp_path: Path) -> None:
    page = pages.read(written(tmp_path, ""))
    assert page.content is None or page.content == ""
    assert page.line(("id",)) == 1
