from __future__ import annotations

from pathlib import Path

import pytest

from empathic import datasets, registry
from empathic.datasets.named import BUILTIN, locate
from empathic.errors import InputError
from empathic.records import Dialogue


def test_the_name_of_a_dataset_stands_for_its_file() -> None:
    path, format_ = locate("builtin")
    assert (path, format_.name) == (BUILTIN.path, "records")
    assert locate("builtin.v1") == (path, format_)
    assert registry.find("dataset", "builtin").thing is BUILTIN


def test_a_file_goes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("builtin").write_text('{"id": "mine", "turns": []}\n')
    assert [record.id for record in datasets.read("builtin")] == ["mine"]  # type: ignore[union-attr]


def test_what_is_neither_is_no_such_file() -> None:
    with pytest.raises(InputError, match="builtins: there is no such file"):
        locate("builtins")


def test_a_dataset_gives_its_records_when_called() -> None:
    assert list(BUILTIN()) == list(datasets.read("builtin"))


def test_a_function_of_an_extension_is_a_dataset_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._entries["dataset"], "mine", {})
    registry.register("dataset", "mine", summary="for the test")(lambda: iter([Dialogue(id="d", turns=())]))
    assert list(datasets.read("mine")) == [Dialogue(id="d", turns=())]
    assert locate("mine")[1].write is None
