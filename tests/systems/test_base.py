from __future__ import annotations

import asyncio

from empathic.systems.base import Simple


def test_a_simple_system_needs_no_check_and_no_closing() -> None:
    system = Simple()
    asyncio.run(system.check())
    asyncio.run(system.close())
    assert system.settings() == {"system": ""}
