from __future__ import annotations

import math
from pathlib import Path

import pytest

import empathic.models  # noqa: F401  (registers llama-cpp, as the command line does)
from empathic.contracts import Missing
from empathic.errors import SettingError, UnknownName
from empathic.metrics.batch import Batch
from empathic.metrics.measure import build, default_names
from empathic.metrics.perplexity import CAUTION, Perplexity, perplexity
from empathic.records import Response, Turn

FLUENT = "I am so sorry to hear that."
SHUFFLED = "that so hear. sorry am to I"


def batch(*texts: str, prompt: str | None = "My dog died yesterday.") -> Batch:
    turns = () if prompt is None else (Turn(role="speaker", text=prompt),)
    return Batch([Response(id=str(n), system="s", dialogue="d", turns=turns, text=t) for n, t in enumerate(texts)])


@pytest.fixture(scope="module")
def metric(smollm2: Path) -> Perplexity:
    return Perplexity(model=str(smollm2))


def test_two_tokens_by_hand() -> None:
    found, surprise = perplexity([math.log(1 / 2), math.log(1 / 8)])
    assert found == pytest.approx(4)  # √(2 · 8): the geometric mean of 1/p
    assert surprise == pytest.approx(math.log(4))


def test_certain_tokens_have_perplexity_1_and_hopeless_ones_a_reason() -> None:
    assert perplexity([0.0, 0.0]) == (1.0, 0.0)
    found, surprise = perplexity([-1000.0])
    assert isinstance(found, Missing)
    assert surprise == 1000


def test_a_model_must_be_named_and_the_context_known() -> None:
    with pytest.raises(SettingError, match=r"--set perplexity\.model=smollm2"):
        build("perplexity")
    with pytest.raises(UnknownName, match="Did you mean 'turns'"):
        build("perplexity", {"model": "smollm2", "context": "turn"})


def test_it_is_not_computed_unless_named_and_carries_its_caution() -> None:
    assert "perplexity" not in default_names()
    assert "§3.2" in CAUTION


def test_the_product_of_the_probabilities_of_the_real_model(metric: Perplexity) -> None:
    found = metric.score(batch(FLUENT))
    logprobs = metric.model.logprobs("My dog died yesterday.\n", FLUENT)
    product = math.prod(math.exp(value) for value in logprobs)
    assert found[""][0] == pytest.approx(product ** (-1 / len(logprobs)), rel=1e-9)
    assert found["nll"][0] == pytest.approx(math.log(found[""][0]))
    assert found["tokens"] == [len(logprobs)]


def test_shuffled_words_surprise_the_real_model_more(metric: Perplexity) -> None:
    fluent, shuffled = metric.score(batch(FLUENT, SHUFFLED))[""]
    assert shuffled > 5 * fluent


def test_the_context_counts_unless_it_is_left_out(metric: Perplexity, smollm2: Path) -> None:
    here, there = (metric.score(batch(FLUENT, prompt=said))[""][0] for said in ("My dog died.", "Two plus two is"))
    assert here < there
    alone = Perplexity(model=str(smollm2), context="none")
    values = {alone.score(batch(FLUENT, prompt=said))[""][0] for said in ("My dog died.", "Two plus two is", None)}
    assert len(values) == 1
    assert alone.settings()["context"] == "none"


def test_a_response_longer_than_the_model_takes_is_missing_in_every_column(metric: Perplexity) -> None:
    found = metric.score(batch("word " * 5000))
    assert all(isinstance(values[0], Missing) for values in found.values())
