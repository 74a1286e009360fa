from __future__ import annotations

import re

import numpy as np
import pytest

from empathic.contracts import System
from empathic.errors import SettingError
from empathic.records import Dialogue, Turn
from empathic.systems import Retrieval
from talk import respond

PAIRS = {
    "cat": ("My cat died on Sunday.", "She had a good life with you."),
    "job": ("I lost my job on Monday.", "What happened there?"),
    "exam": ("I passed the exam, the exam I feared!", "You worked for that."),
}


def corpus() -> list[Dialogue]:
    return [
        Dialogue(id=key, turns=(Turn(role="speaker", text=said), Turn(role="listener", text=answer)))
        for key, (said, answer) in PAIRS.items()
    ]


@pytest.mark.parametrize(
    ("said", "key"), [("our old cat is dead", "cat"), ("They took my job", "job"), ("tomorrow: the exam", "exam")]
)
def test_the_answer_to_the_nearest_prompt_is_given(said: str, key: str) -> None:
    assert respond(Retrieval(corpus()), said).text == PAIRS[key][1]


def test_the_choice_is_the_largest_cosine_of_tf_idf_computed_with_matrices() -> None:
    """The formula of the docstring with numpy, as an independent calculation."""
    words = [re.findall("[a-z']+", said.lower()) for said, _ in PAIRS.values()]
    said = ["on", "my", "exam", "day", "my", "cat"]
    vocabulary = sorted({word for text in [*words, said] for word in text})
    counts = np.array([[text.count(word) for word in vocabulary] for text in [*words, said]], float)
    df = (counts[:3] > 0).sum(axis=0)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * (np.log(4 / (1 + df)) + 1)
    unit = weights / np.linalg.norm(weights, axis=1, keepdims=True)
    best = int(np.argmax(unit[:3] @ unit[3]))
    assert respond(Retrieval(corpus()), " ".join(said)).text == list(PAIRS.values())[best][1]


def test_the_dialogue_being_answered_is_never_searched() -> None:
    assert respond(Retrieval(corpus()), "My cat died on Sunday.", dialogue="cat").text == PAIRS["job"][1]


def test_nothing_in_common_is_a_reason() -> None:
    assert respond(Retrieval(corpus()), "Zzz?").missing == "no prompt of the corpus shares a word with this one"


def test_a_reference_counts_as_an_answer() -> None:
    dialogue = Dialogue(id="x", turns=(Turn(role="speaker", text="Snow!"),), reference="Lovely.")
    system = Retrieval([dialogue])
    assert respond(system, "Snow").text == "Lovely."
    assert isinstance(system, System)


def test_a_corpus_without_answers_is_refused() -> None:
    with pytest.raises(SettingError, match="--corpus FILE"):
        Retrieval([Dialogue(id="x", turns=(Turn(role="speaker", text="Snow!"),))])
