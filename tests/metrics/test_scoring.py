from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from empathic import registry, tables
from empathic.contracts import Column, Missing
from empathic.metrics import scoring
from empathic.metrics.scoring import Choice, Plan, deal, score_chunk, score_encoded
from empathic.records import Response


def response(number: int, text: str | None = "so sorry", system: str = "s") -> Response:
    return Response(id=f"r{number}", system=system, dialogue="d", turns=(), text=text, missing=None)


@pytest.fixture
def evens(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plan]:
    entries = {kind: dict(names) for kind, names in registry._entries.items()}
    monkeypatch.setattr(registry, "_entries", entries)
    scoring._measures.cache_clear()

    @registry.register("metric", "evens")
    class Evens:
        """Only even ids can be measured."""

        columns = (Column(), Column(name="why", text=True))

        def score(self, batch):
            even = [int(one.id[1:]) % 2 == 0 for one in batch.responses]
            return {
                "": [1.5 if one else Missing(reason="odd") for one in even],
                "why": [f"because {one}" for one in even],
            }

    yield Plan(choices=(Choice(asked="evens"), Choice(asked="distinct")))
    scoring._measures.cache_clear()


def test_chunks_are_of_one_system_and_bounded() -> None:
    stream = [response(number, system="ab"[number % 2]) for number in range(10)]
    chunks = [[one.id for one in chunk] for chunk in deal(stream, size=3)]
    assert chunks == [["r0", "r2", "r4"], ["r1", "r3", "r5"], ["r6", "r8"], ["r7", "r9"]]


def test_missing_values_keep_their_reason_and_do_not_count(evens: Plan) -> None:
    scored = score_chunk(evens, [response(0), response(1), response(2, None), response(4, "  ")])
    total = scored.sums["evens"]
    assert (total.n, total.missing, total.total) == (4, 3, 1.5)
    assert total.reasons == {"odd": 1, "there is no response": 1, "the response is empty": 1}
    rows = scored.rows.to_pylist()
    assert [row["evens"] for row in rows] == [1.5, None, None, None]
    assert dict(rows[1]["missing"]) == {"evens": "odd"}
    assert dict(rows[2]["missing"]) == {"evens": "there is no response", "evens.why": "there is no response"}
    assert rows[0]["evens.why"] == "because True"


def test_a_chunk_with_no_text_at_all_is_scored_too(evens: Plan) -> None:
    scored = score_chunk(evens, [response(0, None)])
    assert scored.sums["evens"].missing == 1
    assert scored.gathered == {1: None}


def test_texts_are_no_numbers(evens: Plan) -> None:
    scored = score_chunk(evens, [response(0)])
    assert set(scored.sums) == {"evens"}
    assert scoring.schema(evens).names == [*tables.KEYS.names, "evens", "evens.why", "missing"]


def test_a_chunk_that_travelled_gives_the_same(evens: Plan) -> None:
    chunk = [response(0), response(1)]
    there = score_encoded(evens, msgspec.msgpack.encode(chunk))
    here = score_chunk(evens, chunk)
    assert there.rows.equals(here.rows)
    assert there._replace(rows=None) == here._replace(rows=None)


def test_a_function_without_value_and_reason_is_missing_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entries", {kind: {} for kind in registry.KINDS})
    scoring._measures.cache_clear()
    registry.register("metric", "none")(lambda response: None)
    scored = score_chunk(Plan(choices=(Choice(asked="none"),)), [response(0)])
    assert scored.sums["none"].reasons == {"none gives no value": 1}
    scoring._measures.cache_clear()
