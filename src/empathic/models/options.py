"""What a user sets besides a model's name: address, key, extra fields, prices, and how many connections."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from empathic.transport import Pool


@dataclasses.dataclass(frozen=True)
class ModelOptions:
    """The surroundings a model is made in; keys come from the environment or a flag and go nowhere else."""

    pool: Pool = dataclasses.field(default_factory=Pool)
    base_url: str | None = None
    api_key: str | None = dataclasses.field(default=None, repr=False)
    extra_body: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    prices: tuple[float, float] | None = None  # US dollars for a million prompt and completion tokens
    environment: Mapping[str, str] = dataclasses.field(default_factory=lambda: os.environ, repr=False)
    arguments: Mapping[str, str] = dataclasses.field(default_factory=dict)  # -M name=value, for local models
