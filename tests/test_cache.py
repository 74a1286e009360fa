from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from empathic import cache
from empathic.cache import CachedModel, Keys, Store
from empathic.contracts import Message, Reply, Sampling
from empathic.errors import InputError
from empathic.models import Scripted


def test_what_was_put_is_there_after_opening_the_file_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "replies.sqlite")
    store.put(b"key", Reply(text="One."))
    store.put(b"key", Reply(text="Two."))
    store.close()
    again = Store(tmp_path / "deep" / "replies.sqlite")
    assert again.get(b"key", Reply) == Reply(text="Two.")
    assert again.get(b"other", Reply) is None
    assert len(again) == 1
    again.close()


def test_a_file_that_is_no_store_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, not a database\n" * 50)
    with pytest.raises(InputError, match="notes.txt: cannot be used as a store"):
        Store(path)
    assert path.read_text().startswith("these are my notes")


def test_a_key_depends_on_everything_and_on_nothing_else() -> None:
    keys = Keys("system", {"b": 1, "a": [1.0, "x"]})
    assert keys.key("q", 0) == Keys("system", {"a": [1.0, "x"], "b": 1}).key("q", 0)
    others = [Keys("model", {"b": 1, "a": [1.0, "x"]}).key("q", 0), Keys("system", {}).key("q", 0)]
    others += [keys.key("q", 1), keys.key("q"), keys.key("q0")]
    assert len({keys.key("q", 0), *others}) == 6


def test_a_cached_model_is_asked_once_per_question_and_repeat(tmp_path: Path) -> None:
    inner = Scripted("scripted/x", ["first", "second", "third"])
    store = Store(tmp_path / "s")
    model = CachedModel(inner, store)
    question = [Message(role="user", content="Why?")]

    async def ask() -> list[str | None]:
        sampling = [Sampling(), Sampling(), Sampling(repeat=1), Sampling(temperature=1), Sampling()]
        return [(await model.complete(question, each)).text for each in sampling]

    assert asyncio.run(ask()) == ["first", "first", "second", "third", "first"]
    assert inner.calls == 3
    store.close()


def test_a_failure_on_the_way_is_asked_again(tmp_path: Path) -> None:
    class Broken(Scripted):
        async def complete(self, messages, sampling):
            self.calls += 1
            return Reply(text=None, missing="HTTP 500", transient=self.calls == 1)

    inner, store = Broken("scripted/x", ["-"]), Store(tmp_path / "s")
    for _ in range(4):
        asyncio.run(CachedModel(inner, store).complete([], Sampling()))
    assert inner.calls == 2
    store.close()


def test_the_user_folder_follows_the_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("EMPATHIC_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache.user_folder() == tmp_path / "x" / "empathic"
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path / "own"))
    assert cache.user_folder() == tmp_path / "own"
