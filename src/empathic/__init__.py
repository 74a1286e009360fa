"""Empathic measures how empathic a dialogue system is, as people perceive it."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "Dialogue": "records",
    "EmpathicError": "errors",
    "Estimate": "records",
    "Evaluation": "evaluation",
    "Instrument": "records",
    "Item": "records",
    "Rater": "records",
    "Rating": "records",
    "Response": "records",
    "Run": "runs",
    "Score": "records",
    "Turn": "records",
    "assert_no_worse": "comparison",
    "evaluate": "evaluation",
    "find": "registry",
    "register": "registry",
    "score": "evaluation",
    "signature": "registry",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that `import empathic` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'empathic' has no attribute '{name}'")
    return getattr(importlib.import_module(f"empathic.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
