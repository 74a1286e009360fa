"""Words and sentences against examples anyone can check, and against NLTK with Punkt on the released data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empathic.metrics import text

WORDS = [
    ("i am sorry to hear that .", "i am sorry to hear that ."),
    ("I can't believe it.", "I ca n't believe it ."),
    ("They'll say it's done, won't they?", "They 'll say it 's done , wo n't they ?"),
    ("I cannot and I'm gonna go", "I can not and I 'm gon na go"),
    ("'Tis the dogs' bed", "'T is the dogs ' bed"),
    ('She said "no" (twice).', "She said `` no '' ( twice ) ."),
    ("Wow... that's 3,000 at 10:30, right?!", "Wow ... that 's 3,000 at 10:30 , right ? !"),
    ("Mr. Smith left at 5 p.m. and came back.", "Mr. Smith left at 5 p.m. and came back ."),
    ("It works -- 100% of it; ask me@home", "It works -- 100 % of it ; ask me @ home"),
    ("First. Second. third", "First . Second . third"),
    ("i ' m so sorry", "i ' m so sorry"),
    ("don’t", "don ’ t"),
    ("i am so sorry. ! but", "i am so sorry. ! but"),
    ("you like.?", "you like . ?"),
    ("🙂🙂", "🙂🙂"),
    ("ありがとう。", "ありがとう。"),
    ("", ""),
]


@pytest.mark.parametrize(("raw", "expected"), WORDS)
def test_words_are_cut_as_in_the_penn_treebank(raw: str, expected: str) -> None:
    assert text.words(raw) == expected.split()


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("I am sorry. Are you ok?", ["I am sorry.", "Are you ok?"]),
        ("i am sorry . are you ok ?", ["i am sorry .", "are you ok ?"]),
        ("Dr. Smith came. He left", ["Dr. Smith came.", "He left"]),
        ("wow ! ! that is great", ["wow ! !", "that is great"]),
        ('"Stop." She left.', ['"Stop."', "She left."]),
        ("I waited... and waited", ["I waited... and waited"]),
        ("I waited... I left", ["I waited...", "I left"]),
        ("It cost 5. dollars", ["It cost 5. dollars"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(raw: str, expected: list[str]) -> None:
    assert text.sentences(raw) == expected


def test_pretokenised_text_is_split_at_white_space_alone() -> None:
    assert text.split_words("do n't  go\n.") == ["do", "n't", "go", "."]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_cut_into_words_without_white_space(raw: str) -> None:
    assert all(word and not any(letter.isspace() for letter in word) for word in text.words(raw))
    assert "".join(text.sentences(raw)).replace(" ", "") == "".join(raw.split())


@settings(deadline=None)
@given(st.lists(st.sampled_from(["I", "ok.", "don't", "Mr.", '"hi"', "3,5", "...", "!", "(a)"]), max_size=12))
def test_what_is_remembered_does_not_change_the_result(chunks: list[str]) -> None:
    raw = " ".join(chunks)
    first = text.words(raw)
    text._inner.clear()
    text._final.clear()
    assert text.words(raw) == first


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "LARGEST_MEMORY", 10)
    text._inner.clear()
    for number in range(100):
        text.words(f"w{number}")
    assert len(text._inner) <= 10


def nltk_words():
    """NLTK's word_tokenize with the trained English Punkt tables, without a download."""
    import punkt
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    model, parameters = punkt.load_model("english"), PunktParameters()
    parameters.abbrev_types = set(model.abbrev_types)
    parameters.collocations = set(map(tuple, model.collocations))
    parameters.sent_starters = set(model.sent_starters)
    parameters.ortho_context.update(model.ortho_context)
    splitter, cutter = PunktSentenceTokenizer(), NLTKWordTokenizer()
    splitter._params = parameters
    return lambda raw: [word for sentence in splitter.tokenize(raw) for word in cutter.tokenize(sentence)]


def test_999_of_1000_responses_are_cut_as_nltk_cuts_them(shared: Path) -> None:
    oracle, different, total = nltk_words(), [], 0
    for path in sorted((shared / "data" / "lee2024").glob("*_responses.json")):
        for answer in json.loads(path.read_text())[::25]:
            total += 1
            if text.words(answer["response"]) != oracle(answer["response"]):
                different.append(answer["response"])
    assert total > 1000
    assert len(different) <= 0.001 * total, different


@pytest.mark.parametrize(
    "word", ["plain", "Cannot", "GIMME", "gonna", "gotta", "lemme", "wanna", "cannots", "ſo", "more"]
)
def test_a_word_of_letters_alone_is_cut_as_the_rules_cut_it(word: str) -> None:
    assert text.cut(word, final=False) == tuple(text._pieces(word)) == text.cut(word, final=True)
