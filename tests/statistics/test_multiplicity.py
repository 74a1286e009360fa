from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from empathic.errors import SettingError, UnknownName
from empathic.records import Estimate
from empathic.statistics.multiplicity import adjust, adjust_family

ORACLE = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}


def estimate(p: float | None) -> Estimate:
    return Estimate(name="difference", value=None if p is None else 1.0, method="t", p=p)


def test_holm_equals_the_hand_calculation() -> None:
    assert adjust([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_equals_the_papers_example() -> None:
    """Benjamini & Hochberg (1995), section 4: 15 p values, four rejected at .05 (three by Bonferroni)."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    p += [0.7590, 1.0]
    assert sum(value <= 0.05 for value in adjust(p, method="bh") if value is not None) == 4
    assert sum(value <= 0.05 for value in adjust(p, method="bonferroni") if value is not None) == 3


@pytest.mark.parametrize("method", ORACLE)
@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_every_rule_agrees_with_statsmodels_also_with_ties(method: str, size: int) -> None:
    p = np.round(np.random.default_rng(size).uniform(size=size) ** 3, 2)
    assert adjust(p.tolist(), method=method) == pytest.approx(multipletests(p, method=ORACLE[method])[1].tolist())


def test_a_missing_p_stays_missing_and_does_not_count() -> None:
    assert adjust([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert adjust([None, None]) == [None, None]
    assert adjust([]) == []


def test_a_family_names_itself_its_method_and_its_size() -> None:
    family = adjust_family([estimate(0.02), estimate(None), estimate(0.5)], family="systems", method="bonferroni")
    assert [member.p_adjusted for member in family] == [0.04, None, 1.0]
    assert {member.family for member in family} == {"systems (bonferroni, 2 tests)"}
    assert [member.p for member in family] == [0.02, None, 0.5]


def test_what_is_no_p_value_or_no_rule_is_refused() -> None:
    with pytest.raises(SettingError, match="between 0 and 1"):
        adjust([0.2, float("nan")])
    with pytest.raises(UnknownName, match="Did you mean 'holm'"):
        adjust([0.2], method="holms")
