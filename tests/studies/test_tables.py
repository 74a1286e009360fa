"""The exported files: readable by everybody, explained column by column, declared with hashes."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest

from empathic import files
from empathic.records import Rater, Rating
from empathic.runs import Run
from empathic.studies import tables
from empathic.studies.design import Plan
from empathic.studies.export import export
from empathic.studies.store import Store


@pytest.fixture
def kind() -> str:
    """What is tested here does not depend on the kind of database."""
    return "sqlite"


def test_all_forms_of_the_ratings_say_the_same(
    published: Store, complete: Callable[..., str], make_plan: Callable[..., Plan], tmp_path: Path
) -> None:
    for number in range(3):
        complete(published, f"p{number}")
    found = export(published)
    tables.write(tmp_path / "out", found, make_plan())
    lines = list(files.read_lines(tmp_path / "out" / "ratings.jsonl", Rating))
    with open(tmp_path / "out" / "ratings.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    parquet = pyarrow.parquet.read_table(tmp_path / "out" / "ratings.parquet").to_pylist()
    assert lines == found.ratings
    assert len(lines) == len(rows) == len(parquet) == 3 * 18
    for line, row, column in zip(lines, rows, parquet, strict=True):
        assert line.value == float(row["value"]) == column["value"]
        assert line.item == row["item"] == column["item"]
    assert list(files.read_lines(tmp_path / "out" / "raters.jsonl", Rater)) == found.raters
    Run(tmp_path / "out").check()


@pytest.mark.parametrize("design", ["between", "ieval", "observer"])
def test_the_codebook_explains_every_column_item_and_question(make_plan: Callable[..., Plan], design: str) -> None:
    plan = make_plan(design)
    text = tables.codebook(plan)
    for column in tables.COLUMNS:
        assert f"| {column} |" in text
    for instrument in plan.instruments:
        assert instrument.citation in text
        assert all(item.text in text for item in instrument.items)
    assert "| gender | Your gender | female, male, other |" in text


def test_an_empty_study_exports_empty_files(published: Store, make_plan: Callable[..., Plan], tmp_path: Path) -> None:
    written = tables.write(tmp_path / "out", export(published), make_plan())
    assert all(path.exists() for path in written)
    assert tables.as_json(export(published)).startswith(b'{"raters":[]')


def test_raters_have_a_column_for_each_question_and_each_known_trait(
    published: Store, complete: Callable[..., str], make_plan: Callable[..., Plan], tmp_path: Path
) -> None:
    for number in range(3):
        complete(published, f"p{number}", age=20 + number)
    found, plan = export(published), make_plan()
    tables.write(tmp_path / "out", found, plan)
    with open(tmp_path / "out" / "raters.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["rater", "gender", "age", *tables.TRAITS, "more"]
    assert [float(row["age"]) for row in rows] == [each.traits["age"] for each in found.raters]
    assert {row["outcome"] for row in rows} == {"complete"}
    parquet = pyarrow.parquet.read_table(tmp_path / "out" / "raters.parquet").to_pylist()
    assert [row["minutes"] for row in parquet] == [each.traits["minutes"] for each in found.raters]
    assert all(f"| {name} |" in tables.codebook(plan) for name in tables.TRAITS)


def test_what_an_earlier_version_asked_is_kept_as_more(make_plan: Callable[..., Plan]) -> None:
    raters = [Rater(id="human:1", traits={"age": "about thirty", "shoes": 43, "colours": {"ada": "Blue"}})]
    (row,) = tables.as_rater_table(raters, make_plan()).to_pylist()
    assert row["age"] is None
    assert row["more"] == '{"age":"about thirty","shoes":43}'
    assert row["colours"] == '{"ada":"Blue"}'


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"])
def test_a_spreadsheet_computes_nothing_that_somebody_wrote(make_plan: Callable[..., Plan], text: str) -> None:
    table = tables.as_rater_table([Rater(id="human:1", traits={"comment": text})], make_plan())
    (row,) = csv.DictReader(tables.as_csv(table).decode().splitlines(keepends=True))
    assert row["comment"] == f"'{text}"
    assert table.to_pylist()[0]["comment"] == text
