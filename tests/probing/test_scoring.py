"""Free answers become distances of affect and levels of mechanisms."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.measure import build
from empathic.probing.scoring import FreeAnswers
from empathic.records import Response, Turn

SAID = (Turn(role="speaker", text="I am terribly sad and lonely today."),)


def responses(*texts: str) -> list[Response]:
    return [Response(id=str(k), system="s", dialogue="d", turns=SAID, text=text) for k, text in enumerate(texts)]


def test_the_distance_is_that_between_the_means_of_both_texts() -> None:
    given = responses("How wonderful, I am so happy!", "That is sad and lonely indeed.")
    found = FreeAnswers()(given)
    ours = build("word_choice").metric.score(Batch(given))
    for scale in ("valence", "arousal", "dominance"):
        pairs = zip(ours[f"{scale}.mean_prompt"], ours[f"{scale}.mean_response"], strict=True)
        assert found[f"ae.{scale}"] == pytest.approx([abs(prompt - response) for prompt, response in pairs])
    assert found["ae.valence"][0] > found["ae.valence"][1]


def test_mechanisms_are_the_metrics_own_levels() -> None:
    given = responses("I am so sorry, that must hurt.", "What happened then?")
    found, ours = FreeAnswers()(given), build("mechanisms").metric.score(Batch(given))
    assert found["era.emotional_reactions"] == list(ours["er"])
    assert found["era.explorations"] == list(ours["ex"])
    assert found["era.explorations"][1] > found["era.explorations"][0]


def test_another_language_says_what_is_missing_and_takes_a_lexicon(tmp_path: Path) -> None:
    given = responses("To je smutné.")
    found = FreeAnswers("cs")(given)
    assert found["ae.valence"] == [Missing(reason="no affect lexicon for 'cs' was given; name one with --lexicon")]
    assert found["era.interpretations"] == [Missing(reason="communication mechanisms are measured in English only")]
    path = tmp_path / "cesky.txt"
    path.write_text(
        "word\tvalence\tarousal\tdominance\nsmutné\t0.1\t0.3\t0.2\nkrásné\t0.9\t0.4\t0.7\n", encoding="utf-8"
    )
    told = [Response(id="1", system="s", dialogue="d", turns=(Turn(role="speaker", text="krásné"),), text="smutné")]
    found = FreeAnswers("cs", lexicon=str(path))(told)
    assert found["ae.valence"] == pytest.approx([0.8])
    assert found["ae.arousal"] == pytest.approx([0.1])


def test_nobody_gives_no_values() -> None:
    assert all(values == [] for values in FreeAnswers()([]).values())


def test_the_numbers_say_how_to_reproduce_them() -> None:
    assert FreeAnswers().signatures()["ae"].startswith("word_choice.v2|")
    assert FreeAnswers("cs").signatures() == {}
