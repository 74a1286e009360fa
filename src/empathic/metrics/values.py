"""Numbers of a batch become one column: an array, and where there is no number, why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from empathic.contracts import Missing, Value
from empathic.metrics.ragged import Bools, Floats, Ints

NUMBERS = {float, int}  # a column of nothing else needs no second look
LARGEST = 1e290  # numbers above it could overflow on their way to the sum


class Values(Sequence[Value]):
    """A sequence of values held as an array, so that a table is filled without a look at each of them.

    `why` is 0 where the number is there, k where it is missing for the k-th of the `reasons`.
    """

    def __init__(self, numbers: NDArray[Any], why: Ints | None = None, reasons: Sequence[Missing] = ()) -> None:
        self.numbers: Floats = np.asarray(numbers, dtype=np.float64)
        self.why = why
        self.reasons = reasons

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Value: ...

    @overload
    def __getitem__(self, place: slice) -> list[Value]: ...

    def __getitem__(self, place: int | slice) -> Value | list[Value]:
        return self.tolist()[place]

    def __iter__(self) -> Iterator[Value]:
        return iter(self.tolist())

    def __eq__(self, other: object) -> bool:
        return self.tolist() == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # like a list

    def tolist(self) -> list[Value]:
        """Numbers and reasons, one after the other."""
        found: list[Value] = self.numbers.tolist()
        if self.why is not None:
            for place in np.flatnonzero(self.why).tolist():
                found[place] = self.reasons[self.why[place] - 1]
        return found


def where(present: Bools, numbers: Floats, reason: Missing) -> Values:
    """The numbers where they are present, elsewhere the reason why not."""
    return Values(numbers) if present.all() else Values(numbers, (~present).astype(np.int64), (reason,))


def gather(found: Sequence[Value], otherwise: Missing) -> Values:
    """A list of numbers, reasons and None as one column; `otherwise` is the reason of a None."""
    if set(map(type, found)) <= NUMBERS:
        return Values(np.array(found, dtype=np.float64))
    absent = [place for place, value in enumerate(found) if value is None or isinstance(value, Missing)]
    numbers, why = list(found), np.zeros(len(found), dtype=np.int64)
    reasons: dict[Missing, int] = {}
    for place in absent:
        value = found[place]
        why[place] = reasons.setdefault(value if isinstance(value, Missing) else otherwise, len(reasons) + 1)
        numbers[place] = 0.0
    return Values(np.array(numbers, dtype=np.float64), why, tuple(reasons))


def exact_sums(rows: Floats) -> list[float]:
    """The correctly rounded sum of each row, as `math.fsum` gives it, without a look at each number.

    Adding and taking away σ ≥ 2n · max|x| (a power of two) leaves of each x its upper part, a multiple of ulp(σ) / 2;
    such parts add up without error in any order. What is left of the x is treated in the same way until it is 0
    (Rump, Ogita & Oishi 2008, "Accurate floating-point summation", AccSum).
    """
    if not np.isfinite(rows).all() or np.abs(rows).max(initial=0.0) > LARGEST:
        return [math.fsum(row) for row in rows.tolist()]
    parts: list[Floats] = []
    while rows.any():
        exponent = np.frexp(np.abs(rows).max(axis=1))[1] + math.frexp(2 * rows.shape[1])[1]
        sigma = np.ldexp(1.0, exponent)[:, None]
        upper = (sigma + rows) - sigma
        rows = rows - upper
        parts.append(upper.sum(axis=1))
    return [math.fsum(row) for row in np.transpose(parts).tolist()] if parts else [0.0] * len(rows)
