from __future__ import annotations

import math
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.self_bleu import SelfBleu, self_bleu
from empathic.records import Response


def by_nltk(rows: list[list[str]]) -> float:
    """Each row against all others, with NLTK's smoothing of Lin & Och (2004)."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smoothing = SmoothingFunction().method2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = [
            sentence_bleu(rows[:place] + rows[place + 1 :], row, smoothing_function=smoothing)
            for place, row in enumerate(rows)
        ]
    return math.fsum(scores) / len(rows)


rows_of_words = st.lists(st.lists(st.sampled_from("abcde"), min_size=4, max_size=9), min_size=2, max_size=7)


@settings(deadline=None)
@given(rows_of_words)
def test_self_bleu_equals_nltk_with_all_other_responses_as_references(rows: list[list[str]]) -> None:
    assert self_bleu(rows) == pytest.approx(by_nltk(rows), abs=1e-9)


def test_equal_responses_predict_each_other_and_foreign_ones_do_not() -> None:
    assert self_bleu([["a", "b", "c", "d"]] * 3) == pytest.approx(1.0)
    assert self_bleu([["a", "b", "c", "d"], ["e", "f", "g", "h"]]) == 0.0


def test_one_response_has_nothing_to_be_compared_with() -> None:
    metric = SelfBleu()
    gathered = metric.gather(Batch([Response(id="r", system="s", dialogue="d", turns=(), text="hi")]))
    assert isinstance(metric.finish([gathered])[""], Missing)
