"""Original checkpoints, by path, become levels: EPITOME's RoBERTa bi-encoders (0–2) and PAIR's cross-encoder (0–1).

EPITOME (Sharma et al. 2020): two RoBERTa encoders, of the seeker's post S and the response R; at R's first token

    h = R₀ + out(softmax(q(R₀) · k(S)ᵀ / √d) · v(S)),   logits = out_proj(relu(dense(h)))

The attention has no mask and training padded S to 64 tokens, so padding is part of the model (`padding="train"`); a
known wrapper pads only to the longest of its batch (`padding="wrapper"`). Post and response end at 64 tokens: a longer
response is scored in windows of whole sentences, and the highest expected level counts. PAIR (Min et al. 2022) reads
prompt and response together: sigmoid(l2(elu(l1(first token)))). The checkpoints' licences forbid passing them on.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from empathic import files, parts
from empathic.errors import InputError, SettingError
from empathic.metrics.ragged import Floats
from empathic.metrics.text import sentences

LONGEST = 64  # tokens, as in training
BATCH = 16
PADDINGS = ("train", "wrapper")
Tensors = dict[str, Any]


class Epitome:
    """One EPITOME checkpoint: `levels(posts, responses)` are expected levels."""

    def __init__(self, checkpoint: Path, base: Path, *, padding: str = "train") -> None:
        if padding not in PADDINGS:
            raise SettingError(f"padding is '{padding}'; it can be {' or '.join(PADDINGS)}.")
        self.padding, self.torch = padding, parts.need("torch")
        self.tokenizer, config = _base(base)
        found, self.checkpoint = _tensors(checkpoint), files.sha256(checkpoint)[:8]
        self.seeker = _encoder(config, found, "seeker_encoder.roberta.", checkpoint)
        self.responder = _encoder(config, found, "responder_encoder.roberta.", checkpoint)
        self.head = _part(found, ("attn.", "empathy_classifier."), checkpoint)

    def levels(self, posts: Sequence[str], responses: Sequence[str]) -> Floats:
        """Expected levels; of a response with several windows the highest."""
        cut = [list(windows(text, self._length)) for text in responses]
        flat = [(post, window) for post, own in zip(posts, cut, strict=True) for window in own]
        scored = np.concatenate([self._expected(flat[at : at + BATCH]) for at in range(0, len(flat), BATCH)])
        starts = np.cumsum([0, *(len(own) for own in cut[:-1])])
        return np.asarray(np.maximum.reduceat(scored, starts), dtype=np.float64)

    def _expected(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        logits = self.logits([post for post, _ in pairs], [response for _, response in pairs])
        probability = self.torch.softmax(logits.double(), dim=-1).numpy()
        return np.asarray(probability @ np.arange(probability.shape[1]))

    def logits(self, posts: Sequence[str], responses: Sequence[str]) -> Any:
        """The logits of the levels, by the formula above."""
        linear, head = self.torch.nn.functional.linear, self.head
        with self.torch.no_grad():
            seen = self.seeker(**self._tokens(posts)).last_hidden_state
            first = self.responder(**self._tokens(responses)).last_hidden_state[:, :1]
            query, key, value = (
                linear(state, head[f"attn.{name}_linear.weight"], head[f"attn.{name}_linear.bias"])
                for state, name in ((first, "q"), (seen, "k"), (seen, "v"))
            )
            weights = self.torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
            mixed = first + linear(weights @ value, head["attn.out.weight"], head["attn.out.bias"])
            return _two_layers(
                linear, self.torch.relu, mixed[:, 0], head, "empathy_classifier.dense", "empathy_classifier.out_proj"
            )

    def _tokens(self, texts: Sequence[str]) -> Any:
        pad = "max_length" if self.padding == "train" else "longest"
        return self.tokenizer(list(texts), max_length=LONGEST, truncation=True, padding=pad, return_tensors="pt")

    def _length(self, text: str) -> int:
        return len(self.tokenizer(text)["input_ids"])


class Pair:
    """The PAIR checkpoint: `levels(prompts, responses)` are reflection levels 0–1."""

    def __init__(self, checkpoint: Path, base: Path) -> None:
        self.torch = parts.need("torch")
        self.tokenizer, config = _base(base)
        found, self.checkpoint = _tensors(checkpoint, inside="model_state_dict"), files.sha256(checkpoint)[:8]
        self.encoder = _encoder(config, found, "cross_encoder.", checkpoint)
        self.head = _part(found, ("l1.", "l2."), checkpoint)

    def levels(self, prompts: Sequence[str], responses: Sequence[str]) -> Floats:
        """The sigmoid of the score of each pair."""
        places = range(0, len(prompts), BATCH)
        scored = [self._scores(prompts[at : at + BATCH], responses[at : at + BATCH]) for at in places]
        return np.concatenate(scored)

    def _scores(self, prompts: Sequence[str], responses: Sequence[str]) -> Floats:
        tokens = self.tokenizer(list(prompts), list(responses), padding="longest", truncation=True, return_tensors="pt")
        functional = self.torch.nn.functional
        with self.torch.no_grad():
            first = self.encoder(**tokens).last_hidden_state[:, 0]
            score = _two_layers(functional.linear, functional.elu, first, self.head, "l1", "l2")
        return np.asarray(self.torch.sigmoid(score).flatten().double().numpy())


def windows(text: str, length: Any) -> Iterator[str]:
    """The text, or runs of its sentences that each fit into LONGEST tokens (a longer sentence stands alone)."""
    if length(text) <= LONGEST:
        yield text
        return
    held: list[str] = []
    for sentence in sentences(text):
        if held and length(" ".join([*held, sentence])) > LONGEST:
            yield " ".join(held)
            held = []
        held.append(sentence)
    yield " ".join(held)


def _two_layers(linear: Any, bend: Any, state: Any, head: Tensors, inner: str, outer: str) -> Any:
    hidden = bend(linear(state, head[f"{inner}.weight"], head[f"{inner}.bias"]))
    return linear(hidden, head[f"{outer}.weight"], head[f"{outer}.bias"])


def _base(folder: Path) -> tuple[Any, Any]:
    """Tokenizer and configuration of RoBERTa from a local folder; nothing is fetched."""
    transformers = parts.need("transformers")
    if not (folder / "config.json").is_file():
        raise InputError(
            "holds no config.json: give the folder of roberta-base (configuration and tokenizer)", path=folder
        )
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    return tokenizer, transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)


def _tensors(path: Path, *, inside: str | None = None) -> Tensors:
    """The tensors of a checkpoint; only tensors are read, never code."""
    files.open_binary(path).close()
    torch = parts.need("torch")
    try:
        found = torch.load(str(path), map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, ValueError, EOFError, OSError) as error:
        kind = type(error).__name__
        raise InputError(f"is no checkpoint of tensors alone that torch can read ({kind})", path=path) from error
    if inside and isinstance(found, Mapping) and inside in found:
        found = found[inside]
    return {
        name.removeprefix("module."): tensor.float() for name, tensor in dict(found).items() if hasattr(tensor, "float")
    }


def _part(found: Tensors, prefixes: Sequence[str], path: Path) -> Tensors:
    chosen = {name: tensor for name, tensor in found.items() if name.startswith(tuple(prefixes))}
    if not all(any(name.startswith(prefix) for name in chosen) for prefix in prefixes):
        raise InputError(f"has no tensors called {', '.join(prefixes)}…: it is another kind of checkpoint", path=path)
    return chosen


def _encoder(config: Any, found: Tensors, prefix: str, path: Path) -> Any:
    """A RoBERTa encoder with the tensors under a prefix; buffers that newer versions do not keep are let go."""
    own = {name.removeprefix(prefix): tensor for name, tensor in _part(found, (prefix,), path).items()}
    encoder = parts.need("transformers").AutoModel.from_config(config, add_pooling_layer=False)
    missing = [name for name in encoder.load_state_dict(own, strict=False).missing_keys if "position_ids" not in name]
    if missing:
        raise InputError(f"lacks {len(missing)} tensors of the encoder, first {prefix}{missing[0]}", path=path)
    return encoder.eval()
