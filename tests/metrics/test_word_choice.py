"""The published recipe against the reference values; the rest by hand and by brute force."""

from __future__ import annotations

import itertools
import json
import random
import statistics
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic.contracts import Missing
from empathic.errors import SettingError, UnknownName
from empathic.metrics.batch import Batch
from empathic.metrics.ragged import Ragged, ragged, table
from empathic.metrics.word_choice import DRAWN, Affect, PublishedWordChoice, WordChoice, affect, draw, in_order
from empathic.records import Response, Turn

SYSTEMS = ("human", "trs", "moel", "emocause", "cem", "care")
SCALE = {"sad": 0.75, "ok": 0.25, "glad": 0.5}


def response(prompt: str, text: str) -> Response:
    return Response(id="r", system="s", dialogue="d", turns=(Turn(role="speaker", text=prompt),), text=text)


def on_scale(texts: Ragged, neutral: float = 0.0) -> Affect:
    scale = table([SCALE])
    return affect(texts, scale.rows_of(texts), scale.orders[0], draw(texts), neutral)


def released(shared: Path, system: str, decoding: str = "response") -> Batch:
    found = json.loads((shared / "data" / "lee2024" / f"{system}_responses.json").read_text())
    return Batch([response(each["query"][-1], each[decoding]) for each in found])


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_published_recipe_gives_the_reference_values(shared: Path, system: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["word_choice"]["systems"][system]
    lexicon, batch = str(shared / "data" / "lee2024" / "nrc_intensity.txt"), released(shared, system)
    last = PublishedWordChoice(lexicon=lexicon).score(batch)
    largest = PublishedWordChoice(lexicon=lexicon, emotions="max").score(batch)
    assert statistics.fmean(last["intensity.difference"]) == pytest.approx(expected["diff_max_intensity"], abs=1e-9)
    assert statistics.fmean(last["intensity.absolute"]) == pytest.approx(expected["mean_abs_diff_intensity"], abs=1e-9)
    assert statistics.fmean(last["no_word"]) == pytest.approx(expected["resp_no_emotion"], abs=1e-9)
    assert statistics.fmean(largest["intensity.difference"]) == pytest.approx(
        expected["diff_max_intensity_lexmax"], abs=1e-9
    )


@pytest.mark.parametrize("decoding", ["beam_search", "decoder_greedy", "top_k"])
def test_other_decodings_give_their_reference_values(shared: Path, decoding: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["word_choice"]["systems"][f"moel:{decoding}"]
    metric = PublishedWordChoice(lexicon=str(shared / "data" / "lee2024" / "nrc_intensity.txt"))
    found = metric.score(released(shared, "moel", decoding))
    assert statistics.fmean(found["intensity.difference"]) == pytest.approx(expected["diff_max_intensity"], abs=1e-9)


def test_values_are_those_counted_by_hand() -> None:
    metric = WordChoice(lexicon="affect")
    metric.scales, metric.table = {"intensity": SCALE}, table([SCALE])
    found = metric.score(Batch([response("so sad , ok ?", "glad it is ok")]))
    assert found["intensity.prompt"] == [0.75]
    assert found["intensity.response"] == [0.5]
    assert found["intensity.difference"] == [0.25]
    assert found["intensity.mean_prompt"] == [0.5]
    assert found["intensity.mean_response"] == [0.375]
    assert found["intensity.mean_difference"] == [0.125]
    assert isinstance(found["intensity.rarefied"][0], Missing)  # four words
    assert found["no_word"] == [0]


def test_a_response_without_a_known_word_is_missing_and_counted() -> None:
    found = WordChoice(lexicon="affect").score(Batch([response("i am sad", "qwerty zxcv")]))
    assert found["no_word"] == [1]
    missing = found["intensity.response"][0]
    assert isinstance(missing, Missing)
    assert "no word of the lexicon" in missing.reason
    assert found["intensity.prompt"] == [pytest.approx(0.8)]


def test_the_expected_largest_of_drawn_words_is_that_of_all_draws() -> None:
    chooser = random.Random(3)
    for length in range(DRAWN, 10):
        words = [chooser.choice(["sad", "ok", "glad", "x", "y"]) for _ in range(length)]
        values = [SCALE.get(word, 0.4) for word in words]
        brute = statistics.fmean(max(chosen) for chosen in itertools.combinations(values, DRAWN))
        texts = ragged([["ok"], words, []])
        assert on_scale(texts, 0.4).rarefied[1] == pytest.approx(brute, abs=1e-12)


def test_the_largest_value_grows_with_length_and_the_rarefied_one_does_not() -> None:
    chooser = random.Random(5)
    texts = [[chooser.choice(["sad", "ok", "glad", *"abcdefgh"]) for _ in range(n)] for n in [8] * 3000 + [32] * 3000]
    batch = ragged(texts)
    found = on_scale(batch)
    assert found.largest[3000:].mean() - found.largest[:3000].mean() > 0.15
    assert found.rarefied[3000:].mean() == pytest.approx(found.rarefied[:3000].mean(), abs=0.015)


def test_the_signature_names_the_lexicon_and_its_content() -> None:
    assert WordChoice().settings()["lexicon"] == "vader@1ec9c6e9+affect@80277c9f"
    assert PublishedWordChoice().settings() == {"lexicon": "affect@80277c9f", "emotions": "last"}


def test_scales_the_lexicon_does_not_have_are_no_columns() -> None:
    assert [column.name for column in PublishedWordChoice(lexicon="vader").columns] == [
        "valence.difference",
        "valence.absolute",
        "no_word",
    ]


def test_wrong_settings_say_what_can_be_typed() -> None:
    with pytest.raises(SettingError, match="'last' or 'max'"):
        PublishedWordChoice(emotions="first")
    with pytest.raises(UnknownName, match="Did you mean 'affect'"):
        WordChoice(lexicon="afect")


@given(
    st.lists(st.lists(st.sampled_from(["sad", "ok", "glad", "x", "y"]), max_size=7), max_size=4),
    st.sampled_from([0.0, 0.25, 0.4, 1.0]),
)
def test_words_in_order_are_each_text_sorted(rows: list[list[str]], neutral: float) -> None:
    texts, scale = ragged(rows), table([SCALE])
    places = scale.orders[0].places[scale.rows_of(texts)]
    found = in_order(texts, places, scale.orders[0], texts.owner(), neutral)
    assert found.tolist() == [value for row in rows for value in sorted(SCALE.get(word, neutral) for word in row)]
