from __future__ import annotations

from pathlib import Path

import pytest

from empathic import datasets, registry
from empathic.datasets.named import BUILTIN, locate
from empathic.errors import InputError


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
