"""Accuracy with failures as wrong and left out, and what became of the replies."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from scipy import stats

from empathic.probes.accuracy import estimates
from empathic.probes.measured import Measured
from empathic.records import Estimate


def choice(template: str, value: float | None, outcome: str = "ok", chosen: str = "empathetic") -> Measured:
    return Measured(
        system="s", probe="p", template=template, levels={}, metric="ce", value=value, outcome=outcome,
        missing="x" if value is None else None, chosen=None if value is None else chosen,
    )  # fmt: skip


def named(rows: Sequence[Estimate], name: str) -> Estimate:
    return next(row for row in rows if row.name == name)


def test_failures_count_as_wrong_and_are_left_out_beside_it() -> None:
    rows = [*[choice("a", 1.0)] * 30, *[choice("b", 1.0)] * 30, *[choice("a", None, "refusal")] * 20]
    found = estimates(rows)
    assert named(found, "ce.accuracy").value == pytest.approx(60 / 80)
    assert named(found, "ce.accuracy.excluded").value == 1.0
    assert named(found, "ce.accuracy").details["chance"] == 0.2


def test_the_interval_is_that_of_the_template_means() -> None:
    rows = [
        choice(name, value)
        for name, values in (("a", (1, 1, 0)), ("b", (1, 0, 0)), ("c", (1, 1, 1)))
        for value in values
    ]
    means = [2 / 3, 1 / 3, 1.0]
    low, _ = stats.t.interval(0.95, 2, loc=2 / 3, scale=stats.sem(means))
    found = named(estimates(rows), "ce.accuracy")
    assert (found.low, found.high) == (pytest.approx(max(0, low)), 1.0)
    assert named(estimates(rows[:3]), "ce.accuracy").low is None, "one template gives no interval"


def test_every_outcome_and_every_kind_is_counted() -> None:
    rows = [choice("a", 1.0), choice("a", 0.0, "lenient", "distressed"), choice("a", None, "ambiguous")]
    found = named(estimates(rows), "ce.read")
    assert found.value == pytest.approx(2 / 3)
    assert found.details["outcomes"] == {"ambiguous": 1, "lenient": 1, "ok": 1}
    assert found.details["kinds"] == {"distressed": 1, "empathetic": 1}


def test_when_nothing_was_chosen_the_numbers_say_so() -> None:
    found = estimates([choice("a", None, "refusal")])
    assert named(found, "ce.accuracy").value == 0.0
    assert named(found, "ce.accuracy.excluded").missing == "no answer was chosen"
    assert estimates([]) == []
