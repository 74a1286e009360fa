from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from empathic import tables
from empathic.metrics import engines
from empathic.metrics.run import SUMMARY, TABLE, score
from empathic.metrics.scoring import CHUNK, Choice, Plan
from empathic.records import Response

PLAN = Plan(choices=(Choice(asked="length"), Choice(asked="distinct")))
RESPONSES = [
    Response(id=f"r{n}", system="ab"[n % 2], dialogue=f"d{n}", turns=(), text=f"word{n % 7} ." if n % 5 else None)
    for n in range(2 * CHUNK + 100)
]


def test_the_table_and_the_summary_are_the_same_bytes_for_any_number_of_workers(tmp_path: Path) -> None:
    score(RESPONSES, PLAN, tmp_path / "one")
    score(RESPONSES, PLAN, tmp_path / "two", engine=partial(engines.pool, workers=2))
    for name in (TABLE, SUMMARY):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_summary_has_the_documented_shape_and_the_table_every_response(tmp_path: Path) -> None:
    done: list[int] = []
    summary = score(RESPONSES, PLAN, tmp_path, progress=done.append)
    written = json.loads((tmp_path / SUMMARY).read_text())
    assert written["systems"]["a"]["distinct.1"].keys() >= {"value", "n", "missing", "signature"}
    assert summary.systems["a"]["length.words"].value == 2.0
    assert tables.read_columns(tmp_path / TABLE).num_rows == len(RESPONSES)
    assert done[-1] == len(RESPONSES)


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    assert score(RESPONSES[:10], PLAN).systems["a"]["length.words"].n == 5
    assert list(tmp_path.iterdir()) == []
