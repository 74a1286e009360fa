from __future__ import annotations

from pathlib import Path

import numpy as np

from empathic import files
from empathic.rated import with_ratings
from empathic.records import Rating, Response, Turn
from empathic.statistics.systems import Scores


def test_ratings_become_columns_with_the_mean_of_the_raters(tmp_path: Path) -> None:
    responses = [
        Response(
            id=f"{system}{place}",
            system=system,
            dialogue=f"d{place}",
            turns=(Turn(role="speaker", text="x"),),
            text="y",
        )
        for system in "ab"
        for place in range(2)
    ]
    files.write_lines(tmp_path / "responses.jsonl", responses)
    ratings = [
        Rating(rater="human:1", instrument="teq", item="1", target="a0", value=2.0),
        Rating(rater="judge:x#0", instrument="teq", item="1", target="a0", value=4.0),
        Rating(rater="human:1", instrument="teq", item="1", target="b1", value=None, missing="skipped"),
        Rating(rater="human:1", instrument="teq", item="2", target="b1", value=1.0),
        Rating(rater="human:1", instrument="teq", item="2", target="elsewhere", value=1.0),
    ]
    files.write_lines(tmp_path / "ratings.jsonl", ratings)
    places = [("d0", 0, 0), ("d1", 0, 0)]
    found = [Scores(system, places, ["d0", "d1"], {"m": np.zeros(2)}) for system in "ab"]
    first, second = with_ratings(found, tmp_path)
    np.testing.assert_array_equal(first.columns["rating.teq.1"], [3.0, np.nan])
    np.testing.assert_array_equal(second.columns["rating.teq.1"], [np.nan, np.nan])
    np.testing.assert_array_equal(second.columns["rating.teq.2"], [np.nan, 1.0])
    assert list(first.columns) == ["m", "rating.teq.1", "rating.teq.2"]


def test_without_ratings_the_scores_are_as_they_were(tmp_path: Path) -> None:
    scores = Scores("a", [], [], {})
    assert with_ratings([scores], tmp_path) == [scores]
