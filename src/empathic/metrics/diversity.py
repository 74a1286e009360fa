"""All responses of a system become the shape of their response trie (Lee et al. 2024, §5.4), and that at equal N."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from empathic.contracts import Column, Missing, Texts, Value
from empathic.metrics.trie import Shape, shape
from empathic.registry import register

CAUTION = (
    "depends on the number of responses and on the decoding (beam, greedy, top-k): compare at equal N and decoding "
    "only; `rarefaction` does the former"
)


def _values(found: Shape) -> dict[str, float]:
    return {
        "templates": found.templates,
        "templates_share": found.templates / found.responses,
        "span_types": found.span_types,
        "span_nodes": found.span_nodes,
        "total_nodes": found.total_nodes,
        "span_types_share": found.span_types / found.total_nodes,
        "span_nodes_share": found.span_nodes / found.total_nodes,
        "root_children": found.root_children,
        "unfolded_nodes": found.unfolded_nodes,
        "compression": found.compression,
        "start_words": found.start_words,
    }


@register("metric", "diversity")
class Diversity:
    """Shape of the response trie: templates, spans, nodes, compression, start words (Lee et al. 2024).

    Repeated spans are folded (see `folding`), then a trie is built of what is left. Published "span nodes" are
    `span_types`; nodes of the trie that are spans are `span_nodes`. Compression = nodes after / before folding.
    """

    caution = CAUTION
    in_order = True  # among equally heavy spans the first one is folded
    columns = (
        Column(name="templates", low=1, better="higher", summary="different folded responses"),
        Column(name="templates_share", low=0, high=1, better="higher", summary="templates / responses"),
        Column(name="span_types", low=0, better="lower", summary="different spans"),
        Column(name="span_nodes", low=0, better="lower", summary="nodes of the trie that are spans"),
        Column(name="total_nodes", low=1, better="higher", summary="nodes of the trie, with its root"),
        Column(name="span_types_share", low=0, better="lower", summary="span_types / total_nodes, as published"),
        Column(
            name="span_nodes_share", low=0, high=1, better="lower", summary="span_nodes / total_nodes, as described"
        ),
        Column(name="root_children", low=0, better="higher", summary="children of the root"),
        Column(name="unfolded_nodes", low=1, summary="nodes before folding"),
        Column(name="compression", low=0, high=1, better="higher", summary="total_nodes / unfolded_nodes"),
        Column(name="start_words", low=0, better="higher", summary="different first words"),
    )

    def gather(self, batch: Texts) -> list[str]:
        """The words of each response, joined by blanks."""
        return [" ".join(words) for words in batch.words]

    def finish(self, gathered: Sequence[list[str]]) -> Mapping[str, Value]:
        """Fold all responses together."""
        return _values(shape([text.split(" ") for texts in gathered for text in texts]))


@register("metric", "rarefaction")
class Rarefaction:
    """Diversity at equal N: mean and 95 % range over random subsamples of n responses (without replacement).

    The range is that of the subsamples (2.5th and 97.5th percentile), not an interval for a population.
    """

    default = False  # folds `samples` times
    in_order = True  # which responses are drawn depends on their order
    names = ("templates_share", "span_nodes_share", "compression", "start_words")
    columns = tuple(
        Column(name=f"{name}{suffix}", low=0, better="human") for name in names for suffix in ("", ".low", ".high")
    )

    def __init__(self, *, n: int = 1000, samples: int = 20, seed: int = 0) -> None:
        self.n, self.samples, self.seed = n, samples, seed

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"n": self.n, "samples": self.samples, "seed": self.seed}

    def gather(self, batch: Texts) -> list[str]:
        """The words of each response, joined by blanks."""
        return [" ".join(words) for words in batch.words]

    def finish(self, gathered: Sequence[list[str]]) -> Mapping[str, Value]:
        """Fold every subsample."""
        texts = [text for texts in gathered for text in texts]
        if len(texts) < self.n:
            reason = Missing(reason=f"there are {len(texts)} responses, rarefaction.n is {self.n}")
            return {column.name: reason for column in self.columns}
        generator = np.random.default_rng(self.seed)
        drawn = [generator.choice(len(texts), self.n, replace=False) for _ in range(self.samples)]
        found = [_values(shape([texts[place].split(" ") for place in sorted(sample)])) for sample in drawn]
        return {name: value for key in self.names for name, value in _range(key, [one[key] for one in found])}


def _range(name: str, values: Sequence[float]) -> list[tuple[str, float]]:
    low, high = np.percentile(values, (2.5, 97.5))
    return [(name, float(np.mean(values))), (f"{name}.low", float(low)), (f"{name}.high", float(high))]
