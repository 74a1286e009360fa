from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic import datasets
from empathic.metrics.references import References, prompt_key
from empathic.records import Response, Turn


def response(system: str, text: str, *said: str) -> Response:
    turns = tuple(Turn(role="speaker", text=one) for one in said)
    return Response(id=text, system=system, dialogue="d", turns=turns, text=text)


def key(text: str) -> str:
    return prompt_key([Turn(role="speaker", text=text)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I can't go.", "i can not go ."),
        ("I'm sure it's fine, isn't it?", "i am sure it is fine , is not it ?"),
        ("i ' ve seen you ' ll go", "I have seen you will go"),
        ("They won’t", "they wo n't"),
    ],
)
def test_spacing_case_and_contractions_do_not_matter(one: str, other: str) -> None:
    assert key(one) == key(other)


def test_other_words_matter() -> None:
    assert key("I can go") != key("I can not go")


def test_the_answer_to_the_same_prompt_becomes_the_reference() -> None:
    references = References([response("human", "oh no", "I lost it"), response("human", "great", "hi", "I won")])
    attached = list(
        references.attach(
            [response("cem", "a", "i lost it ."), response("cem", "b", "I won"), response("cem", "c", "else")], "human"
        )
    )
    assert [one.reference for one in attached] == ["oh no", "great", None]


def test_a_prompt_that_comes_twice_is_matched_in_order_and_the_reference_itself_gets_none() -> None:
    said = [response("human", "first", "hi"), response("human", "second", "hi")]
    attached = References(said).attach([*(response("cem", "x", "hi") for _ in range(3)), said[0]], "human")
    assert [one.reference for one in attached] == ["first", "second", None, None]


def test_nearly_all_released_prompts_find_their_human_answer(shared: Path) -> None:
    folder = shared / "data" / "lee2024"
    references = References(datasets.read(folder / "human_responses.json"))
    expected = json.loads((folder / "human_responses.json").read_text())
    trs = list(references.attach(datasets.read(folder / "trs_responses.json"), "human"))
    assert [one.reference for one in trs] == [answer["response"] for answer in expected]
    emocause = list(references.attach(datasets.read(folder / "emocause_responses.json"), "human"))
    assert sum(one.reference is None for one in emocause) <= 40
