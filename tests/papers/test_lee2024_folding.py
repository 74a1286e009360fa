"""The authors' folding against the values their own files give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.metrics.text import words
from empathic.metrics.trie import shape
from empathic.papers.lee2024_folding import published_shape

NUMBERS = ("templates", "span_types", "total_nodes", "root_children", "unfolded_nodes", "start_words")


@pytest.mark.parametrize("system", ["cem", "trs", "moel", "care", "emocause", "human"])
def test_the_authors_recipe_is_reproduced_exactly(shared: Path, system: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["table2"][system]
    answers = json.loads((shared / "data" / "lee2024" / f"{system}_responses.json").read_text())
    folded = [words(answer[expected["field_folded"]]) for answer in answers]
    found = published_shape(folded, [words(answer["response"]) for answer in answers])
    assert {name: getattr(found, name) for name in NUMBERS} == {
        name: expected["authors_recipe"][name] for name in NUMBERS
    }


def test_a_span_is_also_replaced_in_parts_of_words_of_a_response_that_holds_it() -> None:
    rows = [text.split() for text in ("i hope you do . i hope your boss is nice", "i hope you win")]
    by_strings, by_tokens = published_shape(rows, rows), shape(rows)
    assert by_tokens.span_types == 2  # "i hope", then "<1> you"
    assert by_strings.span_types == 3  # the same, and the malformed token that was "<1> your"


def test_without_parts_of_words_both_foldings_agree() -> None:
    rows = [text.split() for text in ("a b c", "a b d", "c a b")]
    by_strings, by_tokens = published_shape(rows, rows), shape(rows)
    assert {name: getattr(by_strings, name) for name in NUMBERS} == {name: getattr(by_tokens, name) for name in NUMBERS}
