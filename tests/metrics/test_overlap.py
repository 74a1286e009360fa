"""BLEU and ROUGE-L against the reference values of the released responses, METEOR against NLTK."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.overlap import Bleu, Meteor, RougeL, common_subsequence
from empathic.records import Response

WORDS = st.lists(st.sampled_from(["run", "running", "runs", "a", "dog", "dogs", "the", "."]), min_size=1, max_size=9)


def batch(*pairs: tuple[str, str | None]) -> Batch:
    return Batch(
        [Response(id="r", system="s", dialogue="d", turns=(), text=text, reference=other) for text, other in pairs]
    )


@pytest.mark.parametrize("system", ["trs", "cem", "care"])
def test_bleu_and_rouge_of_the_released_responses_equal_the_reference(shared: Path, system: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["overlap_and_distinct"][system]
    folder = shared / "data" / "lee2024"
    answers = json.loads((folder / f"{system}_responses.json").read_text())
    people = json.loads((folder / "human_responses.json").read_text())
    views = batch(*((one["response"], other["response"]) for one, other in zip(answers, people, strict=True)))
    bleu = Bleu()
    assert bleu.finish([bleu.gather(views)])[""] == pytest.approx(expected["bleu4"], abs=1e-9)
    rouge = RougeL().score(views)[""]
    assert math.fsum(rouge) / len(rouge) == pytest.approx(expected["rougeL_f"], abs=1e-9)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_rouge_l_equals_the_reference_implementation(one: list[str], other: list[str]) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    expected = RougeScorer(["rougeL"]).score(" ".join(other), " ".join(one))["rougeL"].fmeasure
    assert RougeL().score(batch((" ".join(one), " ".join(other))))[""][0] == pytest.approx(expected, abs=1e-12)


class NoWordNet:
    """WordNet with nothing in it."""

    def synsets(self, word: str) -> list[str]:
        return []


@settings(deadline=None)
@given(WORDS, WORDS)
def test_meteor_equals_nltk_without_synonyms(one: list[str], other: list[str]) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    metric = Meteor()
    stemmer = type("Stemmer", (), {"stem": staticmethod(metric.stem)})()
    expected = single_meteor_score(other, one, stemmer=stemmer, wordnet=NoWordNet())
    assert metric._score(one, other) == pytest.approx(expected, abs=1e-12)


def test_the_longest_common_subsequence_by_hand() -> None:
    assert common_subsequence("abcbdab", "bdcaba") == 4
    assert common_subsequence([], ["a"]) == 0
    assert common_subsequence(["a"] * 200, ["a"] * 150) == 150


def test_without_a_reference_there_is_no_overlap_and_it_is_counted() -> None:
    views = batch(("hi there", None), ("so sorry to hear that", "so sorry to hear that"))
    assert isinstance(RougeL().score(views)[""][0], Missing)
    assert isinstance(Meteor().score(views)[""][0], Missing)
    bleu = Bleu()
    gathered = [bleu.gather(views)]
    assert bleu.finish(gathered)[""] == pytest.approx(100)
    assert bleu.left_out(gathered) == {"there is no reference answer to this prompt": 1}
    assert isinstance(bleu.finish([bleu.gather(batch(("hi", None)))])[""], Missing)


def test_every_overlap_says_its_caution_and_meteor_that_it_has_no_synonyms() -> None:
    assert all("Liu et al. 2016" in metric.caution for metric in (Bleu, RougeL, Meteor))
    assert Meteor().settings()["synonyms"] == "none"
