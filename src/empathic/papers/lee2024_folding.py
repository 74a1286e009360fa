"""Responses become the released templates of Lee et al. (2024): folding as their code did it, partial words included.

Their code joins a response that holds the span with blanks, replaces the span as a *string* and cuts the result into
words again. So where ". i" is folded, ". it" in the same response becomes a malformed token "span_…t". The choice of
spans is the exact greedy one; only the replacement differs. Their count of "span nodes" is that of different tokens
that begin with `span_`, reached from the templates through the spans, malformed ones included.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from empathic.metrics.folding import Folding
from empathic.metrics.text import words
from empathic.metrics.trie import Shape, size

PREFIX = "span_"


class StringFolding(Folding):
    """Folding that replaces in strings of words, in the responses that hold the span."""

    def __init__(self, rows: Sequence[tuple[str, ...]], weights: Sequence[int]) -> None:
        tokens = dict.fromkeys(token for row in rows for token in row)
        self.names = list(tokens)
        self.codes = {token: chr(code) for code, token in enumerate(tokens)}
        self.lines = [" ".join(row) for row in rows]
        strings = ["".join(map(self.codes.__getitem__, row)) for row in rows]
        super().__init__(strings, np.array(weights, np.int64), len(tokens))

    def replace(self, gram: str, mark: str, groups: list[int]) -> dict[str, list[int]]:
        """Replace in the lines; where that hit parts of words, read the words anew."""
        name = f"{PREFIX}{len(self.spans):016d}"
        self.names.append(name)
        self.codes[name] = mark
        span = " ".join(self.names[ord(sign)] for sign in gram)
        new = super().replace(gram, mark, groups)
        for group in groups:
            self.lines[group] = line = self.lines[group].replace(span, name)
            if "".join(self.codes.get(token, "") for token in words(line)) != self.strings[group]:
                for sign in self._read_again(group):
                    new.setdefault(sign, []).append(group)
        return new

    def _read_again(self, group: int) -> list[str]:
        """Take over a line that differs from its string; returns the signs that are new in it."""
        tokens = words(self.lines[group])
        string = "".join(map(self._code, tokens))
        fresh = set(string) - set(self.strings[group])
        if len(string) > len(self.strings[group]):  # a word fell apart ("sorry." before a folded "!"): counts can rise
            self.spent = self.limit + 1
        self.strings[group], self.lines[group] = string, " ".join(tokens)
        return sorted(fresh)

    def _code(self, token: str) -> str:
        if token not in self.codes:
            self.codes[token] = chr(self.used)
            self.names.append(token)
            self.used += 1
        return self.codes[token]


def published_shape(responses: Sequence[Sequence[str]], unfolded: Sequence[Sequence[str]]) -> Shape:
    """Table 2 by the authors' recipe: `responses` are folded, `unfolded` make the trie they are compared with."""
    groups: dict[tuple[str, ...], int] = {}
    for response in responses:
        groups[tuple(response)] = groups.get(tuple(response), 0) + 1
    folding = StringFolding(list(groups), list(groups.values()))
    folding.run()
    templates = [tuple(folding.names[ord(sign)] for sign in string) for string in folding.strings]
    contents = {f"{PREFIX}{place + 1:016d}": gram for place, (gram, _) in enumerate(folding.spans)}
    spans = _reached(templates, {name: [folding.names[ord(sign)] for sign in gram] for name, gram in contents.items()})
    after, before = size(templates), size(unfolded)
    return Shape(
        responses=len(responses),
        templates=len(set(templates)),
        span_types=len(spans),
        span_nodes=0,
        total_nodes=after.nodes,
        root_children=after.children,
        unfolded_nodes=before.nodes,
        start_words=before.children,
    )


def _reached(templates: Sequence[Sequence[str]], contents: dict[str, list[str]]) -> set[str]:
    """Every token that begins with `span_`, in the templates or within a span that is reached."""
    waiting = {token for template in templates for token in template if token.startswith(PREFIX)}
    reached: set[str] = set()
    while waiting:
        token = waiting.pop()
        reached.add(token)
        inner = {part for part in contents.get(token, []) if part.startswith(PREFIX)}
        waiting |= inner - reached
    return reached
