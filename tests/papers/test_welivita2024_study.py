from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic.errors import InputError
from empathic.papers.welivita2024_study import load

from .released import write


def test_the_table_becomes_parallel_arrays(tmp_path: Path) -> None:
    write(tmp_path, parts=4, each=3)
    study = load(tmp_path)
    data = study.long()
    assert len(study.dialogues) == 12
    assert {len(column) for column in data.values()} == {36}
    assert data["groups"].tolist() == [0] * 12 + [1] * 12 + [2] * 12
    assert len(study.people) == 12
    assert all(len(sheet) == 16 for sheet in study.answers.values())


def test_a_rater_has_the_mean_of_the_ratings_and_the_total_of_the_sheet(tmp_path: Path) -> None:
    write(tmp_path, parts=4, each=3)
    study = load(tmp_path)
    names, means, teq = study.rater_means("chatgpt")
    first = study.ratings["chatgpt"][study.raters["chatgpt"] == names[0]]
    assert means[0] == first.mean()
    assert teq[0] == study.people[names[0]]["teq"]


def test_positive_and_negative_dialogues_can_be_chosen(tmp_path: Path) -> None:
    write(tmp_path)
    study = load(tmp_path)
    assert (study.chosen("positive") ^ study.chosen("negative")).all()
    assert len(study.long(study.chosen("positive"), ("human",))["values"]) == study.chosen("positive").sum()


def test_completion_times_are_read_where_they_are(tmp_path: Path) -> None:
    write(tmp_path)
    assert load(tmp_path).seconds is None
    folder = tmp_path / "demographics_of_workers"
    folder.mkdir()
    (folder / "human_human.csv").write_text("Submission id,Time taken,Age\na,600,30\nb,,41\nc,120,22\n")
    seconds = load(tmp_path).seconds
    assert seconds is not None
    assert np.sort(seconds).tolist() == [120, 600]


def test_a_file_of_times_without_the_column_is_named(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "demographics_of_workers").mkdir()
    (tmp_path / "demographics_of_workers" / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="Time taken"):
        load(tmp_path)


def test_a_folder_without_the_file_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no dataset_and_ratings\.csv"):
        load(tmp_path)
