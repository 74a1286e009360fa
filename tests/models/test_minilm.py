from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic.contracts import Encoder
from empathic.errors import MissingPart
from empathic.models import MiniLM
from empathic.models.minilm import with_outputs

TEXTS = ["A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby.", ""]


def test_it_is_what_the_contract_asks_for(minilm: MiniLM) -> None:
    assert isinstance(minilm, Encoder)
    assert minilm.label == "minilm@8199be6f"
    assert minilm.encode([]).shape == (0, 2304)


def test_the_last_layer_gives_the_published_similarity(minilm: MiniLM) -> None:
    last = minilm.encode(TEXTS[:3])[:, 4 * 384 : 5 * 384]  # layer 6, averaged: the sentence embedding before its norm
    food, bread, baby = last / np.linalg.norm(last, axis=1, keepdims=True)
    assert food @ bread == pytest.approx(0.7553, abs=0.01)  # the model card's tutorial, in single precision
    assert food @ baby < 0


def test_layers_are_pooled_by_mean_and_largest(minilm: MiniLM) -> None:
    rows = minilm.encode(TEXTS).reshape(len(TEXTS), 3, 2, 384)
    assert (rows[:, :, 1] >= rows[:, :, 0] - 1e-6).all()
    assert not np.allclose(rows[0, 0], rows[0, 1])
    assert not np.allclose(rows[0, 1], rows[0, 2])


def test_a_text_is_encoded_the_same_in_any_company(minilm: MiniLM) -> None:
    long = "so sorry to hear that " * 200
    together = minilm.encode([long, *TEXTS, TEXTS[0]])
    assert (together[1] == minilm.encode([TEXTS[0]])[0]).all()
    assert (together[5] == together[1]).all()
    assert (minilm.encode([long])[0] == minilm.encode([long + "and more"])[0]).all()  # beyond the longest length


def test_without_the_files_it_says_what_to_type(
    minilm: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path))
    with pytest.raises(MissingPart, match="empathic models add minilm"):
        MiniLM()


def test_outputs_are_added_as_a_second_graph_of_the_message() -> None:
    kind = b"\x12\x04\x0a\x02\x08\x01"  # type { tensor_type { elem_type: 1 } }
    output = b"\x62\x09" + b"\x0a\x01x" + kind  # output { name: "x" type … }
    assert with_outputs(b"model", ["x"]) == b"model\x3a\x0b" + output
    many = with_outputs(b"", [f"layer_{number}" for number in range(20)])
    size = many[1] & 127 | many[2] << 7
    assert len(many) == 3 + size
