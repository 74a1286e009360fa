"""A name becomes a dataset that comes with the package or an extension: where it is, in which format, whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from empathic import registry
from empathic.datasets.formats import Format, Item, Located, Source
from empathic.datasets.recognition import find, recognise


@dataclass(frozen=True)
class Dataset:
    """A file with a name; called, it gives its records."""

    name: str
    summary: str
    path: Path
    format: str
    licence: str

    def __call__(self) -> Iterator[Item]:
        """The records, one at a time."""
        return (record for _, record in find(self.format).read(Source(self.path)))


def register(dataset: Dataset, *, version: int = 1) -> Dataset:
    """Make a dataset known: wherever a file is asked for, its name will do."""
    return registry.register("dataset", dataset.name, version=version, summary=dataset.summary)(dataset)


def locate(word: str | Path, format_: str | None = None) -> tuple[Path, Format]:
    """The file and its format that a path or the name of a dataset means; a file goes before a name.

    A dataset may also be a function that gives records (an extension's): its format then only reads.
    """
    path = Path(word)
    if path.exists() or not _known(str(word)):
        return path, find(format_) if format_ else recognise(path)
    entry = registry.find("dataset", str(word))
    if isinstance(entry.thing, Dataset):
        return entry.thing.path, find(format_ or entry.thing.format)
    return path, _function(entry)


def _known(word: str) -> bool:
    return any(word in (entry.name, entry.versioned) for entry in registry.entries("dataset"))


def _function(entry: registry.Entry) -> Format:
    def read(_: Source) -> Iterator[Located]:
        yield from enumerate(entry.thing(), 1)

    return Format(name=f"dataset {entry.name}", summary=entry.summary, read=read, recognise=lambda _: False)


BUILTIN = register(
    Dataset(
        name="builtin",
        summary="128 dialogues written for this project: 32 emotions × 4, two exchanges each (CC BY 4.0)",
        path=Path(__file__).parent / "builtin" / "scenarios.jsonl",
        format="records",
        licence="CC BY 4.0",
    )
)
