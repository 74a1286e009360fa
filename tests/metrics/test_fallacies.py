from __future__ import annotations

import csv
from pathlib import Path

import pytest

from empathic import metrics
from empathic.metrics import Batch, fallacies
from empathic.metrics.fallacies import find
from empathic.records import Response

DATA = Path(__file__).parent / "data" / "fallacies.csv"


def sentences(split: str) -> list[tuple[str, bool]]:
    with DATA.open(newline="", encoding="utf-8") as stream:
        return [(row["sentence"], row["fallacy"] == "1") for row in csv.DictReader(stream) if row["split"] == split]


def quality(split: str) -> tuple[float, float]:
    """Precision and recall."""
    judged = [(bool(find(sentence)), label) for sentence, label in sentences(split)]
    hits = sum(found and label for found, label in judged)
    return hits / sum(found for found, _ in judged), hits / sum(label for _, label in judged)


def test_the_labelled_set_is_large_and_balanced() -> None:
    for split in ("dev", "test"):
        labels = [label for _, label in sentences(split)]
        assert len(labels) >= 290
        assert 0.45 < sum(labels) / len(labels) < 0.55


def test_precision_and_recall_hold_on_sentences_the_rules_never_saw() -> None:
    precision, recall = quality("test")
    assert precision == pytest.approx(0.898, abs=0.01)
    assert recall == pytest.approx(0.793, abs=0.01)


@pytest.mark.parametrize(
    ("sentence", "words", "rule"),
    [
        ("It often helps me when I can't sleep.", "when i can't", "own experience"),
        ("I've been there.", "i've been there", "shared experience"),
        ("My dog died last year too.", "my dog", "own people and things"),
        ("i ' m a mother of two .", "i'm a mother", "own body or role"),
        ("As an AI I have no body, but I love hiking.", "i love hiking", "own taste"),
    ],
)
def test_a_finding_names_the_words_and_the_rule(sentence: str, words: str, rule: str) -> None:
    (found,) = find(sentence)
    assert (found.words, found.rule, found.sentence) == (words, rule, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Some people say it can help.",
        "I'm so happy for you!",
        "If I were you I would call her.",
        "As an AI, I don't have a dog.",
        'You told me "I lost my job" and went quiet.',
        "My heart goes out to you.",
        "I'd love to hear more.",
        "",
        "👍",
    ],
)
def test_what_is_no_claim_of_an_own_life_is_left_alone(sentence: str) -> None:
    assert find(sentence) == ()


def test_each_sentence_counts_once_and_evidence_lists_the_words() -> None:
    text = "I had a dog. My dog was old and I cried. That is sad."
    batch = Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text)], tokens="ptb")
    scored = metrics.build("fallacies").metric.score(batch)
    assert scored["count"] == [2]
    assert scored["evidence"][0].startswith("i had (own past); ")
    empty = Batch([Response(id="r", system="s", dialogue="d", turns=(), text="I see.")], tokens="ptb")
    assert metrics.build("fallacies").metric.score(empty) == {"count": [0], "evidence": [None]}


def one_after_the_other(sentence: str) -> tuple[str, str] | None:
    """The published order: exceptions first, then each rule on each clause."""
    rules = fallacies._rules()
    for clause in fallacies._clauses(sentence):
        if not any(pattern.search(clause) for pattern in rules.exceptions):
            for rule, pattern in rules.rules:
                if match := pattern.search(rules.harmless.sub(" ", clause)):
                    return match.group().strip(), rule
    return None


def test_looking_for_any_rule_first_finds_what_all_rules_one_after_the_other_find() -> None:
    for sentence, _ in [*sentences("dev"), *sentences("test")]:
        expected = one_after_the_other(sentence)
        claims = [claim for clause in fallacies._clauses(sentence) if (claim := fallacies._claim(clause))]
        assert (claims[0] if claims else None) == expected


def test_a_response_is_only_read_if_it_speaks_of_itself_and_loses_nothing_by_it() -> None:
    texts = [sentence for sentence, _ in sentences("dev")]
    texts += [f'He said "my dog"\u00a0and left. {text}' for text in texts] + [text.upper() for text in texts]
    batch = Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text) for text in texts])
    assert metrics.build("fallacies").metric.score(batch)["count"] == [len(find(text)) for text in texts]
    assert not any(find(text) for text in texts if not fallacies.speaks_of_itself(text))
