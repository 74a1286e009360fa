"""Keys → replies on disk: what was asked once is not asked again, even after the process was killed.

The key is the SHA-256 of everything that decides an answer. A reply is committed to SQLite as it comes, in write-ahead
mode without a sync per reply: a killed process loses nothing that was committed, a power cut at most the last
moments, and neither can damage the file. Memory does not grow with the number of replies.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from empathic.contracts import Message, Model, Reply, Sampling
from empathic.errors import InputError

FORMAT = 1  # part of every key: a change in how answers are stored asks anew
_TABLE = "CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, reply BLOB NOT NULL) WITHOUT ROWID"
_encoder = msgspec.json.Encoder(order="sorted")
T = TypeVar("T")


def user_folder() -> Path:
    """Where models and other large things are kept: $EMPATHIC_CACHE, else $XDG_CACHE_HOME/empathic, else ~/.cache."""
    if own := os.environ.get("EMPATHIC_CACHE"):
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "empathic"


class Keys:
    """Makes keys for things that share settings: the settings are hashed once."""

    def __init__(self, kind: str, settings: Mapping[str, Any]) -> None:
        self._start = hashlib.sha256(_encoder.encode([FORMAT, kind, settings]))

    def key(self, *parts: object) -> bytes:
        """The key of one question under these settings."""
        digest = self._start.copy()
        digest.update(_encoder.encode(parts))
        return digest.digest()


class Store:
    """A file of replies by key; several processes may use one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._database = sqlite3.connect(path, isolation_level=None, timeout=60)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.execute("PRAGMA wal_autocheckpoint=8000")  # a checkpoint syncs, and everybody waits for it
            self._database.execute(_TABLE)
        except sqlite3.Error as error:
            what = f"cannot be used as a store of replies ({error}); delete it or name another"
            raise InputError(what, path=path) from error

    def get(self, key: bytes, type_: type[T]) -> T | None:
        """What is stored under the key, if anything."""
        row = self._database.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=type_)

    def put(self, key: bytes, reply: msgspec.Struct) -> None:
        """Store a reply at once; a later one replaces an earlier."""
        self._database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, _encoder.encode(reply)))

    def __len__(self) -> int:
        return int(self._database.execute("SELECT COUNT(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it."""
        self._database.close()


class CachedModel:
    """A model that answers from a store what it has answered before."""

    def __init__(self, model: Model, store: Store) -> None:
        self.name, self.concurrency = model.name, model.concurrency
        self._model, self._store = model, store
        self._keys = Keys("model", model.settings())

    def settings(self) -> Mapping[str, Any]:
        return self._model.settings()

    async def check(self) -> None:
        await self._model.check()

    def known(self, messages: Sequence[Message], sampling: Sampling) -> Reply | None:
        """The stored answer, unless it failed on the way."""
        stored = self._store.get(self._keys.key(messages, sampling), Reply)
        return None if stored is None or stored.transient else stored

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        key = self._keys.key(messages, sampling)
        if (stored := self.known(messages, sampling)) is not None:
            return stored
        reply = await self._model.complete(messages, sampling)
        self._store.put(key, reply)
        return reply

    async def close(self) -> None:
        await self._model.close()
