from __future__ import annotations

from collections.abc import Sequence

import pytest

from empathic.errors import SettingError, UnknownName
from empathic.metrics.batch import Batch
from empathic.metrics.measure import build
from empathic.metrics.sensitivity import (
    column_scorer,
    context_sensitivity,
    read_probes,
    run_probes,
    swapped,
)
from empathic.records import Response, Turn

RESPONSES = [
    Response(id=f"r{n}", system="s", dialogue=f"d{n}", turns=(Turn(role="speaker", text=f"prompt {n}"),), text="ok")
    for n in range(8)
]


def blind(responses: Sequence[Response]) -> list[float]:
    """Looks at the response alone."""
    return [float(len(response.text or "")) for response in responses]


def reader(responses: Sequence[Response]) -> list[float | None]:
    """Looks at the prompt alone; has nothing to say about prompt 0."""
    numbers = [int(response.turns[-1].text.split()[1]) for response in responses]
    return [float(number) if number else None for number in numbers]


def test_a_measure_that_ignores_the_prompt_does_not_move() -> None:
    found = context_sensitivity(blind, RESPONSES, swaps=3, seed=1)
    assert (found.mean_change, found.flipped, found.n, found.missing) == (0, 0, 24, 0)


def test_a_measure_of_the_prompt_moves_and_counts_what_it_cannot_score() -> None:
    found = context_sensitivity(reader, RESPONSES, swaps=3, seed=1)
    assert found.mean_change is not None and found.mean_change > 1
    assert found.flipped == 1.0
    assert found.missing >= 3
    assert found.n + found.missing == 24


def test_levels_flip_by_the_step_between_them() -> None:
    def slight(responses: Sequence[Response]) -> list[float]:
        return [0.1 * (response.turns[-1].text == "prompt 3") for response in responses]

    assert context_sensitivity(slight, RESPONSES, swaps=4, step=1.0, seed=1).flipped == 0
    assert (context_sensitivity(slight, RESPONSES, swaps=4, step=0.1, seed=1).flipped or 0) > 0


def test_prompts_are_swapped_with_another_dialogue_the_same_way_for_a_seed() -> None:
    one, other = swapped(RESPONSES, seed=1), swapped(RESPONSES, seed=1)
    assert one == other
    assert all(new.turns != old.turns and new.text == old.text for new, old in zip(one, RESPONSES, strict=True))


def test_one_dialogue_alone_cannot_be_swapped() -> None:
    with pytest.raises(SettingError, match="at least two dialogues"):
        context_sensitivity(blind, RESPONSES[:1], seed=1)


def test_a_measure_that_counts_sorry_is_fooled_by_every_sorry() -> None:
    def sorry(responses: Sequence[Response]) -> list[float]:
        return [2.0 * ("sorry" in (response.text or "").lower()) for response in responses]

    found = {result.id: result for result in run_probes(sorry, read_probes("er"))}
    assert found["negated-sorry"].fooled and found["late-reply"].fooled and found["sorry-but"].fooled
    assert found["negated-sorry"].value == found["negated-sorry"].genuine == 2.0


def test_a_measure_without_a_value_is_neither_fooled_nor_not() -> None:
    assert run_probes(lambda responses: [None] * len(responses), read_probes("er"))[0].fooled is None


def test_any_column_of_a_metric_is_a_scorer() -> None:
    assert column_scorer("length.characters")(RESPONSES[:2]) == [2.0, 2.0]
    expected = build("word_choice.v1").metric.score(Batch(RESPONSES[:1]))["intensity.difference"]
    assert column_scorer("word_choice.v1.intensity.difference")(RESPONSES[:1]) == expected
    with pytest.raises(UnknownName, match="characters"):
        column_scorer("length.charactres")
    with pytest.raises(UnknownName, match="No metric is called"):
        column_scorer("nonsense.x")


def test_probes_are_about_what_is_measured() -> None:
    assert {probe.about for probe in read_probes()} == {"er", "ip", "ex", "reflection"}
