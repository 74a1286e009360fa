"""Labels against those released by Welivita & Pu, and against a reader."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import numpy as np
import pytest

from empathic.metrics.batch import Batch
from empathic.metrics.features import quantities
from empathic.metrics.miti import LABELS, Miti, column_name, rules, sentence_labels
from empathic.records import Response, Turn


def labels(text: str) -> list[str]:
    batch = Batch([Response(id="r", system="s", dialogue="d", turns=(Turn(role="speaker", text="hi"),), text=text)])
    return [LABELS[place] for place in sentence_labels(quantities(batch))]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("What did she say to you?", "Open Question"),
        ("How do you feel about it?", "Open Question"),
        ("Do you have a really good job?", "Closed Question"),
        ("How long have you been married?", "Closed Question"),
        ("I'm so sorry for your loss.", "Support"),
        ("I hope you feel better soon!", "Support"),
        ("I had the same thing happen to me last year.", "Self-Disclose"),
        ("My dog died too.", "Self-Disclose"),
        ("That's amazing, congratulations!", "Affirm"),
        ("You should talk to your boss.", "Advise without Permission"),
        ("Take a deep breath.", "Direct"),
        ("Adults usually need seven hours of sleep.", "Give Information"),
        ("It's up to you.", "Emphasize Autonomy"),
        ("You might want to consider a class.", "Advise with Permission"),
    ],
)
def test_a_sentence_gets_the_label_a_reader_gives(text: str, label: str) -> None:
    assert labels(text) == [label]


def test_shares_are_over_the_sentences_of_the_response() -> None:
    text = "I'm so sorry for your loss. What did she say to you?"
    found = Miti().score(Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text)]))
    assert found["support"] == [0.5]
    assert found["open_question"] == [0.5]
    assert sum(values[0] for values in found.values()) == pytest.approx(1)


@pytest.mark.parametrize(("condition", "n", "accuracy"), [("human", 5054, 0.624), ("chatgpt", 6830, 0.582)])
def test_the_rules_agree_with_the_released_labels_as_the_docs_say(
    shared: Path, condition: str, n: int, accuracy: float
) -> None:
    with (shared / "data" / "welivita2024" / "dataset_and_ratings.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    turns = (Turn(role="speaker", text=""),)
    batch = Batch(
        [
            Response(id=str(i), system="s", dialogue="d", turns=turns, text=row[f"response_{condition}"])
            for i, row in enumerate(rows)
        ]
    )
    found = quantities(batch)
    guessed = np.split(sentence_labels(found), found.starts[1:-1])
    true = [[LABELS.index(label) for label in ast.literal_eval(row[f"miti_{condition}"])] for row in rows]
    pairs = [(one, other) for one, other in zip(true, guessed, strict=True) if len(one) == len(other)]
    right = sum(a == b for one, other in pairs for a, b in zip(one, other, strict=True))
    assert sum(len(one) for one, _ in pairs) == n
    assert right / n == pytest.approx(accuracy, abs=0.0006)


def test_every_label_has_rules_and_a_column() -> None:
    assert rules().any(axis=1).all()
    assert [column.name for column in Miti.columns] == [column_name(label) for label in LABELS]
