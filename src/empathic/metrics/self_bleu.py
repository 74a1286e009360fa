"""All responses of a system become their self-BLEU: how well each is predicted by the others (Zhu et al. 2018).

Exact, in one pass: BLEU clips an n-gram's count at its largest count in any *other* response, which is the largest or
(for the response that holds the largest) the second largest over all. The brevity penalty takes the closest length.
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from empathic.contracts import Column, Missing, Texts, Value
from empathic.registry import register

ORDER = 4
Grams = Counter[tuple[str, ...]]


@register("metric", "self_bleu")
class SelfBleu:
    """Self-BLEU-4: mean BLEU of each response against all others of the system, add-one smoothed (Zhu et al. 2018).

    Smoothing: (matches + 1) / (total + 1) for n > 1 (Lin & Och 2004). Rises with the number of responses.
    """

    caution = "rises with the number of responses: compare at equal N only"
    columns = (Column(low=0, high=1, better="human", summary="1: every response repeats others"),)

    def gather(self, batch: Texts) -> list[str]:
        """The words of each response, joined by blanks."""
        return [" ".join(words) for words in batch.words]

    def finish(self, gathered: Sequence[list[str]]) -> Mapping[str, Value]:
        """The mean over responses."""
        rows = [text.split(" ") for texts in gathered for text in texts]
        if len(rows) < 2:
            return {"": Missing(reason="there is one response: nothing to compare it with")}
        return {"": self_bleu(rows)}


def self_bleu(rows: Sequence[Sequence[str]]) -> float:
    """Mean over rows of BLEU against all other rows."""
    grouped = Counter(map(tuple, rows))
    grams = {row: _grams(row) for row in grouped}
    largest = _two_largest(grams, grouped)
    lengths = sorted(map(len, rows))
    return math.fsum(_bleu(row, grams[row], largest, lengths) * count for row, count in sorted(grouped.items())) / len(
        rows
    )


def _grams(row: tuple[str, ...]) -> Grams:
    found: Grams = Counter()
    for size in range(1, ORDER + 1):
        found.update(zip(*(row[start:] for start in range(size)), strict=False))
    return found


def _two_largest(
    grams: Mapping[tuple[str, ...], Grams], grouped: Counter[tuple[str, ...]]
) -> dict[tuple[str, ...], list[int]]:
    """n-gram → its largest and second largest count in any one response."""
    largest: dict[tuple[str, ...], list[int]] = {}
    for row, found in grams.items():
        again = grouped[row] > 1
        for gram, count in found.items():
            pair = largest.setdefault(gram, [0, 0])
            if count > pair[0]:
                pair[0], pair[1] = count, count if again else pair[0]
            elif count > pair[1]:
                pair[1] = count
    return largest


def _bleu(
    row: tuple[str, ...], grams: Grams, largest: Mapping[tuple[str, ...], list[int]], lengths: list[int]
) -> float:
    matches, totals = [0] * ORDER, [max(0, len(row) - size + 1) for size in range(1, ORDER + 1)]
    for gram, count in grams.items():
        first, second = largest[gram]
        matches[len(gram) - 1] += min(count, second if count == first else first)
    if not matches[0]:
        return 0.0
    logs = [math.log(matches[0] / totals[0])]
    logs += [math.log((matches[size] + 1) / (totals[size] + 1)) for size in range(1, ORDER)]
    closest = _closest(lengths, len(row))
    return min(1.0, math.exp(1 - closest / len(row))) * math.exp(sum(logs) / ORDER)


def _closest(lengths: list[int], own: int) -> int:
    """The length nearest to `own` among all others (the shorter of two equally near)."""
    place = bisect.bisect_left(lengths, own)
    others = [*lengths[max(0, place - 1) : place], *lengths[place + 1 : place + 2]]
    return min(others, key=lambda length: (abs(length - own), length))
