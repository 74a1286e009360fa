"""Fixtures all tests may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the papers' released data and reference values; tests that need it are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip("the released data are not here (../shared): put them beside the repository to run this test")
    return SHARED
