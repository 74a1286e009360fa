from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.metrics import trie
from empathic.metrics.folding import fold
from empathic.metrics.text import words

RESPONSES = [
    text.split()
    for text in (
        "i am sorry to hear that .",
        "i am sorry to hear that . are you ok ?",
        "i am glad to hear that !",
        "that is great !",
        "that is great news !",
    )
]


def test_the_size_of_a_trie_is_its_different_beginnings_and_the_root() -> None:
    assert trie.size([["a", "b"], ["a", "c"], ["a", "b"], []]) == trie.Size(nodes=4, children=1, spans=0)
    assert trie.size([[0, "a"], [0, 1], ["b", 1]]) == trie.Size(nodes=6, children=2, spans=3)
    assert trie.size([]) == trie.Size(nodes=1, children=0, spans=0)


def test_the_shapes_of_the_fixtures(shared: Path) -> None:
    fixtures = json.loads((shared / "reference" / "lee.json").read_text())["toy_fixtures"]
    for name, fixture in fixtures.items():
        found = trie.shape([text.split() for text in fixture["responses"]])
        assert found.total_nodes == fixture["trie_nodes_incl_root"], name
        assert found.unfolded_nodes == fixture["unfolded_trie_nodes_incl_root"], name
        assert found.root_children == fixture["root_children"], name
        assert found.start_words == fixture["start_words"], name


@pytest.mark.parametrize(
    "name", ["human:response", "trs:response", "moel:beam_search", "emocause:response", "cem:response", "care:response"]
)
def test_table_2_equals_the_token_level_reference_exactly(shared: Path, name: str) -> None:
    expected = json.loads((shared / "reference" / "lee.json").read_text())["table2_by_decoding_clean"][name]
    system, _, field = name.partition(":")
    answers = json.loads((shared / "data" / "lee2024" / f"{system}_responses.json").read_text())
    found = trie.shape([words(answer[field]) for answer in answers])
    assert found.templates == expected["templates"]
    assert found.span_types == expected["span_types"] == expected["folds"]
    assert found.span_nodes == expected["span_trie_nodes"]
    assert found.total_nodes == expected["total_nodes"]
    assert found.root_children == expected["root_children"]
    assert found.unfolded_nodes == expected["unfolded_nodes"]
    assert found.start_words == expected["start_words"]
    assert round(100 * found.compression, 2) == expected["compression_pct"]


def test_the_tree_shows_spans_in_words_and_frequent_branches_first() -> None:
    root = trie.tree(fold(RESPONSES), least=1, depth=2)
    assert root.count == 5
    assert [(node.text, node.count, node.span) for node in root.children] == [
        ("i am sorry to hear that .", 2, True),
        ("that is great", 2, True),
        ("i", 1, False),
    ]
    assert [node.text for node in root.children[1].children] == ["!", "news"]
    assert trie.tree(fold(RESPONSES), least=2, depth=1).children[0].children == ()


def test_frequent_spans_and_templates_are_written_out() -> None:
    folded = fold(RESPONSES)
    assert trie.frequent_spans(folded, 1) == [trie.Frequent(text="i am sorry to hear that .", count=2)]
    assert trie.frequent_templates(folded, 2)[0].text == "[i am sorry to hear that .]"
    assert len(trie.frequent_templates(folded, 99)) == 5
