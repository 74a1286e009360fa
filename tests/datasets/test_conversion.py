from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets import duplicates
from empathic.datasets.conversion import Loss, convert
from empathic.datasets.formats import Source
from empathic.datasets.recognition import find, recognise
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Response

RELEASED = {
    "welivita2024/dataset_and_ratings.csv": {"dialogues": 2000, "responses": 6000, "ratings": 15600, "raters": 600},
    "ieval2022/ieval_data.json": {"dialogues": 1920, "responses": 5760, "ratings": 23040, "raters": 240},
    **{f"lee2024/{name}_responses.json": {"responses": 5255} for name in ("care", "cem", "human", "moel", "trs")},
    "lee2024/emocause_responses.json": {"responses": 5259},
}


@pytest.mark.parametrize(("name", "counts"), RELEASED.items())
def test_released_files_go_to_records_and_back_without_loss(
    shared: Path, tmp_path: Path, name: str, counts: dict[str, int]
) -> None:
    path, out = shared / "data" / name, tmp_path / "records.jsonl.gz"
    done = convert(Source(path), out, reader=recognise(path), writer=find("records"), strict=True)
    assert dict(done.read) == dict(done.written) == counts
    assert done.losses == ()
    assert list(datasets.read(out)) == list(datasets.read(path))


@pytest.mark.parametrize("name", ["cem", "emocause", "human"])
def test_released_responses_come_back_in_their_own_format(shared: Path, tmp_path: Path, name: str) -> None:
    path, middle = shared / "data" / "lee2024" / f"{name}_responses.json", tmp_path / "m.parquet"
    again = tmp_path / f"{name}_responses.json"
    convert(Source(path), middle, reader=find("lee"), writer=find("table"), strict=True)
    convert(Source(middle), again, reader=find("table"), writer=find("lee"))
    assert list(datasets.read(again)) == list(datasets.read(path))


@pytest.mark.parametrize("kind", ["dialogues", "responses", "ratings", "raters"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_each_kind_of_a_released_study_fits_a_table(shared: Path, tmp_path: Path, kind: str, suffix: str) -> None:
    path, out = shared / "data" / "ieval2022" / "ieval_data.json", tmp_path / f"t{suffix}"
    done = convert(Source(path), out, reader=find("ieval"), writer=find("table"), only=kind, strict=True)
    back = list(datasets.read(out))
    assert done.written == {kind: len(back)} == {kind: RELEASED["ieval2022/ieval_data.json"][kind]}
    source = [record for record in datasets.read(path) if type(record) is type(back[0])]
    assert back == source


def test_what_is_lost_is_counted(samples: dict[str, Path], tmp_path: Path) -> None:
    source = Source(samples["records/r.jsonl"])
    done = convert(source, tmp_path / "es.json", reader=find("records"), writer=find("esconv"))
    assert done.written == {"dialogues": 4}
    assert done.losses == (
        Loss(kind="responses", field=None, records=4),
        Loss(kind="ratings", field=None, records=4),
        Loss(kind="raters", field=None, records=1),
        Loss(kind="dialogues", field="id", records=4),
    )


def test_strict_refuses_and_a_dry_run_writes_nothing(samples: dict[str, Path], tmp_path: Path) -> None:
    source, out = Source(samples["records/r.jsonl"]), tmp_path / "c.jsonl"
    with pytest.raises(SettingError, match="'chat' would lose ratings, raters. Leave out --strict"):
        convert(source, out, reader=find("records"), writer=find("chat"), strict=True)
    done = convert(source, out, reader=find("records"), writer=find("chat"), strict=True, dry_run=True)
    assert (done.target, len(done.losses)) == (None, 2)
    assert list(tmp_path.iterdir()) == []


def test_only_one_kind_or_one_system_is_converted(samples: dict[str, Path], tmp_path: Path) -> None:
    source, out = Source(samples["ieval/i.json"]), tmp_path / "mime_responses.json"
    done = convert(source, out, reader=find("ieval"), writer=find("lee"), only="responses", only_system="MIME")
    assert (done.read, done.written) == ({"responses": 2}, {"responses": 2})
    assert Counter(record.system for record in datasets.read(out)) == {"mime": 2}  # type: ignore[union-attr]
    with pytest.raises(SettingError, match="holds one system, these are 'MEED' and 'Blender'"):
        convert(source, out, reader=find("ieval"), writer=find("lee"))
    with pytest.raises(UnknownName, match="Did you mean 'ratings'"):
        convert(source, out, reader=find("ieval"), writer=find("lee"), only="rating")


def test_what_makes_no_sense_is_refused_and_leaves_no_file(samples: dict[str, Path], tmp_path: Path) -> None:
    source = Source(samples["table/r.parquet"])
    with pytest.raises(InputError, match="has 4 ratings; the format 'chat' holds dialogues, responses"):
        convert(source, tmp_path / "c.jsonl", reader=find("table"), writer=find("chat"))
    with pytest.raises(SettingError, match="'ieval' can only be read"):
        convert(source, tmp_path / "c.json", reader=find("table"), writer=find("ieval"))
    assert list(tmp_path.iterdir()) == []


def test_a_bad_line_at_the_end_leaves_the_old_output_as_it_was(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"id":"a"}\n' * 1 + '{"id":"b"}\n{"id":\n')
    out.write_text("old\n")
    with pytest.raises(InputError, match="in.jsonl:3"):
        convert(Source(path), out, reader=find("records"), writer=find("records"))
    assert out.read_text() == "old\n"
    assert sorted(child.name for child in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


def test_a_place_that_cannot_be_written_is_one_error(samples: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match="cannot be written"):
        convert(
            Source(samples["chat/c.jsonl"]), tmp_path / "file" / "x.jsonl", reader=find("chat"), writer=find("records")
        )


def test_memory_does_not_grow_with_what_is_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "IN_MEMORY", 1000)
    peaks = []
    for count in (5_000, 20_000):
        path = tmp_path / "in.jsonl"
        write = find("records").write
        assert write is not None
        write(path, (Response(id=str(n), system="s", dialogue="d", turns=(), text="Oh " * 20) for n in range(count)))
        tracemalloc.start()
        done = convert(Source(path), tmp_path / "out.jsonl", reader=find("records"), writer=find("chat"))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert done.written == {"responses": count}
    assert peaks[1] < peaks[0] + 500_000, peaks
