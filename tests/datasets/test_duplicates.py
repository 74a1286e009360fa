from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic.datasets import duplicates
from empathic.datasets.formats import Located
from empathic.errors import InputError
from empathic.records import Dialogue, Rater, Rating

PATH = Path("a.jsonl")


def raters(*names: str) -> Iterator[Located]:
    return iter([(line, Rater(id=name)) for line, name in enumerate(names, 1)])


def test_records_pass_through_unchanged() -> None:
    rating = Rating(rater="human:a", instrument="teq", item="1", target="human:a", value=1.0)
    records: list[Located] = [(1, Rater(id="a")), (2, Dialogue(id="a", turns=())), (3, rating), (4, rating)]
    assert list(duplicates.refuse_duplicates(iter(records), PATH)) == records


def test_a_second_id_is_refused_where_it_stands() -> None:
    stream = duplicates.refuse_duplicates(raters("a", "b", "a", "c"), PATH)
    assert [next(stream)[0], next(stream)[0]] == [1, 2]
    with pytest.raises(InputError, match="a.jsonl:3 field 'id': the id 'a' stands in line 1 already"):
        next(stream)


@pytest.mark.parametrize("names", ["abcdea", "abcdec", "abcddf"])
def test_beyond_the_limit_duplicates_are_found_on_disk(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    monkeypatch.setattr(duplicates, "IN_MEMORY", 3)
    with pytest.raises(InputError, match=rf"a.jsonl:{5 if 'dd' in names else 6} field 'id'"):
        list(duplicates.refuse_duplicates(raters(*names), PATH))


def test_beyond_the_limit_different_ids_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "IN_MEMORY", 3)
    assert len(list(duplicates.refuse_duplicates(raters(*map(str, range(1000))), PATH))) == 1000
