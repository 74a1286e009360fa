"""Folding against the published procedure done by hand, and against the traces of the released responses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empathic.errors import InputError
from empathic.metrics import folding
from empathic.metrics.folding import Folded, fold
from empathic.metrics.text import words

SYSTEMS = ["human", "trs", "moel", "moel:decoder_greedy", "moel:beam_search", "emocause", "cem", "care"]


def by_hand(responses: Sequence[Sequence[str]]) -> Folded:
    """The procedure word by word: count all n-grams, replace the heaviest, again."""
    rows: list[list[str | int]] = [list(response) for response in responses]
    spans: list[folding.Span] = []
    while (best := heaviest(rows)) is not None:
        gram, count = best
        rows = [replaced(row, gram, len(spans)) for row in rows]
        spans.append(folding.Span(gram, count))
    return Folded(spans, [tuple(row) for row in rows])


def heaviest(rows: list[list[str | int]]) -> tuple[tuple[str | int, ...], int] | None:
    found: dict[tuple[str | int, ...], list[int]] = {}
    for number, row in enumerate(rows):
        for low in range(len(row)):
            for high in range(low + 2, len(row) + 1):
                found.setdefault(tuple(row[low:high]), [0, number, low])[0] += 1
    keys = [(-len(gram) * count, len(gram), number, low, gram, count) for gram, (count, number, low) in found.items()]
    best = min((key for key in keys if key[5] >= 2), key=lambda key: key[:4], default=None)
    return None if best is None else (best[4], best[5])


def replaced(row: list[str | int], gram: tuple[str | int, ...], number: int) -> list[str | int]:
    result: list[str | int] = []
    place = 0
    while place < len(row):
        hit = tuple(row[place : place + len(gram)]) == gram
        result.append(number if hit else row[place])
        place += len(gram) if hit else 1
    return result


corpora = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=10), max_size=8) | st.lists(
    st.lists(st.sampled_from("ab"), max_size=14), max_size=6
)


@settings(max_examples=1500, deadline=None)
@given(corpora, st.sampled_from([0, 1, 4, 1000]))
def test_folding_is_exact_however_often_the_repeats_are_found_afresh(responses: list[list[str]], patience: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "PATIENCE", patience)
        assert fold(responses) == by_hand(responses)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=12, max_size=30), st.data())
def test_near_duplicates_are_folded_exactly(base: list[str], data) -> None:
    copies = []
    for _ in range(data.draw(st.integers(2, 5))):
        copy = list(base)
        copy[data.draw(st.integers(0, len(base) - 1))] = data.draw(st.sampled_from("xyz"))
        copies.append(copy)
    assert fold([*copies, copies[0]]) == by_hand([*copies, copies[0]])


def test_unfolding_gives_the_responses_back() -> None:
    responses = [text.split() for text in ("a b c a b c", "a b c d", "b c d a", "d")]
    folded = fold(responses)

    def unfold(part):
        return [word for inner in folded.spans[part].content for word in unfold(inner)] if part in range(9) else [part]

    assert [[word for part in template for word in unfold(part)] for template in folded.templates] == responses


def test_the_fixtures_checked_by_brute_force_pass(shared: Path) -> None:
    fixtures = json.loads((shared / "reference" / "lee.json").read_text())["toy_fixtures"]
    for name, fixture in fixtures.items():
        folded = fold([text.split() for text in fixture["responses"]])
        assert named(folded.templates) == fixture["templates"], name
        spans = [
            {"tokens": named([span.content])[0], "count": span.count, "weight": span.weight} for span in folded.spans
        ]
        assert spans == fixture["spans"], name


def named(rows: Sequence[Sequence[str | int]]) -> list[list[str]]:
    return [[f"<span_{part + 1}>" if isinstance(part, int) else part for part in row] for row in rows]


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_folds_of_the_released_responses_equal_the_stored_traces(shared: Path, name: str) -> None:
    trace = json.loads((shared / "reference" / "lee.json").read_text())["fold_traces_clean_token_level"]["systems"][
        name
    ]
    system, _, field = name.partition(":")
    answers = json.loads((shared / "data" / "lee2024" / f"{system}_responses.json").read_text())
    responses = [words(answer[field or "response"]) for answer in answers]
    folded = fold(responses)
    assert digest(responses) == trace["sha256_input_tokens"]
    assert digest(named(folded.templates)) == trace["sha256_templates"]
    assert digest(named([span.content for span in folded.spans])) == trace["sha256_hashmap_values"]
    assert digest([[len(span.content), span.count] for span in folded.spans]) == trace["sha256_trace"]


def test_more_different_words_than_there_are_code_points_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "SYMBOLS", 4)
    with pytest.raises(InputError, match="fold fewer responses"):
        fold([["a", "b", "c", "d"]])
    with pytest.raises(InputError, match="words and spans"):
        fold([["a", "b", "c"], ["a", "b", "a"], ["c", "a", "b"], ["c", "b"], ["c", "b"], ["a", "b"]])
