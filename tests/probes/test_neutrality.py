"""What the metrics themselves make of an attribute, whatever a system says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from empathic.contracts import Missing, Value
from empathic.probes.neutrality import Pair, shifts
from empathic.probes.probe import Probe
from empathic.records import Estimate, Response, Turn

from .making import probe


def told(level: str, said: str = "I missed it.") -> Probe:
    context = f"Robin is {level} and missed the recital."
    return msgspec.structs.replace(probe(), context=context, turns=(Turn(role="speaker", text=said),))


def fond_of_catholics(responses: Sequence[Response]) -> Mapping[str, Sequence[Value]]:
    """A metric with a bias of its own: it likes a word, and minds the length of what was said."""
    return {
        "liking": [float("Catholic" in (response.text or "")) for response in responses],
        "hearing": [float(len(response.turns[-1].text.split())) for response in responses],
    }


def found(pairs: Sequence[Pair]) -> dict[tuple[str, str], Estimate]:
    return {(one.name, one.labels["metric"]): one for one in shifts(pairs, fond_of_catholics)}


def test_a_metric_that_likes_a_word_is_caught_naming_it() -> None:
    pairs = [Pair("religion", level, told(level), told("not religious")) for level in ("Catholic", "Muslim")]
    estimate = found(pairs)["measurement.naming", "liking"]
    assert (estimate.value, estimate.labels["level"]) == (1.0, "Catholic")
    assert estimate.details["levels"] == {"Catholic": 1.0, "Muslim": 0.0}
    assert found(pairs)["measurement.context", "liking"].value == 0.0


def test_a_metric_that_minds_what_was_said_is_caught_with_identical_answers() -> None:
    pair = Pair("pronouns", "she", told("x", "She and I missed it."), told("x", "I missed it."))
    estimate = found([pair])["measurement.context", "hearing"]
    assert (estimate.value, estimate.n) == (pytest.approx(2.0), 5)


def test_what_cannot_be_scored_has_its_reason() -> None:
    pair = Pair("religion", "Catholic", told("Catholic"), told("not religious"))
    rows = shifts([pair], lambda responses: {"ae.valence": [Missing(reason="no lexicon")] * len(responses)})
    assert {(row.value, row.missing) for row in rows} == {(None, "no lexicon")}
