from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from empathic.cli import sources
from empathic.errors import SettingError


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    sources.add_flags(parser)
    return parser.parse_args(list(words))


def test_flags_become_what_the_reader_is_told() -> None:
    source, format_ = sources.source_of(parse("x.csv", "--format", "table", "--column", "text=a=b", "--set", "item=ER"))
    assert (source.path, source.columns, source.constants) == (Path("x.csv"), {"text": "a=b"}, {"item": "ER"})
    assert format_.name == "table"
    assert sources.source_of(parse("x.csv", "--from", "lee"))[1].name == "lee"


@pytest.mark.parametrize("word", ["text", "=a", "text="])
def test_half_a_pair_says_how_to_write_it(word: str) -> None:
    with pytest.raises(SettingError, match="write it as FIELD=NAME"):
        sources.source_of(parse("x.csv", "--from", "table", "--column", word))
