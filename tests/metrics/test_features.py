from __future__ import annotations

import numpy as np
import pytest

from empathic.metrics.batch import Batch
from empathic.metrics.features import AT, NAMES, features, quantities
from empathic.records import Response, Turn


def batch(*pairs: tuple[str, str]) -> Batch:
    return Batch(
        [
            Response(id=str(n), system="s", dialogue="d", turns=(Turn(role="speaker", text=prompt),), text=text)
            for n, (prompt, text) in enumerate(pairs)
        ]
    )


def named(prompt: str, text: str) -> dict[str, float]:
    return dict(zip(NAMES, batch((prompt, text)).view(quantities).whole()[0].tolist(), strict=True))


def test_counts_are_those_of_a_reader() -> None:
    table = quantities(batch(("My dog died.", "Oh no! I had a dog too. How old was your dog?"))).sentences
    assert table[:, AT["words"]].tolist() == [3, 6, 6]
    assert table[:, AT["questions"]].tolist() == [0, 0, 1]
    assert table[:, AT["i_statements"]].tolist() == [0, 1, 0]
    assert table[:, AT["impersonal"]].tolist() == [1, 0, 0]
    assert table[:, AT["question_words"]].tolist() == [0, 0, 6]
    assert table[:, AT["overlap"]].tolist() == [0, 1, 1]


def test_features_have_the_names_they_say() -> None:
    found = named("I am happy", "You must be so happy for your sister.")
    assert found["words"] == pytest.approx(np.log1p(9))
    assert found["you_statements"] == pytest.approx(np.log1p(1))
    assert found["second_person_rate"] == pytest.approx(2 / 9)
    assert found["prompt_valence"] > 0.2
    assert found["valence"] > 0.2


def test_the_context_of_a_reaction_is_seen() -> None:
    assert named("I won the lottery, wonderful", "I'm so sorry.")["sorry_in_context"] > 0.1
    assert named("My dog died, it is horrible", "I'm so sorry.")["sorry_in_context"] < -0.1


def test_a_response_without_a_sentence_is_the_response_without_it() -> None:
    prompt, first, second = "My dog died.", "I am so sorry.", "How old was he?"
    both = quantities(batch((prompt, f"{first} {second}")))
    alone = quantities(batch((prompt, second), (prompt, first)))
    assert both.without_each() == pytest.approx(alone.whole())


def test_features_of_a_response_do_not_depend_on_its_company() -> None:
    pairs = [("My dog died.", "Oh no! I am so sorry."), ("hi", "What happened?"), ("", "ok")]
    together = quantities(batch(*pairs)).whole()
    for row, pair in zip(together, pairs, strict=True):
        assert row.tolist() == quantities(batch(pair)).whole()[0].tolist()


def test_a_batch_is_counted_once() -> None:
    one = batch(("a", "b"))
    assert one.view(quantities) is one.view(quantities)
    assert features(one.view(quantities).sums(), one.view(quantities).prompts).shape == (1, len(NAMES))
