"""Downloads: the same bytes as `study export`, person by person, without a platform id."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest

from empathic.studies import participants, tables, versions
from empathic.studies.design import Plan
from empathic.studies.desk import downloads
from empathic.studies.export import export
from empathic.studies.store import Store


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """The bytes do not depend on the kind of database; one test shows it."""
    return str(getattr(request, "param", "sqlite"))


@pytest.fixture
def filled(published: Store, complete: Callable[..., str], begin: Callable[..., str]) -> Store:
    for number in range(3):
        complete(published, f"5f3c-{number}")
    started = begin(published, "5f3c-left")
    participants.save(published, started, {"self.teq.1": 2.0})
    return published


def content(store: Store, name: str, everyone: bool = False) -> bytes:
    return b"".join(downloads.stream(store, name, mode="live", everyone=everyone))


@pytest.mark.parametrize("everyone", [False, True])
@pytest.mark.parametrize("name", sorted(downloads.FILES))
def test_a_download_is_what_study_export_writes(filled: Store, tmp_path: Path, name: str, everyone: bool) -> None:
    with filled.read() as connection:
        _, plan = versions.newest(connection)
    tables.write(tmp_path / "out", export(filled, everyone=everyone), plan)
    got, path = content(filled, name, everyone), tmp_path / "out" / name
    if name in downloads.CHATS:
        assert got == b""
    elif name.endswith(".parquet"):
        assert pyarrow.parquet.read_table(io.BytesIO(got)).equals(pyarrow.parquet.read_table(path))
    else:
        assert got == path.read_bytes()
    assert b"5f3c" not in got


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)
def test_the_whole_is_the_export_as_one_document(filled: Store) -> None:
    got = b"".join(downloads.whole(filled, mode="live", everyone=False))
    assert got == tables.as_json(export(filled))


def test_many_people_make_several_row_groups_and_lose_no_row(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "GROUP", 2)
    found = pyarrow.parquet.ParquetFile(io.BytesIO(content(filled, "ratings.parquet")))
    assert found.num_row_groups == 2
    assert found.metadata.num_rows == 3 * 18


def test_the_first_bytes_come_before_the_last_person_is_read(filled: Store) -> None:
    stream = downloads.stream(filled, "ratings.csv", mode="live", everyone=False)
    assert next(stream).startswith(b'"rater","instrument"')
    assert next(stream).count(b"\n") == 18
    stream.close()


@pytest.mark.parametrize("name", sorted(downloads.FILES))
def test_nobody_is_a_file_without_rows(published: Store, make_plan: Callable[..., Plan], name: str) -> None:
    got = content(published, name)
    if name.endswith(".parquet"):
        assert pyarrow.parquet.read_table(io.BytesIO(got)).num_rows == 0
    else:
        assert b"human:" not in got
