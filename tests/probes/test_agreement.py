"""Text and log-probabilities: how far both ways of reading a choice agree."""

from __future__ import annotations

import pytest
from sklearn.metrics import cohen_kappa_score

from empathic.probes.agreement import estimates, kappa
from empathic.probes.measured import Measured


def row(metric: str, response: str, position: int | None) -> Measured:
    return Measured(
        system="s", probe="p", template="t", levels={}, metric=metric, value=0.0, response=response, position=position
    )


def test_the_share_counts_replies_that_were_read_both_ways() -> None:
    rows = [row("ce", "1", 0), row("ce", "2", 1), row("ce", "3", None), row("ce.logprob", "1", 0)]
    (found,) = estimates([*rows, row("ce.logprob", "2", 4), row("ce.logprob", "3", 1)])
    assert (found.value, found.n) == (0.5, 2)


def test_kappa_is_that_of_scikit_learn() -> None:
    pairs = [(0, 0), (1, 1), (2, 1), (3, 3), (0, 4), (0, 0), (2, 2)]
    assert kappa(pairs) == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)))
    assert kappa([(1, 1), (1, 1)]) is None


def test_without_log_probabilities_the_estimate_says_so() -> None:
    (found,) = estimates([row("ce", "1", 0)])
    assert found.missing == "the system gives no log-probabilities"
    (found,) = estimates([row("ce", "1", None), row("ce.logprob", "1", 2)])
    assert found.missing == "no reply was read both ways"
