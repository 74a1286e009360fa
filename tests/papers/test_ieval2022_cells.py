from __future__ import annotations

import numpy as np
import pytest

from empathic.papers.ieval2022 import published
from empathic.papers.ieval2022_cells import Cells, questions, regression, scores, top_tokens
from empathic.papers.ieval2022_data import BOTS, Study


def test_the_art_f_are_those_published(ieval_cells: Cells) -> None:
    for row, f in {"chatbot": 257.923463, "context": 43.172617, "chatbot:context": 9.800874}.items():
        assert ieval_cells["5.1 ART", row, "F"] == pytest.approx(f, abs=1e-6)


def test_all_sixty_tokens_of_table_three_stand_in_their_place(ieval: Study) -> None:
    for number, bot in enumerate(BOTS):
        assert top_tokens(ieval, number, 15) == published()["tokens"][bot]


def test_the_ordinal_regression_has_the_references_likelihoods_and_thresholds(ieval: Study) -> None:
    details = regression(ieval).fit.details
    assert details["loglik"] == pytest.approx(-1298.556514, abs=1e-5)
    assert details["loglik_null"] == pytest.approx(-2050.618602, abs=1e-5)
    columns = np.stack([scores(ieval)[key] for key in ("SENSE", "EMP", "R", "P", "L")])
    slopes = np.array([slope.value for slope in regression(ieval).slopes])
    shift = float(slopes @ columns.mean(axis=(1, 2, 3)))
    assert np.array(details["thresholds"]) + shift == pytest.approx([3.801356, 6.458133], abs=1e-5)


def test_clustered_and_standardised_slopes_are_those_of_the_reference(ieval: Study) -> None:
    clustered = {one.labels["predictor"]: one.p for one in regression(ieval, clustered=True).slopes}
    assert clustered["politeness"] == pytest.approx(0.0046, abs=5e-4)  # the reference takes z, we take t(239)
    assert clustered["likability"] == pytest.approx(0.0218, abs=1e-3)
    scaled = {one.labels["predictor"]: one.value for one in regression(ieval, unit="sd").slopes}
    assert scaled["making sense"] == pytest.approx(1.349874, abs=1e-3)
    assert scaled["repetitiveness"] == pytest.approx(-0.471919, abs=1e-3)


def test_questions_are_counted_per_response(ieval: Study) -> None:
    asked = questions(ieval)
    assert asked.shape == (240, 4, 2, 3)
    assert asked[0, 1, 0].tolist() == [1, 1, 2]
