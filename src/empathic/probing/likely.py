"""Probes and a language model become which answer it finds likeliest, without letters and without an order.

Each answer is what follows the scene and its conversation, told as a transcript; its score is the mean ln p of its own
tokens, so that length does not count:
    s_i = (1/T_i) Σ_t ln p(w_t | scene, w_1 … w_(t−1)),   p_i = exp s_i / Σ_j exp s_j
What was computed once is kept in the run's store and not computed again.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Any

from empathic import registry
from empathic.cache import Keys, Store
from empathic.contracts import Likelihood, Missing
from empathic.errors import SettingError
from empathic.generation.stage import REPLIES
from empathic.probes.asking import scene
from empathic.probes.letters import normalised
from empathic.probes.measured import Measured
from empathic.probes.probe import KEYED, Probe
from empathic.records import Record
from empathic.runs import Run

METRIC = "ce.likelihood"


class Kept(Record, frozen=True):
    """The mean log-probability of one answer, or why there is none."""

    mean: float | None = None
    missing: str | None = None


def find(name: str) -> Likelihood:
    """The likelihood of a local model: `llama-cpp/smollm2`, `llama-cpp/PATH.gguf`."""
    provider, _, rest = name.partition("/")
    made: Any = getattr(registry.find("model", provider).thing, "likelihood", None)
    if made is None or not rest:
        raise SettingError(f"--likelihood {name}: only a local model tells it, e.g. --likelihood llama-cpp/smollm2.")
    found: Likelihood = made(rest)
    return found


def measure(probes: Sequence[Probe], model: Likelihood, name: str, run: Run) -> Iterator[Measured]:
    """One value per probe: the probability of the keyed answer among its answers."""
    keys = Keys("likelihood", model.settings())
    with contextlib.closing(Store(run.path(REPLIES))) as store:
        for probe in probes:
            context = scene(probe)
            found = [_mean(model, keys, store, context, option.text) for option in probe.options]
            yield _measured(probe, name, found)


def _mean(model: Likelihood, keys: Keys, store: Store, context: str, text: str) -> Kept:
    key = keys.key(context, text)
    kept = store.get(key, Kept)
    if kept is None:
        found = model.logprobs(context, f" {text}")
        kept = Kept(missing=found.reason) if isinstance(found, Missing) else Kept(mean=math.fsum(found) / len(found))
        store.put(key, kept)
    return kept


def _measured(probe: Probe, name: str, found: Sequence[Kept]) -> Measured:
    kinds = [option.kind for option in probe.options]
    means = [kept.mean for kept in found if kept.mean is not None]
    value, chosen, missing = None, None, None
    if len(means) == len(found):
        shares = normalised(means)
        value = math.exp(shares[kinds.index(KEYED)])
        chosen = kinds[max(range(len(kinds)), key=lambda place: shares[place])]
    else:
        missing = next(kept.missing for kept in found if kept.mean is None)
    return Measured(
        system=name, probe=probe.id, template=probe.template, levels=probe.levels, metric=METRIC, value=value,
        missing=missing, repeat=probe.repeat, control=probe.control, chosen=chosen,
    )  # fmt: skip
