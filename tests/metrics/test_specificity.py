from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from empathic.metrics.batch import Batch
from empathic.metrics.specificity import SpecificityV1, SpecificityV2, rejoined
from empathic.records import Response

SYSTEMS = ["human", "trs", "moel", "moel:decoder_greedy", "moel:beam_search", "emocause", "cem", "care"]


def batch(*texts: str) -> Batch:
    return Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text) for text in texts])


def released(shared: Path, name: str) -> Batch:
    system, _, field = name.partition(":")
    answers = json.loads((shared / "data" / "lee2024" / f"{system}_responses.json").read_text())
    return batch(*(answer[field or "response"] for answer in answers))


def mean(values) -> float:
    return math.fsum(values) / len(values)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_published_recipe_is_reproduced_to_1e_9(shared: Path, name: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["specificity_nidf"]["systems"][name]
    metric = SpecificityV1(reference=str(shared / "data" / "lee2024" / "ed_word_counts.json"))
    assert mean(metric.score(released(shared, name))[""]) == pytest.approx(expected["paper_code"], abs=1e-9)


@pytest.mark.parametrize("name", ["human", "trs", "cem", "care"])
def test_case_folded_counts_give_the_reference_where_no_apostrophe_is_split(shared: Path, name: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["specificity_nidf"]["systems"][name]
    metric = SpecificityV2(reference=str(shared / "data" / "lee2024" / "ed_word_counts.json"))
    assert mean(metric.score(released(shared, name))[""]) == pytest.approx(expected["casefolded_counts"], abs=1e-6)


def test_rejoining_apostrophes_takes_away_what_emocause_gained_by_splitting_them(shared: Path) -> None:
    counts = str(shared / "data" / "lee2024" / "ed_word_counts.json")
    views = released(shared, "emocause")
    as_is = mean(SpecificityV2(reference=counts).score(views)[""])
    expected = json.loads((shared / "reference" / "lee.json").read_text())["specificity_nidf"]["systems"]["emocause"]
    assert as_is < expected["casefolded_counts"] - 0.02


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("i ' m sorry", "i 'm sorry"),
        ("i don ’ t know", "i do n't know"),
        ("can ' t", "ca n't"),
        ("the dogs ' bed", "the dogs ' bed"),
        ("' t", "' t"),
        ("it ' t", "it 't"),
        ("i 'm fine", "i 'm fine"),
        ("she '", "she '"),
    ],
)
def test_split_apostrophes_are_rejoined(words: str, expected: str) -> None:
    assert rejoined(words.split()) == expected.split()


def test_version_2_is_blind_to_case_and_splitting() -> None:
    values = SpecificityV2().score(batch("I'm sorry", "i ' m SORRY"))
    assert values[""][0] == values[""][1]
    assert values["unseen"] == [0, 0]


def test_a_word_counts_once_and_unseen_words_are_most_specific() -> None:
    values = SpecificityV1().score(batch("qxzt qxzt .", "qxzt"))[""]
    assert values == [0.5, 1.0]


def test_rare_words_are_more_specific_than_frequent_ones() -> None:
    generic, specific = SpecificityV2().score(batch("i am so sorry", "my hamster escaped through the laundry chute"))[
        ""
    ]
    assert generic < specific


def test_a_whole_batch_gives_what_each_response_gives_word_by_word(shared: Path) -> None:
    for name in ("human", "emocause"):
        views, metric = released(shared, name), SpecificityV2()
        found = metric.score(views)
        rows = [set(rejoined([word.lower() for word in words])) for words in views.words]
        assert found[""] == [math.fsum(metric.rarity[word] for word in row) / len(row) for row in rows]
        assert found["unseen"] == [1 - sum(word in metric.rarity for word in row) / len(row) for row in rows]
