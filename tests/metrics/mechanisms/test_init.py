"""The probes of the reference: what the models fitted on Reddit alone get wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import MissingPart
from empathic.metrics.mechanisms import Mechanisms, Reflection
from empathic.metrics.mechanisms.pairs import as_batch

SAD = "My dog died yesterday and the house is so quiet."


def level(text: str, column: str = "er", prompt: str = SAD) -> float:
    metric = Reflection() if column == "level" else Mechanisms()
    return float(metric.score(as_batch([prompt], [text]))[column][0])


def test_sympathy_is_a_strong_reaction_and_its_denial_none() -> None:
    assert level("I'm sorry to hear that.") > 1.7
    assert level("I am not sorry to hear that.") < 0.3
    assert level("Sorry, but I do not care about your problem.") < 0.3
    assert level("By the way, sorry for the late reply.") < 0.3


def test_plain_validation_is_credited() -> None:
    assert 0.5 < level("That must be really hard for you.") < 1.6
    assert level("That must be really hard for you.", "ip") > 0.5


def test_questions_explore_and_statements_do_not() -> None:
    assert level("How old was he when you got him?", "ex") > 1.3
    assert level("Dogs live for about thirteen years.", "ex") < 0.2


def test_understanding_in_a_you_sentence_is_interpretation_and_reflection() -> None:
    text = "You keep listening for his collar, and each time the quiet tells you again."
    assert level(text, "ip") > 1.2
    assert level(text, "level") > 0.6
    shared = "I lost my dog last year and I cried for weeks."
    assert level(shared, "ip") > 1.1
    assert level(shared, "level") < 0.2


def test_the_signature_names_the_model() -> None:
    assert Mechanisms().settings()["model"].startswith("embedded@")


def test_a_model_that_was_not_fitted_says_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(MissingPart, match="empathic models fit epitome"):
        Mechanisms(model="epitome")
