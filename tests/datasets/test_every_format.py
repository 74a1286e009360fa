"""What holds for every format: recognised, round trip, bad input, mutated input, memory."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from empathic import datasets
from empathic.datasets.formats import Format, Item
from empathic.datasets.recognition import all_formats, find, recognise
from empathic.errors import EmpathicError, InputError
from empathic.records import Dialogue, Rater, Rating, Response, Turn

NAMES = [
    *("chat/c.jsonl", "convokit/corpus", "empathetic-dialogues/ed.csv", "esconv/es.json", "ieval/i.json"),
    *("inspect/log.eval", "inspect/log.json", "inspect/s.jsonl", "lee/bot_responses.json", "mt-bench/bot.jsonl"),
    *("mt-bench/question.jsonl", "records/r.jsonl", "table/r.parquet", "table/t.csv", "table/t.tsv"),
    *("table/p.parquet", "welivita/w.csv"),
]
WRITABLE = [(one.name, "") for one in all_formats() if one.write and one.name != "table"]
WRITABLE += [("table", suffix) for suffix in (".csv", ".tsv", ".parquet", ".csv.gz")]
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1, max_size=20).filter(
    lambda text: text.strip() and "_comma_" not in text
)
WORD = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
JSON = st.dictionaries(WORD.map("x".__add__), st.integers(-5, 5) | TEXT | st.lists(TEXT, max_size=2), max_size=2)


def test_there_is_a_sample_of_every_format(samples: dict[str, Path]) -> None:
    assert sorted(samples) == sorted(NAMES)
    assert {name.split("/")[0] for name in samples} == {format_.name for format_ in all_formats()}


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_recognised_by_its_content(samples: dict[str, Path], name: str) -> None:
    assert recognise(samples[name]).name == name.split("/")[0]
    assert list(datasets.read(samples[name]))


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(("json", "jsonl", "csv", "tsv"))])
def test_a_compressed_file_gives_the_same_records(samples: dict[str, Path], tmp_path: Path, name: str) -> None:
    packed = tmp_path / f"{samples[name].name}.gz"
    packed.write_bytes(gzip.compress(samples[name].read_bytes()))
    (tmp_path / "question.jsonl").write_bytes(samples["mt-bench/question.jsonl"].read_bytes())
    assert list(datasets.read(packed)) == list(datasets.read(samples[name]))


def alternating(texts: list[str]) -> tuple[Turn, ...]:
    turns = [Turn(role="listener" if place % 2 else "speaker", text=text) for place, text in enumerate(texts)]
    return tuple(turns[: len(turns) - (len(turns) + 1) % 2])


@st.composite
def records(draw: st.DrawFn) -> list[Item]:
    """Some dialogues, responses, ratings and raters with every field filled now and then."""
    made: list[Item] = []
    for number in range(draw(st.integers(1, 3))):
        shared = {
            "turns": alternating(draw(st.lists(TEXT, min_size=1, max_size=4))),
            "emotion": draw(st.none() | WORD),
            "polarity": draw(st.sampled_from([None, "positive", "negative"])),
            "situation": draw(st.none() | TEXT),
            "reference": draw(st.none() | TEXT),
            "metadata": draw(JSON),
        }
        name = f"{draw(WORD)}-{number}"
        made.append(Dialogue(id=name, **shared))
        said = draw(st.sampled_from([{"text": "Oh, I am sorry."}, {"text": None, "missing": "the response is empty"}]))
        made.append(Response(id=name, system="bot", dialogue=name, procedure=draw(st.none() | WORD), **shared, **said))
        made.append(
            Rating(rater="human:a", instrument="teq", item=str(number), target=name, value=draw(st.floats(-5, 5)))
        )
        made.append(Rater(id=f"human:{number}", traits=draw(JSON)))
    return made


def placed(item: Item) -> Item:
    """Lee et al. do not write the position: it follows from the context."""
    if not isinstance(item, Response):
        return item
    return msgspec.structs.replace(item, position=sum(turn.role == "listener" for turn in item.turns))


def held(item: Item, fields: frozenset[str]) -> dict[str, object]:
    """What a format promises to keep of a record."""
    plain = {name: getattr(item, name) for name in fields if "." not in name}
    for part in fields:
        outer, _, key = part.partition(".")
        if key and key in getattr(item, outer):
            plain[part] = getattr(item, outer)[key]
    return plain


@pytest.mark.parametrize(("name", "suffix"), WRITABLE)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=records())
def test_what_a_format_holds_comes_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, suffix: str, made: list[Item]
) -> None:
    format_ = find(name)
    for kind, fields in format_.holds.items():
        items = [placed(item) if name == "lee" else item for item in made if type(item) is kind]
        path = tmp_path_factory.mktemp("round") / f"bot_responses{suffix}"
        assert format_.write is not None
        format_.write(path, items)
        back = list(datasets.read(path, format_.name, system="bot" if format_.name == "lee" else None))
        fields -= {"metadata.index"}
        assert [held(item, fields) for item in back] == [held(item, fields) for item in items]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("cut", [0.3, 0.7, 0.97])
def test_a_file_that_is_cut_off_is_records_or_one_error(
    samples: dict[str, Path], tmp_path: Path, name: str, cut: float
) -> None:
    source = samples[name] / "utterances.jsonl" if samples[name].is_dir() else samples[name]
    data = source.read_bytes()
    path = tmp_path / source.name
    path.write_bytes(data[: int(len(data) * cut)])
    try:
        list(datasets.read(path, name.split("/")[0]))
    except InputError as error:
        assert str(path) in str(error)


NONSENSE = {
    "empty": b"",
    "blank": b"\n\n",
    "utf-16": b"\xff\xfe{\x00}\x00",
    "binary": b"\x00\x01\x02\x03" * 100,
    "deep array": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "zip": b"PK\x03\x04",
    "parquet": b"PAR1",
}


@pytest.mark.parametrize("format_", all_formats(), ids=lambda one: one.name)
@pytest.mark.parametrize("content", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_one_error_with_the_file(tmp_path: Path, format_: Format, content: bytes) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.csv"):
        if not list(datasets.read(path, format_.name)):
            raise InputError("an empty file has no records", path=path)


PIECES = [b"", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\\ud800", b"\n", b"\r", b"\t", b"a" * 200]
PIECES += [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b"[]", b"{}", b'""', b'"id"', b"user"]
PIECES += [b"null", b"true", b"NaN", b"1e999", b"-1", b"9" * 30, b"9" * 400]
CHANGE = st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES) | st.binary(max_size=8))
Changes = list[tuple[float, int, bytes]]


def mutated(data: bytes, changes: Changes) -> bytes:
    for place, length, piece in changes:
        at = int(place * len(data))
        data = data[:at] + piece + data[at + length :]
    return data


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(CHANGE, min_size=1, max_size=6))
def test_a_mutated_file_ends_in_records_or_in_one_empathic_error(
    samples: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    changes: Changes,
) -> None:
    source = samples[name] / "utterances.jsonl" if samples[name].is_dir() else samples[name]
    path = tmp_path_factory.getbasetemp() / f"fuzz{source.suffix}"
    path.write_bytes(mutated(source.read_bytes(), changes))
    for format_name in (name.split("/")[0], None):
        tracemalloc.start()
        try:
            for record in datasets.read(path, format_name):
                msgspec.json.encode(record)
        except EmpathicError as error:
            assert "\n" not in str(error).strip()
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peak < 20_000_000, f"{peak:,} bytes for a file of {path.stat().st_size:,}"


def long_file(name: str, path: Path, count: int) -> Path:
    """A file of `count` records of the format, written as a stream."""

    def many() -> Iterator[Item]:
        turns = (Turn(role="speaker", text="My cat died. " * 5),)
        for number in range(count):
            if Response in find(name).holds:
                yield Response(id=str(number), system="bot", dialogue=str(number), turns=turns, text="I am sorry. " * 5)
            else:
                yield Dialogue(id=str(number), turns=turns, situation="A cat")

    write = find(name).write
    assert write is not None
    write(path, many())
    return path


@pytest.mark.parametrize("name", [one.name for one in all_formats() if one.write and one.name != "convokit"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str) -> None:
    peaks = []
    for count in (3_000, 9_000):
        path = long_file(name, tmp_path / f"bot_responses{'.csv' if name == 'table' else '.jsonl'}", count)
        tracemalloc.start()
        assert sum(1 for _ in find(name).read(datasets.Source(path))) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 500_000, peaks
