"""Texts become rows of numbers: MiniLM's layers 2, 4 and 6, each averaged and maximised over the tokens of the text.

The usual sentence embedding (the last layer, averaged and normalised) is made to be blind to how something is said; the
layers below still tell "I'm sorry" from "sorry?" (Sharma et al.'s levels: accuracy .78 against .71).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from empathic import parts
from empathic.errors import MissingPart
from empathic.models import weights
from empathic.registry import register

LAYERS = ("layer_norm_4", "layer_norm_8", "last_hidden_state")  # what the graph calls the output of layers 2, 4, 6
LONGEST = 256  # word pieces, the length the model was trained with; what comes after is not seen
GRAPH, OUTPUT = 7, 12  # fields of ONNX's ModelProto and GraphProto


@register("encoder", "minilm")
class MiniLM:
    """all-MiniLM-L6-v2 (8-bit ONNX): layers 2, 4 and 6, mean and largest over the tokens, 2,304 numbers per text."""

    def __init__(self) -> None:
        runtime, tokenizers = parts.need("onnxruntime"), parts.need("tokenizers")
        if not weights.installed("minilm") or not weights.installed("minilm-tokenizer"):
            raise MissingPart("MiniLM is not on this computer. Type: empathic models add minilm")
        self.label = f"minilm@{weights.find('minilm').sha256[:8]}"
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        graph = with_outputs(weights.place("minilm").read_bytes(), LAYERS[:-1])
        self._session = runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._pieces = tokenizers.Tokenizer.from_file(str(weights.place("minilm-tokenizer")))
        self._pieces.no_padding()
        self._pieces.enable_truncation(LONGEST)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text; each text is encoded alone, so that its numbers do not depend on its company."""
        rows = {text: self._row(text) for text in dict.fromkeys(texts)}
        width = 2 * len(LAYERS) * 384
        return np.array([rows[text] for text in texts], dtype=np.float32).reshape(len(texts), width)

    def _row(self, text: str) -> NDArray[np.float32]:
        ids = np.array([self._pieces.encode(text).ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        found = [layer[0] for layer in self._session.run(list(LAYERS), given)]
        return np.concatenate([pooled for layer in found for pooled in (layer.mean(axis=0), layer.max(axis=0))])


def with_outputs(model: bytes, names: Sequence[str]) -> bytes:
    """An ONNX model that also gives the named tensors.

    In protocol buffers, a message that comes twice is merged: a second graph that holds nothing but outputs adds them.
    """
    kind = _field(1, bytes([1 << 3, 1]))  # tensor_type { elem_type: FLOAT }
    outputs = [_field(OUTPUT, _field(1, name.encode()) + _field(2, kind)) for name in names]
    return model + _field(GRAPH, b"".join(outputs))


def _field(number: int, content: bytes) -> bytes:
    """One length-delimited field of a message."""
    size, length = len(content), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + content
