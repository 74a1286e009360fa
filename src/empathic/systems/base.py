"""What most systems do alike: nothing to check, nothing to close, as many calls at once as the user wants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Simple:
    """A system inside this process, without connections or weights."""

    name: str = ""
    concurrency: int | None = 1

    def settings(self) -> Mapping[str, Any]:
        return {"system": self.name}

    async def check(self) -> None:
        return None

    async def close(self) -> None:
        return None
