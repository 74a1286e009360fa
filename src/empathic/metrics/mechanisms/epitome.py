"""The released EPITOME files (Sharma et al. 2020) become rows: a seeker's post, a response, its three levels.

The files may not be passed on and neither may what is fitted to them: a user fits on their own copy.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from empathic import files
from empathic.errors import InputError
from empathic.metrics.ragged import Floats

NAMES = {"er": "emotional-reactions", "ip": "interpretations", "ex": "explorations"}
HEADER = ["sp_id", "rp_id", "seeker_post", "response_post", "level", "rationales"]
# of the copy with 80 % of the posts on which the figures in docs/mechanisms.md were measured
MEASURED = {
    "er": "5dea8aae81e46a5f672572181aa47ea791fb17cdaf5700480c01c71075f08c9e",
    "ip": "78a3e774ddf4ea6b6fb006f50d76821854636e209d1af18bb6b1bb8be9295606",
    "ex": "7565f389646c0106a29c8cc136561ddeb022d0ba81c4fab933758a5dcfa0d3e3",
}


class Released(NamedTuple):
    """The rows of the three files, which are in the same order."""

    seekers: list[str]
    responses: list[str]
    posts: list[str]  # id of the seeker's post: rows of one post stay together in cross-validation
    levels: dict[str, Floats]
    hashes: dict[str, str]

    @property
    def same_as_measured(self) -> bool:
        """Whether these are the very files of the figures in the docs."""
        return self.hashes == MEASURED


def read(folder: Path) -> Released:
    """Read `emotional-reactions-reddit.csv` and its two siblings."""
    paths = {name: folder / f"{stem}-reddit.csv" for name, stem in NAMES.items()}
    tables = {name: _rows(path) for name, path in paths.items()}
    first = tables["er"]
    for name, table in tables.items():
        if [row[:2] for row in table] != [row[:2] for row in first]:
            raise InputError(
                "has other rows than the emotional reactions: take the three files as released", path=paths[name]
            )
    levels = {name: np.array([float(row[4]) for row in table]) for name, table in tables.items()}
    hashes = {name: files.sha256(path) for name, path in paths.items()}
    return Released([row[2] for row in first], [row[3] for row in first], [row[0] for row in first], levels, hashes)


def _rows(path: Path) -> list[list[str]]:
    files.open_binary(path).close()  # says in one line why a file cannot be read
    with path.open(encoding="utf-8", newline="") as stream:
        table = list(csv.reader(stream))
    if not table or table[0] != HEADER:
        raise InputError(f"is no EPITOME file: its header is not {','.join(HEADER)}", path=path, line=1)
    for line, row in enumerate(table[1:], 2):
        if len(row) != len(HEADER) or row[4] not in ("0", "1", "2"):
            raise InputError(f"row {line - 1} has no level 0, 1 or 2", path=path, field="level")
    return table[1:]
