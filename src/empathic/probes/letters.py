"""The log-probabilities of a reply's tokens become the probability of each answer's letter.

The place read is the first at which a letter is the likeliest token (so words before it, "The answer is", do no harm);
spellings of one letter (`B`, ` B`, `(B`) are added up. A letter that the server did not list is given the smallest
probability it did list, which is an upper bound. Over several orders, log-probabilities are averaged answer by answer,
    s_i = (1/K) Σ_k ln p_k(answer i),   p_i = exp s_i / Σ_j exp s_j,
which removes whatever a letter or a place adds to the logarithm when every answer stood everywhere equally often.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from empathic.contracts import Missing
from empathic.probes.asking import LETTERS

Place = Mapping[str, float]
NOT_GIVEN = Missing(reason="the system gives no log-probabilities")
NO_LETTER = Missing(reason="no letter was the likeliest token anywhere in the reply")
_BARE = re.compile(r"[\s\"'(\[*_`▁Ġ]*([A-Z])[\s)\].:*_`\"']*")
_WORD = re.compile(r"[\s▁Ġ]+\w")


def letter_logprobs(tokens: Sequence[Place] | None, n: int) -> tuple[float, ...] | Missing:
    """ln p of each of n letters, place by place of the question, normalised to a sum of 1."""
    if not tokens:
        return NOT_GIVEN
    for index, place in enumerate(tokens):
        likeliest = max(place, key=lambda token: place[token], default="")
        if _letter(likeliest, n) is not None and not _goes_on(likeliest, tokens[index + 1 : index + 2]):
            return normalised(_found(place, n))
    return NO_LETTER


def averaged(scores: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The mean of each answer's log-probability over the orders, normalised to a sum of 1."""
    return normalised([math.fsum(column) / len(scores) for column in zip(*scores, strict=True)])


def normalised(scores: Sequence[float]) -> tuple[float, ...]:
    """ln p with Σ p = 1."""
    top = max(scores)
    total = top + math.log(math.fsum(math.exp(score - top) for score in scores))
    return tuple(score - total for score in scores)


def _found(place: Place, n: int) -> list[float]:
    floor = min(place.values())
    sums = [0.0] * n
    for token, logprob in place.items():
        letter = _letter(token, n)
        if letter is not None:
            sums[letter] += math.exp(logprob)
    return [math.log(value) if value > 0 else floor for value in sums]


def _letter(token: str, n: int) -> int | None:
    match = _BARE.fullmatch(token)
    number = LETTERS.index(match[1]) if match else n
    return number if number < n else None


def _goes_on(token: str, following: Sequence[Place]) -> bool:
    """Whether a likely "A" is the word: another word follows it on the same line."""
    if _letter(token, 1) is None or not following or not following[0]:
        return False
    after = max(following[0], key=lambda other: following[0][other])
    return _WORD.match(after) is not None and "\n" not in after
