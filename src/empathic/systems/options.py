"""What a user sets besides a system's name: prompt, sampling, models, connections, a corpus, a file of endpoints."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from empathic.contracts import Model, Sampling
from empathic.errors import SettingError
from empathic.records import Dialogue
from empathic.transport import Pool


def _no_models(name: str) -> Model:
    raise SettingError(f"'{name}' needs a model, and no models were given.")


@dataclasses.dataclass(frozen=True)
class Options:
    """The surroundings a system is made in; rooms do not know each other, so models come in as a function."""

    prompt: str | None = None  # for prompted models whose name does not say one
    sampling: Sampling = Sampling()  # overrides what the prompt prescribes, field by field
    model: Callable[[str], Model] = _no_models
    providers: frozenset[str] = frozenset()  # what a model's name may begin with
    pool: Pool = dataclasses.field(default_factory=Pool)
    corpus: Iterable[Dialogue] = ()
    endpoints: Path | None = None  # a TOML file
    environment: Mapping[str, str] = dataclasses.field(default_factory=lambda: os.environ, repr=False)
