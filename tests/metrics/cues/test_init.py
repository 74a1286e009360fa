from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.metrics import cues
from empathic.metrics.ragged import ragged
from empathic.metrics.text import words


def found(text: str) -> dict[str, int]:
    """The cues of one sentence with their counts."""
    counts = cues.embedded().counts(ragged([[cues.START, *words(text.lower())]]))[0]
    return {name: int(count) for name, count in zip(cues.embedded().names, counts, strict=True) if count}


@pytest.mark.parametrize(
    ("phrase", "stands_for"),
    [
        ("so sorry", {("so", "sorry")}),
        ("(so|very|) sorry", {("so", "sorry"), ("very", "sorry"), ("sorry",)}),
        ("a (b|c (d|e))", {("a", "b"), ("a", "c", "d"), ("a", "c", "e")}),
        ("apolog(y|ies)", {("apology",), ("apologies",)}),
        ("{so} sad", {("sad",), ("so", "sad")}),
        ("a|b c", {("a",), ("b", "c")}),
        ("^ you", {(cues.START, "you")}),
        (r": \(", {(":", "(")}),
    ],
)
def test_a_phrase_stands_for_what_it_says(phrase: str, stands_for: set[tuple[str, ...]]) -> None:
    assert set(cues.expand(phrase, {"so": ["", "so"]})) == stands_for


@pytest.mark.parametrize(
    ("phrase", "says"),
    [("(a|b", "does not close a group"), ("a) b", "not open"), ("{nothing} a", "'{nothing}', which is not under")],
)
def test_a_phrase_that_cannot_be_read_is_refused(phrase: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        list(cues.expand(phrase, {}))


def test_a_phrase_that_can_be_empty_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "phrases.toml"
    path.write_text('[cue.none]\nphrases = ["(a|)"]\n')
    with pytest.raises(InputError, match="'none' can be empty"):
        cues.read(path)


def test_all_occurrences_of_all_phrases_are_counted_within_each_text(tmp_path: Path) -> None:
    path = tmp_path / "phrases.toml"
    path.write_text(
        '[cue.x]\nphrases = ["a", "a b"]\n[cue.y]\nphrases = ["b a"]\nminus = ["z"]\n[cue.z]\nphrases = ["c"]\n'
    )
    table = cues.read(path).counts(ragged([["a", "b", "a"], ["b"], ["a"], [], ["b", "a", "c"]]))
    assert table.tolist() == [[3, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 1]]


def test_sympathy_is_told_from_its_denial_and_from_other_apologies() -> None:
    assert "sorry" in found("I'm so sorry to hear that.")
    assert "sorry" not in found("I am not sorry to hear that.")
    assert "sorry" not in found("Sorry, but I do not care about your problem.")
    assert "sorry" not in found("By the way, sorry for the late reply.")
    assert "irrelevant_sorry" in found("Sorry for calling so early!")


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("That must be really hard for you.", "validation"),
        ("i ' m glad you are ok", "own_feeling"),
        ("Congrats!", "congratulation"),
        ("I know how you feel", "understanding"),
        ("me too", "sameness"),
        ("When I lost my dog I cried for a week", "own_story"),
        ("It sounds like you miss her", "inference"),
        ("What kind of dog was it?", "generic_question"),
        ("Have you talked to her?", "specific_question"),
        ("You should see a doctor.", "advice"),
        ("Take a deep breath.", "direct"),
        ("It's up to you.", "autonomy"),
        ("Here for you if you want to talk", "offer"),
    ],
)
def test_a_cue_is_found_where_a_reader_finds_it(text: str, cue: str) -> None:
    assert cue in found(text)


def test_nothing_is_found_in_nothing() -> None:
    assert cues.embedded().counts(ragged([])).shape == (0, len(cues.embedded().names))
    assert not cues.embedded().counts(ragged([[], ["qwerty"]])).any()


def test_the_names_are_those_of_the_compiled_cues() -> None:
    assert cues.names() == cues.embedded().names
