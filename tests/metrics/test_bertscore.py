"""Greedy matching by hand; the whole metric with a tiny model of random weights, where torch is installed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from empathic import parts
from empathic.contracts import Missing
from empathic.errors import InputError, MissingPart, SettingError
from empathic.metrics.batch import Batch
from empathic.metrics.bertscore import BertScore, Vectors, matched
from empathic.metrics.measure import build, default_names
from empathic.records import Response

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "i", "am", "sorry", "your", "dog", "died", "glad", "."]


def batch(*pairs: tuple[str, str | None]) -> Batch:
    return Batch(
        [Response(id="r", system="s", dialogue="d", turns=(), text=text, reference=other) for text, other in pairs]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (parts.present("torch") and parts.present("transformers")):
        pytest.skip("torch and transformers are not installed: pip install 'empathic[transformers]'")
    transformers, torch = parts.need("transformers"), parts.need("torch")
    place = tmp_path_factory.mktemp("bert")
    (place / "vocab.txt").write_text("\n".join(WORDS))
    transformers.BertTokenizerFast(str(place / "vocab.txt")).save_pretrained(place)
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=32
    )
    transformers.BertModel(config).save_pretrained(place)
    return place


def test_three_tokens_against_two_by_hand() -> None:
    response = np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]])
    reference = np.array([[1.0, 0.0], [1.0, 1.0]])
    half = math.sqrt(0.5)
    precision, recall = (1 + half - half) / 3, (1 + half) / 2  # best per token of the response, of the reference
    expected = (precision, recall, 2 * precision * recall / (precision + recall))
    assert matched(response, reference) == pytest.approx(expected, abs=1e-12)


def test_the_same_tokens_give_1_and_swapping_the_sides_swaps_precision_and_recall() -> None:
    draw = np.random.default_rng(7)
    one, other = draw.normal(size=(5, 8)), draw.normal(size=(3, 8))
    assert matched(one, one) == pytest.approx((1, 1, 1), abs=1e-12)
    assert matched(one, one[::-1]) == pytest.approx((1, 1, 1), abs=1e-12)  # the order does not count
    assert matched(one, other) == pytest.approx([matched(other, one)[place] for place in (1, 0, 2)], abs=1e-12)


def test_every_token_is_matched_with_its_best_as_two_loops_find_it() -> None:
    draw = np.random.default_rng(8)
    one, other = draw.normal(size=(6, 4)) + 1, draw.normal(size=(4, 4)) + 1

    def best(row: np.ndarray, rows: np.ndarray) -> float:
        return max(float(row @ each) / math.hypot(*row) / math.hypot(*each) for each in rows)

    precision = sum(best(row, other) for row in one) / len(one)
    recall = sum(best(row, one) for row in other) / len(other)
    assert matched(one, other)[:2] == pytest.approx((precision, recall), abs=1e-12)


def test_no_tokens_and_opposite_vectors_have_a_reason() -> None:
    assert all(isinstance(value, Missing) for value in matched(np.zeros((0, 2)), np.ones((1, 2))))
    precision, recall, f1 = matched(np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]]))
    assert (precision, recall) == (-1, -1)
    assert isinstance(f1, Missing)


def test_a_model_must_be_given() -> None:
    assert "bertscore" not in default_names()
    assert "§3.2" in BertScore.caution
    with pytest.raises(SettingError, match=r"--set bertscore\.model=PATH"):
        build("bertscore")


def test_a_folder_that_is_no_model_or_a_package_that_is_not_here_is_said(tmp_path: Path) -> None:
    with pytest.raises((InputError, MissingPart), match=r"config\.json|empathic\[transformers\]"):
        build("bertscore", {"model": str(tmp_path)})


def test_the_layers_of_a_real_model_are_0_to_the_last(folder: Path) -> None:
    assert Vectors(folder, -1).layer == 3
    with pytest.raises(SettingError, match="layers 0 \\(embeddings\\) to 3"):
        build("bertscore", {"model": str(folder), "layer": "4"})


def test_a_real_model_gives_one_vector_per_word_in_any_company(folder: Path) -> None:
    vectors = Vectors(folder, 2)
    alone = vectors.of(["i am sorry"])[0]
    together = vectors.of(["i am sorry", "i am sorry your dog died . i am sorry"])[0]
    assert alone.shape == (3, 16)
    assert together == pytest.approx(alone, abs=1e-5)


def test_scores_of_a_real_model(folder: Path) -> None:
    measure = build("bertscore", {"model": str(folder), "layer": "2"})
    pairs = (("i am sorry .", "i am sorry ."), ("i am glad", "your dog died ."), ("i am", None), ("i am sorry", ""))
    found = measure.metric.score(batch(*pairs))
    assert found["f1"][0] == pytest.approx(1, abs=1e-6)
    assert 0 < found["f1"][1] < found["f1"][0]
    own = Vectors(folder, 2).of(list(pairs[1]))
    assert [found[name][1] for name in ("precision", "recall", "f1")] == pytest.approx(matched(*own), abs=1e-5)
    assert found["recall"][2].reason == "there is no reference answer to this prompt"
    assert isinstance(found["recall"][3], Missing)
    assert "layer:2" in measure.signature("ptb")
