"""A small report's material, made by hand."""

from __future__ import annotations

import pytest

from empathic.records import Estimate, Turn
from empathic.reports import Answer, Example, Material, Pathology, Phrases, Section, Source


def mean(metric: str, system: str, value: float | None) -> Estimate:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    missing = "no response could be measured" if value is None else None
    return Estimate(
        name=metric, value=value, low=low, high=high, method="m", n=20, missing=missing, signature="m|x:1",
        labels={"kind": "mean", "metric": metric, "system": system}, details={"sd": 0.5},
    )  # fmt: skip


def difference(kind: str, metric: str, **labels: str) -> Estimate:
    return Estimate(
        name=metric, value=0.25, low=0.1, high=0.4, method="m", n=20, p=0.004, p_adjusted=0.012, statistic=3.0,
        labels={"kind": kind, "metric": metric, "base": "human", "system": "bot<1>", **labels},
        details={"d_z": 0.4, "minimum_detectable": 0.2, "dialogues": 20},
    )  # fmt: skip


@pytest.fixture
def material() -> Material:
    turns = (Turn(role="speaker", text="My cat died & I am <sad>."),)
    answers = [Answer("human", "Oh no.", None, [("oh", "warmth")]), Answer("bot<1>", None, "timeout")]
    estimates = [
        mean("specificity", "human", 0.3), mean("specificity", "bot<1>", 0.5), mean("length.words", "human", 10.0),
        mean("length.words", "bot<1>", None), difference("difference", "specificity"),
        difference("equal-length", "specificity"), difference("interaction", "specificity", by="polarity"),
        difference("polarity", "specificity", group="negative"),
    ]  # fmt: skip
    return Material(
        title="How empathic? <test>", systems=["human", "bot<1>"], reference="human", reference_name="human",
        sections=[Section("spec", "Specificity", "Specific?", ["specificity"], ["specificity"]),
                  Section("behaviour", "Behaviour", "How?", ["length.words"])],
        estimates=estimates, better={"specificity": "higher"}, missing={"human": {}, "bot<1>": {"timeout": 1}},
        responses={"human": 20, "bot<1>": 20}, flags=["different N"],
        groups={"specificity": [("human",), ("bot<1>",)]},
        examples=[Example("d1", "sad", turns, answers)],
        pathologies=[Pathology("repeats itself", "why", "bot<1>", 15, 20, True, ["15 × oh"]),
                     Pathology("echo", "why", "human", 0, 20, False)],
        phrases=[Phrases("bot<1>", [("oh no", 4)], [("oh no .", 3)])],
        methods=["We measured."], limitations=["Not people."],
        sources=[Source("x2020", "X (2020).", "@misc{x2020}")], licences=["CC0"], facts={"systems": "2"},
    )  # fmt: skip
