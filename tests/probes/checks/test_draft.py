"""A template under review, with its words and their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.probes import factors, pages, templates
from empathic.probes.checks.draft import Text, draft, lexicon

SCENE = Path(__file__).parent.parent / "scene_en.yaml"


def test_every_text_with_masks_is_seen_in_the_order_of_the_file() -> None:
    page = pages.read(SCENE)
    texts = list(draft(templates.from_page(page), page).texts())
    lines = [page.line(text.trail) for text in texts]
    assert lines == sorted(lines)
    assert [text.field for text in texts] == ["portrait"] * 2 + ["context"] + ["conversation"] * 4 + ["answers"] * 5


def test_a_finding_says_where_what_and_what_to_change() -> None:
    page = pages.read(SCENE)
    finding = draft(templates.from_page(page), page).finding("rule", ("context",), "violin", "it squeaks", "Tune it")
    assert str(finding) == f"{SCENE}:{finding.line}: it squeaks. Tune it. [rule]"
    assert "violin" in page.lines[finding.line - 1]


def test_what_a_rendering_shows_is_looked_for_in_the_portrait_too() -> None:
    page = pages.read(SCENE)
    under_review = draft(templates.from_page(page), page)
    finding = under_review.finding_in_context("rule", ("context",), ("nowhere", "{education}"), "what", "change")
    assert "{education}" in page.lines[finding.line - 1]


def test_a_text_that_cannot_be_parsed_has_no_pieces() -> None:
    assert Text(("context",), "{Subj").pieces == ()


@pytest.mark.parametrize("language", factors.languages())
def test_the_lists_of_words_have_no_word_twice(language: str) -> None:
    words = lexicon(language)
    for name in ("gendered", "kinship", "identity", "prepositions", "after_subject", "between", "past_marks"):
        found = getattr(words, name)
        assert len(found) == len(set(found)), name
