"""A run folder and its manifest: what was run, with which versions, seeds, settings and content hashes.

    runs/NAME/  manifest.json  dialogues.jsonl  responses.jsonl  scores.parquet  ratings.jsonl  estimates.json
                report.html

A stage writes its files, then one atomic write of the manifest declares them: a crash in between leaves the
previous state readable.
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import platform
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from empathic import files
from empathic.errors import InputError, SettingError
from empathic.records import Json, Record
from empathic.registry import package_version

MANIFEST = "manifest.json"


class Stage(Record, frozen=True):
    """One stage that was finished: its settings and the hash of everything it read and wrote."""

    name: str
    finished: str
    settings: Json = {}
    seed: int | None = None
    inputs: dict[str, str] = {}  # file → sha256
    outputs: dict[str, str] = {}


class Manifest(Record, frozen=True):
    """What a run folder holds and how it came about."""

    empathic: str
    python: str
    platform: str
    created: str
    stages: tuple[Stage, ...] = ()


class Run:
    """A run folder: ask it for paths, tell it when a stage is done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """The path of a file in the folder."""
        return self.folder / name

    def manifest(self) -> Manifest:
        """The manifest as last written; a new one if the folder is new."""
        path = self.path(MANIFEST)
        return files.read_json(path, Manifest) if path.exists() else _new_manifest()

    def stage(self, name: str) -> Stage | None:
        """The finished stage of that name."""
        return next((stage for stage in self.manifest().stages if stage.name == name), None)

    def finish(
        self,
        name: str,
        *,
        outputs: Iterable[str],
        inputs: Iterable[Path] = (),
        settings: Json | None = None,
        seed: int | None = None,
    ) -> Stage:
        """Declare a stage done: hash its files and write the manifest."""
        stage = Stage(
            name=name,
            finished=now(),
            settings=settings or {},
            seed=seed,
            inputs={str(path): files.sha256(path) for path in inputs},
            outputs={output: files.sha256(self.path(output)) for output in outputs},
        )
        manifest = self.manifest()
        others = tuple(other for other in manifest.stages if other.name != name)
        files.write_json(self.path(MANIFEST), msgspec.structs.replace(manifest, stages=(*others, stage)))
        return stage

    @contextlib.contextmanager
    def alone(self, stage: str) -> Iterator[None]:
        """Hold the folder for one stage: two at once would do everything twice."""
        self._make()
        with open(self.path(f".{stage}"), "wb") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SettingError(
                    f"Another process is at the stage '{stage}' in {self.folder}. Wait for it, or choose another -o."
                ) from None
            yield

    def _make(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"cannot be made the run folder ({error.strerror}); choose another -o"
            raise InputError(what, path=self.folder) from error

    def check(self) -> None:
        """Compare every declared output with its hash; a changed or missing file is an error that names it."""
        for stage in self.manifest().stages:
            for name, expected in stage.outputs.items():
                if files.sha256(self.path(name)) != expected:
                    raise InputError(f"was changed after stage '{stage.name}' wrote it", path=self.path(name))


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _new_manifest() -> Manifest:
    version = ".".join(map(str, sys.version_info[:3]))
    return Manifest(empathic=package_version(), python=version, platform=platform.system(), created=now())
