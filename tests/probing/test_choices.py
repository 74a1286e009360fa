"""What the places of the answers did, from measured choices."""

from __future__ import annotations

import random

from empathic.probes.measured import Measured
from empathic.probes.orders import rotations
from empathic.probing.choices import estimates
from empathic.records import Estimate

KINDS = ("empathetic", "sympathetic", "affective", "indifferent", "distressed")


def chosen(love: float, seed: int = 1) -> list[Measured]:
    """Sixty probes in five orders; A is said with probability `love`, else the keyed answer nine times in ten."""
    chance, rows = random.Random(seed), []
    for probe in range(60):
        for order, shown in enumerate(rotations(range(5))[:5]):
            keyed = shown.index(0)
            place = 0 if chance.random() < love else keyed if chance.random() < 0.9 else chance.randrange(5)
            rows.append(Measured(
                system="s", probe=f"p{probe}", template=f"t{probe % 6}", levels={}, metric="ce", order=order,
                value=float(place == keyed), chosen=KINDS[shown[place]], position=place, keyed=keyed, outcome="ok",
            ))  # fmt: skip
    return rows


def by_kind(rows: list[Measured]) -> dict[str, Estimate]:
    return {one.labels["kind"]: one for one in estimates(rows, seed=1)}


def test_a_love_of_the_first_letter_is_found_and_taken_out() -> None:
    found = by_kind(chosen(0.4))
    assert found["letters"].p is not None and found["letters"].p < 0.01
    assert found["accuracy"].value is not None and found["accuracy"].value > found["accuracy"].details["raw"]
    assert found["letters"].labels["system"] == "s"


def test_a_system_that_minds_no_place_is_not_accused() -> None:
    found = by_kind(chosen(0.0))
    assert found["letters"].p is not None and found["letters"].p > 0.05
    assert found["consistency"].value is not None and found["consistency"].value > 0.8


def test_a_system_that_chose_nothing_is_told_of_with_the_reason() -> None:
    refused = Measured(system="s", probe="p", template="t", levels={}, metric="ce", value=None, missing="refusal")
    assert all(one.missing for one in estimates([refused], seed=1))
