"""Imports every room, so that all it registers can be listed."""

from __future__ import annotations

import importlib
import pkgutil

import empathic

NOT_ROOMS = {"cli", "papers"}


def load() -> None:
    """Import each room of the package; a room's `__init__` registers its things."""
    for module in pkgutil.iter_modules(empathic.__path__):
        if module.ispkg and module.name not in NOT_ROOMS:
            importlib.import_module(f"empathic.{module.name}")
