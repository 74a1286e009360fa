"""A name becomes a dataset that comes with the package or an extension: where it is, in which format, whose it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from empathic import registry
from empathic.datasets.formats import Format
from empathic.datasets.recognition import find, recognise


@dataclass(frozen=True)
class Dataset:
    """A file with a name."""

    name: str
    summary: str
    path: Path
    format: str
    licence: str


def register(dataset: Dataset, *, version: int = 1) -> Dataset:
    """Make a dataset known: wherever a file is asked for, its name will do."""
    return registry.register("dataset", dataset.name, version=version, summary=dataset.summary)(dataset)


def locate(word: str | Path, format_: str | None = None) -> tuple[Path, Format]:
    """The file and its format that a path or the name of a dataset means; a file goes before a name."""
    path = Path(word)
    known = {entry.name for entry in registry.entries("dataset")}
    if not path.exists() and str(word) in known | {f"{name}.v1" for name in known}:
        dataset = cast(Dataset, registry.find("dataset", str(word)).thing)
        return dataset.path, find(format_ or dataset.format)
    return path, find(format_) if format_ else recognise(path)


BUILTIN = register(
    Dataset(
        name="builtin",
        summary="128 dialogues written for this project: 32 emotions × 4, two exchanges each (CC BY 4.0)",
        path=Path(__file__).parent / "builtin" / "scenarios.jsonl",
        format="records",
        licence="CC BY 4.0",
    )
)
