"""A probe run's measured values and first estimates become estimates.json, and what is said of the groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from empathic import files
from empathic.probes.measured import Measured
from empathic.probes.probe import Probe
from empathic.records import Estimate
from empathic.runs import Run

MEASURED, ESTIMATES = "measured.jsonl", "estimates.json"


def write(
    run: Run,
    measured: Sequence[Measured],
    first: Sequence[Estimate],
    *,
    probes: Sequence[Probe],
    references: Mapping[str, str],
    focal: Sequence[str],
    seed: int,
) -> list[Estimate]:
    """Write the estimates of a run; `first` are those of the measuring itself, `references` the level by factor."""
    found = list(first)
    files.write_json(run.path(ESTIMATES), found)
    settings = {"focal": list(focal), "references": dict(references), "probes": len(probes), "values": len(measured)}
    run.finish("analyze", outputs=[ESTIMATES], inputs=[run.path(MEASURED)], settings=settings, seed=seed)
    return found
