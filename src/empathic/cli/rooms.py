"""Imports every room, so that all it registers can be listed."""

from __future__ import annotations

import importlib
import pkgutil

import empathic
from empathic import instruments
from empathic.metrics import lexicons

NOT_ROOMS = {"cli", "integrations", "papers", "probing"}


def load() -> None:
    """Import each room of the package, whose `__init__` registers its things, and what the user added."""
    for module in pkgutil.iter_modules(empathic.__path__):
        if module.ispkg and module.name not in NOT_ROOMS:
            importlib.import_module(f"empathic.{module.name}")
    instruments.load_added()
    lexicons.load_added()
