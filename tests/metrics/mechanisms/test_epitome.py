from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.metrics.mechanisms import epitome

HEAD = "sp_id,rp_id,seeker_post,response_post,level,rationales\n"


def written(folder: Path, **rows: str) -> Path:
    for name, stem in epitome.NAMES.items():
        (folder / f"{stem}-reddit.csv").write_text(HEAD + rows.get(name, "a,b,sad,sorry,2,\n"))
    return folder


def test_the_three_files_become_rows(tmp_path: Path) -> None:
    found = epitome.read(written(tmp_path, ex="a,b,sad,sorry,0,\n"))
    assert (found.seekers, found.responses, found.posts) == (["sad"], ["sorry"], ["a"])
    assert {name: values.tolist() for name, values in found.levels.items()} == {"er": [2.0], "ip": [2.0], "ex": [0.0]}
    assert not found.same_as_measured


def test_the_released_files_are_recognised_by_their_hashes(shared: Path) -> None:
    found = epitome.read(shared / "data" / "epitome2020")
    assert found.same_as_measured
    assert len(found.responses) == 2472


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ({"ip": "a,c,sad,sorry,2,\n"}, "has other rows"),
        ({"er": "a,b,sad,sorry,7,\n"}, "row 1 has no level 0, 1 or 2"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, rows: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        epitome.read(written(tmp_path, **rows))


def test_a_missing_or_foreign_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"emotional-reactions-reddit.csv: there is no such file"):
        epitome.read(tmp_path)
    (tmp_path / "emotional-reactions-reddit.csv").write_text("x,y\n")
    with pytest.raises(InputError, match="is no EPITOME file"):
        epitome.read(tmp_path)
