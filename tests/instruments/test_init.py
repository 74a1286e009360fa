from __future__ import annotations

from pathlib import Path

import pytest

from empathic import instruments, registry
from empathic.errors import InputError, NameTaken

OWN = (instruments.SCALES / "ssa.toml").read_text()


def test_an_added_instrument_is_known_to_later_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace('id = "ssa"\nversion', 'id = "own"\nversion'))
    assert instruments.add(path).id == "own"
    monkeypatch.setattr(registry, "_entries", {kind: {} for kind in registry.KINDS})
    instruments.load_added()
    assert registry.find("instrument", "own").version == 1


def test_another_instrument_under_a_taken_name_is_refused_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "ssa.toml"
    path.write_text(OWN.replace("make sense in this", "make any sense in this"))
    with pytest.raises(NameTaken):
        instruments.add(path)
    assert not (tmp_path / "data").exists()


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        instruments.add(tmp_path / "absent.toml")


def test_the_folder_of_added_instruments_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    assert instruments.added_folder().parts[-2:] == ("empathic", "instruments")
