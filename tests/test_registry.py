from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic import registry
from empathic.errors import InputError, NameTaken, SettingError, UnknownName


@pytest.fixture(autouse=True)
def empty_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_entries", {kind: {} for kind in registry.KINDS})
    yield


def put(name: str, version: int = 1) -> None:
    registry.register("metric", name, version=version, summary="a test metric")(object())


def test_a_name_without_version_gives_the_newest() -> None:
    put("length", 1)
    put("length", 3)
    assert registry.find("metric", "length").version == 3
    assert registry.find("metric", "length.v1").version == 1


def test_the_summary_is_the_first_line_of_the_docstring() -> None:
    @registry.register("metric", "words")
    def words() -> None:
        """Counts words.

        More text.
        """

    assert registry.find("metric", "words").summary == "Counts words."


def test_an_unknown_name_says_what_was_meant() -> None:
    put("specificity")
    with pytest.raises(UnknownName, match="Did you mean 'specificity'"):
        registry.find("metric", "specifity")
    with pytest.raises(UnknownName):
        registry.find("metric", "specificity.v2")


def test_a_taken_name_is_refused_and_the_same_thing_twice_is_not() -> None:
    thing = object()
    registry.register("metric", "length")(thing)
    registry.register("metric", "length")(thing)
    with pytest.raises(NameTaken, match=r"length\.v1"):
        put("length")


@pytest.mark.parametrize("name", ["Length", "length.v1", "", "a b", "-x"])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(SettingError):
        put(name)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownName, match="kind"):
        registry.register("metrics", "x")  # type: ignore[arg-type]


def test_entries_come_by_name_and_version() -> None:
    put("b")
    put("a", 2)
    put("a", 1)
    assert [entry.versioned for entry in registry.entries("metric")] == ["a.v1", "a.v2", "b.v1"]


def test_a_signature_lists_settings_by_name_and_ends_with_the_package_version() -> None:
    assert registry.signature("specificity.v1", tokens="ptb", reference="my corpus|x") == (
        f"specificity.v1|reference:my-corpus/x|tokens:ptb|empathic:{registry.package_version()}"
    )


def test_a_users_file_registers_things(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from empathic import register\nregister('metric', 'mine', summary='x')(len)\n")
    registry.load_file(path)
    assert registry.find("metric", "mine").thing is len


def test_a_users_file_that_fails_is_one_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("1 / 0\n")
    with pytest.raises(InputError, match="bad.py: loading it failed: ZeroDivisionError"):
        registry.load_file(path)
    with pytest.raises(InputError, match="no such file"):
        registry.load_file(tmp_path / "absent.py")


class Point:
    name, value = "broken", "broken:thing"

    def load(self) -> None:
        raise ImportError("no module named broken")


def test_a_broken_extension_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.importlib.metadata, "entry_points", lambda group: [Point()])
    with pytest.raises(SettingError, match="'broken'"):
        registry.load_entry_points()
