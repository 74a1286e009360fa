"""Exports at the desk: the files of `study export`, streamed, noted, pseudonymous."""

from __future__ import annotations

import io
from typing import Any

import pyarrow.parquet
import pytest

from empathic.studies import audit, tables, versions
from empathic.studies.desk import downloads
from empathic.studies.export import export
from empathic.studies.store import Store

both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)


@both
def test_every_file_can_be_downloaded_and_is_noted(seated: Any, store: Store, complete: Any, begin: Any) -> None:
    _, desk = seated()
    for number in range(2):
        complete(store, f"5f3c-{number}")
    begin(store, "5f3c-left")
    listed = desk.open("/desk/exports")
    found = export(store)
    for name, each in downloads.FILES.items():
        assert (f'href="/desk/exports/{name}"' in listed) == (name not in downloads.CHATS)
        desk.open(f"/desk/exports/{name}")
        assert desk.status == 200
        assert desk.answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert desk.answer.headers["content-type"].startswith(each.kind)
        assert b"5f3c" not in desk.answer.content
    with store.read() as connection:
        _, plan = versions.newest(connection)
        noted = [row["detail"] for row in audit.entries(connection) if row["what"] == "download"]
    assert noted[::-1] == list(downloads.FILES)
    desk.open("/desk/exports/ratings.csv")
    assert desk.answer.content == tables.as_csv(tables.as_table(found.ratings))
    desk.open("/desk/exports/raters.parquet")
    raters = pyarrow.parquet.read_table(io.BytesIO(desk.answer.content))
    assert raters.equals(tables.as_rater_table(found.raters, plan))
    desk.open("/desk/exports/study.json")
    assert desk.answer.content == tables.as_json(found)


def test_everyone_is_another_file_than_those_who_completed(
    seated: Any, store: Store, complete: Any, begin: Any
) -> None:
    _, desk = seated()
    complete(store, "a")
    begin(store, "b")
    assert desk.open("/desk/exports/raters.jsonl").count("\n") == 1
    assert desk.open("/desk/exports/raters.jsonl?everyone=1").count("\n") == 2
    with store.read() as connection:
        assert audit.entries(connection)[0]["detail"] == "raters.jsonl, everyone"


@pytest.mark.parametrize("name", ["nothing.csv", "..%2f..%2fstudy.db", "study.db", "ratings.csv%00", "secret"])
def test_no_other_file_can_be_had(seated: Any, name: str) -> None:
    _, desk = seated()
    desk.open(f"/desk/exports/{name}")
    assert desk.status == 404
