from __future__ import annotations

from empathic.metrics.scoring import Choice, Plan, score_chunk
from empathic.metrics.summary import Tally
from empathic.records import Response

PLAN = Plan(choices=(Choice(asked="length"), Choice(asked="distinct")))


def response(number: int, text: str | None, system: str = "s") -> Response:
    return Response(id=f"r{number}", system=system, dialogue="d", turns=(), text=text, missing="timeout")


def test_means_are_over_what_was_measured_and_missing_is_counted() -> None:
    tally = Tally(PLAN)
    tally.add(score_chunk(PLAN, [response(0, "a b c"), response(1, None)]))
    tally.add(score_chunk(PLAN, [response(2, "a")]))
    cells = tally.summary().systems["s"]
    assert cells["length.words"].value == 2.0
    assert (cells["length.words"].n, cells["length.words"].missing) == (3, 1)
    assert cells["length.words"].reasons == {"timeout": 1}
    assert cells["distinct.1"].value == 3 / 4
    assert (cells["distinct.1"].n, cells["distinct.1"].missing) == (3, 1)
    assert cells["distinct.1"].signature.startswith("distinct.v1|tokens:ptb|")


def test_a_system_that_never_answered_has_no_number_anywhere() -> None:
    tally = Tally(PLAN)
    tally.add(score_chunk(PLAN, [response(0, None)]))
    cells = tally.summary().systems["s"]
    assert all(cell.value is None and cell.missing == 1 for cell in cells.values())
    assert "timeout" in cells["distinct.1"].reasons


def test_comparing_systems_with_different_numbers_of_responses_is_flagged() -> None:
    tally = Tally(PLAN)
    tally.add(score_chunk(PLAN, [response(0, "a b", "one")]))
    assert tally.summary().flags == ()
    tally.add(score_chunk(PLAN, [response(0, "a b", "two"), response(1, "a", "two")]))
    assert "one 1, two 2" in tally.summary().flags[0]


def test_comparing_systems_with_different_decodings_is_flagged() -> None:
    tally = Tally(PLAN)
    for system, decoding in (("one", "beam"), ("two", "top_k")):
        decoded = Response(
            id="r", system=system, dialogue="d", turns=(), text="a b", metadata={decoding: "a b", "other": "c"}
        )
        tally.add(score_chunk(PLAN, [decoded]))
    assert "one beam, two top_k" in tally.summary().flags[0]
