from __future__ import annotations

import sys
from pathlib import Path

import empathic
from empathic.cli import rooms


def test_loading_the_rooms_imports_each_of_them() -> None:
    rooms.load()
    packages = {path.parent.name for path in Path(empathic.__file__).parent.glob("*/__init__.py")}
    for name in packages - rooms.NOT_ROOMS:
        assert f"empathic.{name}" in sys.modules
