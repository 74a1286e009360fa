"""Questionnaires as data: TOML files become Instruments, Ratings become (sub)scale scores."""

from __future__ import annotations

import os
from pathlib import Path

from empathic import registry
from empathic.instruments.pages import page
from empathic.instruments.reading import read
from empathic.instruments.scoring import ComponentScore, score, turned
from empathic.records import Instrument

__all__ = ["ComponentScore", "add", "load_added", "page", "read", "score", "turned"]

SCALES = Path(__file__).parent / "scales"


def added_folder() -> Path:
    """Where a user's own instruments are kept."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "empathic" / "instruments"


def add(path: Path) -> Instrument:
    """Check a user's instrument file and keep it, so that every later command knows it."""
    instrument = read(path)
    _register(instrument)
    target = added_folder() / f"{instrument.id}.v{instrument.version}.toml"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(path.read_bytes())
    return instrument


def load_added() -> None:
    """Register the instruments that were added by `empathic instruments add`."""
    for path in sorted(added_folder().glob("*.toml")):
        _register(read(path))


def _register(instrument: Instrument) -> None:
    registry.register("instrument", instrument.id, version=instrument.version, summary=instrument.title)(instrument)


for _path in sorted(SCALES.glob("*.toml")):
    _register(read(_path))
