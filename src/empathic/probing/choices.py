"""Measured choices become what the places of the answers did to them, system by system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from empathic.probes.measured import Measured
from empathic.records import Estimate
from empathic.statistics import positions


def estimates(measured: Iterable[Measured], *, seed: int) -> Iterator[Estimate]:
    """Effects of places and accuracy without them, whether places matter at all, and consistency over orders."""
    by_system: dict[str, list[Measured]] = {}
    for row in measured:
        if row.metric == "ce":
            rows = by_system.setdefault(row.system, [])
            if row.position is not None:
                rows.append(row)
    for system, rows in by_system.items():
        labels = {"system": system, "metric": "ce"}
        made = positions.asks(
            [row.template for row in rows],
            [row.probe for row in rows],
            [row.position or 0 for row in rows],
            [row.keyed or 0 for row in rows],
        )
        yield from positions.position_effects(made, labels=labels)
        yield positions.letter_test(made, seed=seed, labels=labels)
        yield positions.consistency(made, [row.chosen or "" for row in rows], labels=labels)
