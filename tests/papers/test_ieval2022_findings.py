from __future__ import annotations

import pytest

from empathic.papers import Finding
from empathic.papers.ieval2022 import published
from empathic.papers.ieval2022_cells import Cells
from empathic.papers.ieval2022_data import Study
from empathic.papers.ieval2022_findings import findings


@pytest.fixture(scope="module")
def found(ieval: Study, ieval_cells: Cells) -> dict[str, Finding]:
    return {one.id: one for one in findings(ieval, published(), ieval_cells, draws=150)}


def test_art_is_shown_to_reject_true_nulls_and_the_own_stratum_is_not(found: dict[str, Finding]) -> None:
    numbers = found["art-inflation"].numbers
    assert 0.3 < float(numbers["ART, context: rejected true nulls"] or 0) < 0.55
    assert 0.5 < float(numbers["ART, chatbot:context: rejected true nulls"] or 0) < 0.8
    assert float(numbers["own stratum, context: rejected true nulls"] or 0) < 0.12
    assert numbers["seed"] == 20220907.0


@pytest.mark.parametrize(
    ("finding", "number", "expected", "tolerance"),
    [
        ("error-strata", "context: F", 11.321259, 1e-5),
        ("error-strata", "chatbot:context: F", 8.493313, 1e-5),
        ("error-strata", "chatbot: generalised η²", 0.308046, 1e-6),
        ("df-typo", "correct", 3.0, 0),
        ("reversal", "t", 4.020942, 1e-6),
        ("reversal", "positive: p (Bonferroni)", 0.071229, 1e-6),
        ("mime-lowest", "MIME vs Plain, p (Holm)", 0.056262, 1e-6),
        ("wrong-unit", "p over chats", 0.028267, 1e-6),
        ("wrong-unit", "p paired", 0.0166, 1e-4),
        ("averaged-pairs", "A and S", 0.84815, 1e-6),
        ("repetitive", "paired t", 0.044688, 1e-6),
        ("repetitive", "independent t", 0.066985, 1e-6),
        ("correlations-differ", "p", 0.0625, 5e-4),
        ("ranking-with-ties", "positive: Kendall's W", 0.403, 5e-4),
        ("ranking-with-ties", "blocks all tied", 7, 0),
        ("ranking-with-ties", "blocks without Bad", 14, 0),
        ("repeat-workers", "one task per sheet: F of chatbot", 232.2, 0.05),
        ("repeat-workers", "one task per sheet: F of context", 11.7, 0.05),
        ("contradictions", "without contradictors: F of context", 8.94, 0.005),
        ("contradictions", "tasks left without those of three or more", 211, 0),
        ("reliability", "EU and ER (Spearman–Brown)", 0.935, 5e-4),
        ("reliability", "P and ^P", 0.760, 5e-4),
        ("reliability", "TEQ (Cronbach's α)", 0.9106, 5e-5),
        ("wages", "share below", 0.416667, 1e-6),
        ("self-disclosure", "p", 0.60, 0.005),
    ],
)
def test_each_finding_has_the_references_number(
    found: dict[str, Finding], finding: str, number: str, expected: float, tolerance: float
) -> None:
    assert found[finding].numbers[number] == pytest.approx(expected, abs=tolerance)


def test_five_printed_numbers_were_cut_off_or_rounded_twice(found: dict[str, Finding]) -> None:
    assert len(found["truncated"].numbers) == 5
    assert "politeness" in found["truncated"].text
