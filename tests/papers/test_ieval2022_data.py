from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic.errors import InputError
from empathic.papers.ieval2022_data import Study, read


def test_the_study_is_complete(ieval: Study) -> None:
    assert len(ieval.raters) == len(ieval.traits) == 240
    assert len(ieval.chats) == len(ieval.rated) == 1920
    assert set(ieval.answers) == {"P", "^P", "A", "^A", "EU", "ER", "L", "R", "S", "rating"}
    assert all(np.isfinite(values).all() for values in ieval.answers.values())
    assert all(text for text in ieval.responses.ravel())


def test_the_means_are_those_of_the_reference(ieval: Study) -> None:
    expected = [[1.670833, 1.470833], [2.691667, 2.458333], [1.4875, 1.4875], [1.5, 1.65]]
    assert ieval.rating.mean(axis=0).tolist() == [pytest.approx(row, abs=1e-6) for row in expected]


def test_flattened_factors_stand_beside_their_values(ieval: Study) -> None:
    factors, block = ieval.long()
    blender = (factors["chatbot"] == "Blender") & (factors["context"] == "negative")
    assert ieval.rating.ravel()[blender].tolist() == ieval.rating[:, 1, 1].tolist()
    assert block[:8].tolist() == [ieval.raters[0]] * 8


def test_a_folder_without_the_file_says_which_file_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no ieval_data\.json"):
        read(tmp_path)
