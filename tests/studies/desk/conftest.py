"""Passwords that cost little, so that tests may log in often."""

from __future__ import annotations

import pytest

from empathic.studies.desk import passwords


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "N", 2**4)
