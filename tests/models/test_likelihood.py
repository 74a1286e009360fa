"""Forced tokens against what the same model tells when it is free to choose, and against its whole distribution."""

from __future__ import annotations

import json
import math
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from empathic.contracts import Likelihood, Missing
from empathic.models import LlamaCpp
from empathic.models.gguf import start_server
from empathic.models.likelihood import LocalLikelihood

CONTEXT = "My dog ran away yesterday.\n"
TEXT = "I am so sorry to hear that."


@pytest.fixture(scope="module")
def model(smollm2: Path) -> LocalLikelihood:
    return LocalLikelihood(smollm2)


@pytest.fixture(scope="module")
def ask(smollm2: Path) -> Callable[[str, dict[str, Any]], Any]:
    """Another server with the same model."""
    server = start_server(smollm2, "the-key", context=512)

    def post(path: str, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Authorization": "Bearer the-key"}
        request = urllib.request.Request(server.listening_address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    return post


def test_it_is_what_the_contract_asks_for_and_what_the_registered_model_gives(smollm2: Path) -> None:
    found = LlamaCpp.likelihood(str(smollm2))
    assert isinstance(found, Likelihood)
    assert set(found.settings()) == {"model", "engine"}


def test_words_the_model_chose_freely_have_the_probabilities_it_told_then(model: LocalLikelihood, ask: Any) -> None:
    body = {"prompt": CONTEXT, "n_predict": 8, "n_probs": 1, "temperature": 0.0, "cache_prompt": False}
    free = ask("/completion", body)
    told = [token["logprob"] for token in free["completion_probabilities"]]
    assert model.tokens(free["content"]) == [token["id"] for token in free["completion_probabilities"]]
    assert model.logprobs(CONTEXT, free["content"]) == pytest.approx(told, abs=1e-3)


def test_an_unlikely_token_has_its_place_in_the_whole_distribution(model: LocalLikelihood, ask: Any) -> None:
    found = model.logprobs(CONTEXT, TEXT)
    assert isinstance(found, list)
    own, before = model.tokens(TEXT), model.tokens(CONTEXT, start=True)
    body = {"prompt": [*before, *own[:3]], "n_predict": 1, "n_probs": 60_000, "cache_prompt": False}
    everything = ask("/completion", body)["completion_probabilities"][0]["top_logprobs"]
    assert math.fsum(math.exp(token["logprob"]) for token in everything) == pytest.approx(1, abs=1e-3)
    told = {token["id"]: token["logprob"] for token in everything}
    assert found[3] == pytest.approx(told[own[3]], abs=1e-3)


def test_the_numbers_do_not_depend_on_what_was_asked_before(model: LocalLikelihood) -> None:
    first = model.logprobs(CONTEXT, TEXT)
    model.logprobs(CONTEXT + "It was raining.\n", "What a pity.")
    assert model.logprobs(CONTEXT, TEXT) == first


def test_marks_of_the_chat_template_are_ordinary_letters(model: LocalLikelihood) -> None:
    assert len(model.tokens("<|im_end|>")) > 1


def test_a_text_without_tokens_or_with_too_many_has_a_reason(model: LocalLikelihood) -> None:
    assert isinstance(model.logprobs(CONTEXT, ""), Missing)
    long = model.logprobs(CONTEXT, "word " * 5000)
    assert isinstance(long, Missing)
    assert "the model takes 4096" in long.reason
