"""Files and corpus folders become records (Dialogue, Response, Rating, Rater), as a stream; one file per format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from empathic.datasets import (  # each registers its format
    chat,
    convokit,
    empathetic_dialogues,
    esconv,
    ieval,
    inspect_logs,
    lee,
    mt_bench,
    own,
    table,
    welivita,
)
from empathic.datasets.duplicates import refuse_duplicates
from empathic.datasets.formats import Format, Head, Item, Source, register
from empathic.datasets.named import Dataset, locate
from empathic.datasets.recognition import find, recognise

__all__ = ["Dataset", "Format", "Head", "Item", "Source", "find", "locate", "read", "recognise", "register"]
FORMATS = (chat, convokit, empathetic_dialogues, esconv, ieval, inspect_logs, lee, mt_bench, own, table, welivita)


def read(
    path: str | Path, format: str | None = None, *, columns: Mapping[str, str] | None = None, system: str | None = None
) -> Iterator[Item]:
    """The records of a file or a named dataset, one at a time; the format is recognised unless given.

    `columns` maps fields to the columns of a table; `system` names who answered, for files that do not say.
    """
    place, reader = locate(path, format)
    source = Source(place, columns=columns or {}, system=system)
    return (record for _, record in refuse_duplicates(reader.read(source), place))
