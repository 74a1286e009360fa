"""Answers become values: chosen, likely, refused, out of role, long."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest

from empathic.contracts import Missing, Value
from empathic.errors import InputError
from empathic.probes.measured import Measured
from empathic.probes.measuring import Answer, answers, by_letters, by_text, measure
from empathic.records import Response

from .making import TEXTS, chosen, free, probe


def heard(responses: Sequence[Response]) -> Mapping[str, Sequence[Value]]:
    """A scorer that shows what it was given: the length of the last utterance, or a reason."""
    return {"ae.valence": [float(len(response.turns[-1].text)) for response in responses]}


def values(
    given: Sequence[Answer], tokens: Mapping[str, Sequence[Mapping[str, float]]] | None = None
) -> list[Measured]:
    return measure(given, score=heard, tokens=lambda response: (tokens or {}).get(response.id))


def by_metric(rows: Sequence[Measured]) -> dict[str, Measured]:
    return {row.metric: row for row in rows}


def test_the_letter_is_traced_back_to_the_kind_of_answer() -> None:
    row = by_text(chosen("B", (2, 0, 4, 1, 3)))
    assert (row.value, row.chosen, row.position, row.keyed, row.outcome) == (1.0, "empathetic", 1, 1, "ok")
    row = by_text(chosen("I'd go with C.", (2, 0, 4, 1, 3)))
    assert (row.value, row.chosen, row.position, row.keyed, row.outcome) == (0.0, "distressed", 2, 1, "lenient")


def test_a_failure_to_choose_is_missing_with_its_outcome() -> None:
    row = by_text(chosen("I'm sorry, but I can't help with that."))
    assert (row.value, row.missing, row.outcome) == (None, "no answer was chosen: refusal", "refusal")
    assert by_text(chosen(None, missing="no answer within 3 s")).outcome == "failed"


def test_what_the_server_withheld_is_a_refusal() -> None:
    withheld = "the server's content filter withheld the answer"
    assert by_text(chosen(None, missing=withheld)).outcome == "refusal"
    rows = by_metric(values([free(None, missing=withheld)]))
    assert (rows["refusal"].value, rows["refusal"].evidence) == (1.0, withheld)
    assert (rows["role_break"].value, rows["role_break"].missing) == (None, withheld)
    assert by_metric(values([free(None, missing="no answer within 3 s")]))["refusal"].value is None


def test_a_free_answer_is_scored_after_the_speakers_own_words() -> None:
    rows = by_metric(values([free("That empty seat must hurt.")]))
    assert rows["ae.valence"].value == len(probe().turns[-1].text)
    assert rows["length"].value == 5
    assert (rows["refusal"].value, rows["role_break"].value) == (0.0, 0.0)


def test_a_refusal_and_a_break_of_role_show_the_words() -> None:
    rows = by_metric(values([free("I cannot discuss religion. Carl would say no.")]))
    assert (rows["refusal"].value, rows["refusal"].evidence) == (1.0, "cannot: I cannot discuss")
    rows = by_metric(values([free("Robin feels guilty.")]))
    assert rows["role_break"].evidence == "third-person: Robin feels"


def test_an_answer_that_was_not_had_is_missing_everywhere() -> None:
    for row in values([free(None, missing="the answer is empty")]):
        assert (row.value, row.missing) == (None, "the answer is empty"), row


def test_a_language_without_rules_says_so() -> None:
    rows = by_metric(values([free("Hej", about=probe(language="sv"))]))
    assert rows["refusal"].missing == "there are no rules for the language 'sv'"


def test_all_orders_of_a_probe_together_give_its_consistency() -> None:
    rows = values([chosen("A", order=0), chosen("B", (1, 0, 2, 3, 4), order=1), chosen("A", (4, 0, 1, 2, 3), order=2)])
    (row,) = [row for row in rows if row.metric == "ce.consistency"]
    assert row.value == pytest.approx(2 / 3)
    assert row.order is None
    assert not [row for row in rows if row.metric.startswith("ce.logprob")], "no log-probabilities, no such metric"


def test_log_probabilities_give_the_probability_of_the_keyed_answer() -> None:
    row = by_letters(chosen("B", (1, 0, 2, 3, 4)), tuple(math.log(p) for p in (0.5, 0.3, 0.1, 0.05, 0.05)))
    assert (row.value, row.chosen, row.position, row.keyed) == (pytest.approx(0.3), "sympathetic", 0, 1)
    assert by_letters(chosen("B"), Missing(reason="x")).missing == "x"


def test_averaging_over_the_orders_removes_the_love_of_a_letter() -> None:
    asked = [chosen("A", tuple((k + p) % 5 for p in range(5)), order=k) for k in range(5)]
    content, love = [2.0, 0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0, 0.0]
    tokens = {
        one.response.id: [
            {
                letter: content[i] + love[p] - 9
                for p, (letter, i) in enumerate(zip("ABCDE", one.question.shown, strict=True))
            }
        ]
        for one in asked
    }
    rows = values(asked, tokens)
    (row,) = [row for row in rows if row.metric == "ce.averaged"]
    assert row.value == pytest.approx(math.exp(2) / (math.exp(2) + 4))
    assert row.chosen == "empathetic"
    assert {row.position for row in rows if row.metric == "ce.logprob"} == {0}, "each alone falls for the letter"


def test_a_response_to_an_unknown_probe_is_refused() -> None:
    with pytest.raises(InputError, match="recital/she/0"):
        list(answers([free("Yes.").response], {}))


def test_each_response_finds_its_probe() -> None:
    (found,) = answers([free(TEXTS["empathetic"]).response], {probe().id: probe()})
    assert found.probe == probe()
    assert found.question.form == "free"
