"""Letters by log-probability: found where they are likeliest, added up over spellings, averaged over orders."""

from __future__ import annotations

import math

import pytest

from empathic.contracts import Missing
from empathic.probes.letters import averaged, letter_logprobs, normalised


def probabilities(*tokens: dict[str, float], n: int = 5) -> list[float]:
    found = letter_logprobs([{token: math.log(p) for token, p in place.items()} for place in tokens], n)
    assert not isinstance(found, Missing), found
    return [math.exp(value) for value in found]


def test_the_probabilities_are_those_of_the_letters_alone() -> None:
    found = probabilities({"A": 0.4, "B": 0.2, "C": 0.1, "D": 0.05, "E": 0.05, "The": 0.2})
    assert found == pytest.approx([0.5, 0.25, 0.125, 0.0625, 0.0625])


def test_spellings_of_one_letter_are_added_up() -> None:
    found = probabilities({"B": 0.3, " B": 0.2, "(B": 0.1, "A": 0.2, "C": 0.1, "D": 0.05, "E": 0.05})
    assert found[1] == pytest.approx(0.6)


def test_words_before_the_letter_do_no_harm() -> None:
    before = {"The": 0.9, "A": 0.1}, {" answer": 1.0}, {" is": 1.0}
    found = probabilities(*before, {" D": 0.7, " A": 0.1, " B": 0.1, " C": 0.05, " E": 0.05})
    assert found[3] == pytest.approx(0.7)


def test_a_letter_that_is_not_listed_gets_at_most_the_smallest_probability_listed() -> None:
    found = probabilities({"A": 0.8, "B": 0.1, "x": 0.02})
    assert found == pytest.approx([0.8 / 0.96, 0.1 / 0.96, *[0.02 / 0.96] * 3])


def test_the_article_is_no_letter() -> None:
    sentence = {"A": 0.9, "B": 0.1}, {" friend": 1.0}, {" of": 1.0}
    found = letter_logprobs([{token: math.log(p) for token, p in place.items()} for place in sentence], 5)
    assert found == Missing(reason="no letter was the likeliest token anywhere in the reply")
    assert probabilities({"A": 0.9, "B": 0.1}, {")": 1.0})[0] > 0.6
    assert probabilities({"A": 0.9, "B": 0.1}, {"\n": 1.0})[0] > 0.6


@pytest.mark.parametrize("tokens", [None, (), [{"Hello": -0.1}], [{}], [{"F": -0.1}]])
def test_without_letters_there_is_a_reason(tokens: list[dict[str, float]] | None) -> None:
    assert isinstance(letter_logprobs(tokens, 5), Missing)


def test_averaging_over_a_latin_square_removes_what_the_places_add() -> None:
    """ln p_k(i) = content_i + place_bias(where i stood) − normaliser: the mean over rotations is the content alone."""
    content, bias = [1.0, 0.3, -0.2, 0.0, -1.1], [2.0, 0.5, 0.0, -0.5, 3.0]
    scores = []
    for k in range(5):
        where = {answer: (answer - k) % 5 for answer in range(5)}
        scores.append(normalised([content[i] + bias[where[i]] for i in range(5)]))
    assert averaged(scores) == pytest.approx(normalised(content))
    assert any(score.index(max(score)) != 0 for score in scores), "with the bias, a wrong answer won somewhere"
