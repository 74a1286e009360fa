"""Folded responses become their response trie: its size, its shape, and a tree to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from empathic.metrics.folding import Folded, fold
from empathic.records import Record

Symbol = str | int


class Shape(Record, frozen=True):
    """The numbers of Table 2 in Lee et al. (2024), and what they were computed from.

    `span_types` counts different spans (the published "span nodes"); `span_nodes` counts nodes of the trie that are
    spans (what the paper describes): two different numbers. Nodes include the root, not the end marks.
    """

    responses: int
    templates: int
    span_types: int
    span_nodes: int
    total_nodes: int
    root_children: int
    unfolded_nodes: int
    start_words: int

    @property
    def compression(self) -> float:
        """Nodes after folding / nodes before."""
        return self.total_nodes / self.unfolded_nodes


class Size(NamedTuple):
    """A trie counted: nodes with the root, children of the root, nodes that are spans."""

    nodes: int
    children: int
    spans: int


def shape(responses: Sequence[Sequence[str]], folded: Folded | None = None) -> Shape:
    """The shape of the response trie of token sequences."""
    folded = fold(responses) if folded is None else folded
    before, after = size(responses), size(folded.templates)
    return Shape(
        responses=len(responses),
        templates=len(set(folded.templates)),
        span_types=len(folded.spans),
        span_nodes=after.spans,
        total_nodes=after.nodes,
        root_children=after.children,
        unfolded_nodes=before.nodes,
        start_words=before.children,
    )


def size(sequences: Sequence[Sequence[Symbol]]) -> Size:
    """How many nodes a trie of the sequences has: one per different beginning, and the root."""
    numbers: dict[Symbol, int] = {}
    rows = {tuple(numbers.setdefault(symbol, len(numbers)) for symbol in sequence) for sequence in sequences}
    spans = {number for symbol, number in numbers.items() if isinstance(symbol, int)}
    nodes = children = span_nodes = 0
    before: tuple[int, ...] = ()
    for row in sorted(rows):
        new = row[_shared(before, row) :]
        nodes += len(new)
        children += len(new) == len(row) > 0
        span_nodes += sum(map(spans.__contains__, new))
        before = row
    return Size(nodes + 1, children, span_nodes)


def _shared(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    place = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        place += 1
    return place


class Node(Record, frozen=True):
    """One step of the tree: a word or a span (written out), and how many responses go through it."""

    text: str
    count: int
    span: bool = False
    children: tuple[Node, ...] = ()


def tree(folded: Folded, *, least: int = 2, depth: int = 3) -> Node:
    """The trie of templates as a tree: branches at least `least` responses take, `depth` steps deep."""
    spans = span_texts(folded)
    return Node(
        text="",
        count=len(folded.templates),
        children=tuple(_branches(Counter(folded.templates), spans, least, depth)),
    )


def _branches(templates: Counter[tuple[Symbol, ...]], spans: Sequence[str], least: int, depth: int) -> Iterator[Node]:
    heads: dict[Symbol, Counter[tuple[Symbol, ...]]] = {}
    for template, count in templates.items():
        if template:
            heads.setdefault(template[0], Counter())[template[1:]] += count
    ordered = sorted(heads.items(), key=lambda item: (-item[1].total(), str(item[0])))
    for symbol, rest in ordered if depth else ():
        if rest.total() >= least:
            text = spans[symbol] if isinstance(symbol, int) else symbol
            inner = tuple(_branches(rest, spans, least, depth - 1))
            yield Node(text=text, count=rest.total(), span=isinstance(symbol, int), children=inner)


def span_texts(folded: Folded) -> list[str]:
    """Each span written out in words."""
    texts: list[str] = []
    for span in folded.spans:
        texts.append(" ".join(texts[part] if isinstance(part, int) else part for part in span.content))
    return texts


class Frequent(Record, frozen=True):
    """A span or a template, and how often it occurs."""

    text: str
    count: int


def frequent_spans(folded: Folded, top: int) -> list[Frequent]:
    """The spans that were folded with the greatest weight, written out."""
    texts = span_texts(folded)
    order = sorted(range(len(texts)), key=lambda place: (-folded.spans[place].weight, place))
    return [Frequent(text=texts[place], count=folded.spans[place].count) for place in order[:top]]


def frequent_templates(folded: Folded, top: int) -> list[Frequent]:
    """The templates most responses share, spans in brackets."""
    texts = span_texts(folded)
    found = Counter(folded.templates).most_common()
    ordered = sorted(found, key=lambda item: -item[1])[:top]
    return [Frequent(text=_written(template, texts), count=count) for template, count in ordered]


def _written(template: Sequence[Symbol], texts: Sequence[str]) -> str:
    return " ".join(f"[{texts[part]}]" if isinstance(part, int) else part for part in template)
