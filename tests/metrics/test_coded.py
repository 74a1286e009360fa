"""A batch is cut as each of its texts is cut by itself."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from empathic.metrics import coded
from empathic.metrics.batch import TOKENS, Batch
from empathic.metrics.coded import Memory, code, remembered_words
from empathic.metrics.text import sentences, words
from empathic.records import Response

PIECES = [
    *"abIİßΣ.?!'\"()[]{}>*,;:-…’“”«» \n\t\u00a0\u2028",
    "etc.",
    "Mr.",
    "e.g.",
    "U.S.",
    "3.",
    "i'm",
    "Don't",
    ". ",
    "..",
    "cannot",
]
TEXTS = st.lists(st.lists(st.sampled_from([*PIECES, " so ", " The ", " we "]), max_size=14).map("".join), max_size=4)


def expected_sentences(text: str, tokens: str) -> list[list[str]]:
    """Each sentence cut by itself; an empty text is an empty sentence."""
    return [[word.lower() for word in TOKENS[tokens](sentence)] for sentence in sentences(text)] or [[]]


def check(texts: list[str], tokens: str, memory: Memory) -> None:
    found = code(texts, memory)
    assert [found.words.strings(place) for place in range(len(texts))] == [
        [word.lower() for word in TOKENS[tokens](text)] for text in texts
    ]
    cut = [found.sentences.strings(place) for place in range(len(found.sentences.lengths))]
    bounds = zip(found.owned[:-1].tolist(), found.owned[1:].tolist(), strict=True)
    assert [cut[start:end] for start, end in bounds] == [expected_sentences(text, tokens) for text in texts]
    assert found.strings() == [sentences(text) for text in texts]


@pytest.mark.parametrize("tokens", TOKENS)
@settings(max_examples=500, deadline=None)
@given(TEXTS)
@example(["I know etc. > ", "", "He left. ) Then e.g. .) The", "a. b. C.", 'so.". The'])
def test_texts_are_cut_as_each_by_itself(tokens: str, texts: list[str]) -> None:
    check(texts, tokens, Memory(tokens))


def test_all_shared_responses_and_posts_are_cut_as_each_by_itself(shared: Path) -> None:
    answers = json.loads((shared / "data" / "lee2024" / "human_responses.json").read_text())
    with (shared / "data" / "epitome2020" / "explorations-reddit.csv").open(encoding="utf-8") as stream:
        posts = [row["response_post"] for row in csv.DictReader(stream)]
    check([answer["response"] for answer in answers] + posts, "ptb", Memory("ptb"))


def test_texts_that_come_up_again_keep_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory("ptb")
    for texts in (["I can't.", "", "oh no"], ["oh no", "I can't.", "oh no"], []):
        found = remembered_words(texts, memory)
        assert [found.strings(place) for place in range(len(texts))] == [words(text.lower()) for text in texts]
    assert set(memory.texts) == {"I can't.", "", "oh no"}
    monkeypatch.setattr(coded, "REMEMBERED", 2)
    remembered_words(["new"], memory)
    assert set(memory.texts) == {"new"}


def test_a_memory_that_has_grown_too_large_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coded, "_memories", {})
    monkeypatch.setattr(coded, "LARGEST", 2)

    def batch(text: str) -> Batch:
        return Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text)])

    first = batch("one two three")
    assert first.view(coded.coded_responses).words.strings(0) == ["one", "two", "three"]
    assert first.view(coded.memory_of) is not batch("four").view(coded.memory_of)
    assert first.view(coded.ragged_responses).vocabulary is first.view(coded.ragged_prompts).vocabulary
