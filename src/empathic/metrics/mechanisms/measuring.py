"""The embedded classifiers become figures of their quality, on pairs and on released data they were not fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from empathic.metrics.features import quantities
from empathic.metrics.linear import Linear
from empathic.metrics.mechanisms import epitome
from empathic.metrics.mechanisms.pairs import Pair, as_batch, read_pairs
from empathic.metrics.mechanisms.reporting import Measured
from empathic.metrics.mechanisms.training import quality_on, rows_of
from empathic.metrics.quality import Quality
from empathic.metrics.ragged import Floats
from empathic.metrics.sensitivity import Scorer, context_sensitivity
from empathic.records import Response

SWAPS = 10


def measure(models: Mapping[str, Linear], released: Path | None = None, *, seed: int = 1) -> list[Measured]:
    """Every classifier on the test split of the pairs, and (er, ip, ex) on the released EPITOME files."""
    pairs = read_pairs("test")
    rows = rows_of([pair.prompt for pair in pairs], [pair.response for pair in pairs])
    found = epitome.read(released) if released else None
    elsewhere = rows_of(found.seekers, found.responses) if found else None
    return [_measured(label, model, pairs, rows, found, elsewhere, seed) for label, model in models.items()]


def _measured(
    label: str,
    model: Linear,
    pairs: Sequence[Pair],
    rows: Floats,
    found: epitome.Released | None,
    elsewhere: Floats | None,
    seed: int,
) -> Measured:
    batch = as_batch([pair.prompt for pair in pairs], [pair.response for pair in pairs])
    step = float(model.levels[1] - model.levels[0])
    moved = context_sensitivity(scorer_of(model), batch.responses, swaps=SWAPS, step=step, seed=seed)
    outside: Quality | None = None
    if found is not None and elsewhere is not None and label in found.levels:
        outside = quality_on(model, elsewhere, found.levels[label].tolist())
    return Measured(
        label=label,
        pairs=quality_on(model, rows, [float(getattr(pair, label)) for pair in pairs]),
        epitome=outside,
        context_change=moved.mean_change or 0.0,
        context_flipped=moved.flipped or 0.0,
    )


def scorer_of(model: Linear) -> Scorer:
    """The expected level of a classifier as a scorer."""

    def scorer(responses: Sequence[Response]) -> list[float | None]:
        texts = [response.text or "" for response in responses]
        prompts = [response.turns[-1].text for response in responses]
        return [float(value) for value in model.expected(quantities(as_batch(prompts, texts)).whole())]

    return scorer
