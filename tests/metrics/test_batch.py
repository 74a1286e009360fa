from __future__ import annotations

import pytest

from empathic.errors import UnknownName
from empathic.metrics import batch
from empathic.metrics.batch import Batch
from empathic.records import Response, Turn


def response(text: str, prompt: str = "I lost my dog.", reference: str | None = None) -> Response:
    turns = (Turn(role="speaker", text=prompt),) if prompt else ()
    return Response(id="r", system="s", dialogue="d", turns=turns, text=text, reference=reference)


def test_the_views_of_a_response() -> None:
    views = Batch([response("I'm So sorry.", reference="Oh no!")])
    assert views.texts == ["I'm So sorry."]
    assert views.words == [["I", "'m", "So", "sorry", "."]]
    assert views.lower == [["i", "'m", "so", "sorry", "."]]
    assert views.sentences == [["I'm So sorry."]]
    assert views.prompts == ["I lost my dog."]
    assert views.prompt_words == [["I", "lost", "my", "dog", "."]]
    assert views.prompt_lower[0][0] == "i"
    assert views.reference_words == [["Oh", "no", "!"]]


def test_what_is_not_there_is_empty_or_none() -> None:
    views = Batch([response("…", prompt="")])
    assert views.prompts == [""]
    assert views.prompt_lower == [[]]
    assert views.references == [None]
    assert views.reference_words == [None]


def test_a_view_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setitem(batch.TOKENS, "ptb", lambda text: calls.append(text) or text.split())
    views = Batch([response("a b")])
    assert views.words is views.words
    assert views.lower == [["a", "b"]]
    assert calls == ["a b"]


def test_texts_that_are_tokenised_already_are_split() -> None:
    assert Batch([response("i can't")], tokens="split").words == [["i", "can't"]]
    with pytest.raises(UnknownName, match="Did you mean 'split'"):
        Batch([], tokens="splitt")


def test_sentences_are_cut_into_words_in_lower_case() -> None:
    batch = Batch([response("Oh no! I am SO sorry.", "hi"), response("fine", "hi")])
    assert batch.sentence_lower == [[["oh", "no", "!"], ["i", "am", "so", "sorry", "."]], [["fine"]]]


def test_a_view_is_made_once_and_shared() -> None:
    batch, made = Batch([response("Oh no!", "hi")]), []

    def view(texts):
        made.append(texts)
        return len(texts.texts)

    assert (batch.view(view), batch.view(view)) == (1, 1)
    assert made == [batch]
