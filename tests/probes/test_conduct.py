"""Refusals and breaks of role: the rules on labelled answers, and the figures that docs/probes.md gives."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.probes import conduct

from .making import probe

LABELLED = (Path(__file__).parent / "data" / "conduct.csv").read_text(encoding="utf-8")
ROWS = list(csv.DictReader(io.StringIO(LABELLED)))
NAMES = ("Lee", "Carl", "Jane", "Robin", "Karel", "Jana")
# precision and recall on the answers that were written after the rules and never used to change them
HELD_OUT = {
    ("en", "refusal"): (1.0, 0.87),
    ("en", "role_break"): (0.95, 1.0),
    ("cs", "refusal"): (1.0, 0.75),
    ("cs", "role_break"): (1.0, 0.91),
}


def quality(language: str, kind: str, split: str) -> tuple[float, float]:
    rows = [row for row in ROWS if row["language"] == language and row["split"] == split]
    pairs = [(conduct.find(kind, row["text"], language, NAMES) is not None, row[kind] == "1") for row in rows]
    right = sum(found and true for found, true in pairs)
    return right / sum(found for found, _ in pairs), right / sum(true for _, true in pairs)


def test_there_are_enough_labelled_answers_and_none_is_there_twice() -> None:
    assert len(ROWS) >= 500
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert sum(row["split"] == "test" for row in ROWS) >= 80


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("kind", conduct.KINDS)
def test_the_held_out_figures_are_those_of_the_docs(language: str, kind: str) -> None:
    assert quality(language, kind, "test") == pytest.approx(HELD_OUT[language, kind], abs=0.006)
    docs = (Path(__file__).parents[2] / "docs" / "probes.md").read_text(encoding="utf-8")
    precision, recall = quality(language, kind, "test")
    assert f"| {language} | {kind} | {precision:.2f} | {recall:.2f} |" in docs


@pytest.mark.parametrize("row", [row for row in ROWS if row["split"] == "dev"], ids=lambda row: row["id"])
def test_the_answers_the_rules_were_written_with_stay_right(row: dict[str, str]) -> None:
    for kind in conduct.KINDS:
        found = conduct.find(kind, row["text"], row["language"], NAMES)
        assert (found is not None) == (row[kind] == "1"), (row["text"], found)


def test_real_answers_of_the_papers_are_rarely_accused(shared: Path) -> None:
    """Read one by one: 8 of the 8 refusals and 24 of the 24 breaks of role found in these answers are such."""
    with (shared / "data" / "welivita2024" / "dataset_and_ratings.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = ("response_human", "response_chatgpt", "response_chatgpt_empathy")
    texts = [text for _, text in sorted({(name, row[name]) for row in rows for name in names if len(row[name]) > 15})]
    found = {kind: [text for text in texts if conduct.find(kind, text, "en")] for kind in conduct.KINDS}
    assert len(texts) > 5000
    assert {kind: len(hits) for kind, hits in found.items()} == {"refusal": 8, "role_break": 24}
    assert all("unable to" in text for text in found["refusal"])


def test_names_count_only_if_the_scene_knows_them() -> None:
    assert conduct.find("role_break", "Robin feels guilty.", "en", ["Robin"]) == ("third-person", "Robin feels")
    assert conduct.find("role_break", "Robin feels guilty.", "en") is None


def test_the_people_of_a_scene_are_the_names_inside_its_sentences() -> None:
    assert {"Carl", "Robin"} <= conduct.people(probe())
    assert "You" not in conduct.people(probe())


@pytest.mark.parametrize("text", ["", " ", "🙂", "\x00", "*" * 5000, "(" * 5000, "I " * 20000])
def test_odd_texts_are_neither(text: str) -> None:
    assert conduct.find("refusal", text, "en", NAMES) is None
    assert conduct.find("role_break", text, "en", NAMES) is None


def test_a_language_without_rules_is_named() -> None:
    with pytest.raises(InputError, match="'sv'; there are: cs, en"):
        conduct.find("refusal", "Hej", "sv")
