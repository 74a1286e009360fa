"""Recorded responses become a system again: `replay:FILE` answers each place as it was answered before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from empathic import files
from empathic.contracts import Reply, Request
from empathic.errors import SettingError, UnknownName
from empathic.records import Generation, Response
from empathic.registry import register
from empathic.systems.base import Simple
from empathic.systems.options import Options


@register("system", "replay")
class Replay(Simple):
    """`replay:responses.jsonl`, or `replay:responses.jsonl#SYSTEM` when the file holds several systems.

    The system keeps its recorded name. A place is found by dialogue, position and repeat.
    """

    def __init__(self, path: Path, system: str | None = None) -> None:
        recorded = list(files.read_lines(path, Response))
        self.name = _choose(path, {response.system for response in recorded}, system)
        self.path, self._sha256 = path, files.sha256(path)
        own = [response for response in recorded if response.system == self.name]
        self._responses = {(response.dialogue, response.position, response.repeat): response for response in own}

    @classmethod
    def build(cls, name: str, options: Options) -> Replay:
        path, _, system = name.partition(":")[2].partition("#")
        if not path:
            raise SettingError("'replay' needs a file of responses. Type replay:runs/NAME/responses.jsonl.")
        return cls(Path(path), system or None)

    def settings(self) -> Mapping[str, Any]:
        return {"system": self.name, "replay": self._sha256}

    async def respond(self, request: Request) -> Reply:
        found = self._responses.get((request.dialogue, request.position, request.repeat))
        if found is None:
            return Reply(text=None, missing="the recorded responses do not hold this place")
        return Reply(text=found.text, missing=found.missing, generation=found.generation or Generation())


def _choose(path: Path, systems: set[str], wanted: str | None) -> str:
    if wanted is not None and wanted not in systems:
        raise UnknownName(f"system in {path}", wanted, systems)
    if wanted is None and len(systems) != 1:
        example = f"replay:{path}#{min(systems)}" if systems else "a file with responses"
        raise SettingError(f"{path} holds {len(systems)} systems; one is needed. Type {example}.")
    return wanted or systems.pop()
