from __future__ import annotations

from pathlib import Path

import pytest

from empathic.papers.lee2024_data import Released
from empathic.papers.lee2024_findings import findings


def test_the_mixture_of_decodings_and_the_specificity_claims_are_found(shared: Path, tmp_path: Path) -> None:
    for name in ("moel_responses.json", "trs_responses.json", "cem_responses.json", "ed_word_counts.json"):
        (tmp_path / name).symlink_to(shared / "data" / "lee2024" / name)
    found = {finding.id: finding.numbers for finding in findings(Released(tmp_path))}
    mixed = found["mixed-decodings"]
    assert mixed["moel compression as printed (%)"] == pytest.approx(3.87, abs=0.005)
    assert mixed["moel compression of beam_search (%)"] == pytest.approx(35.55, abs=0.005)
    assert (mixed["moel start words as printed"], mixed["moel start words of beam_search"]) == (20, 14)
    assert found["within-half-a-percent"]["within 0.005"] == "1 of 2"
    assert found["token-level"]["trs total_nodes"] == 4436
    assert found["decodings"]["moel top_k templates"] == 4817
    sizes = found["dependence-on-n"]
    assert sizes["trs compression at N = 250 (%)"] > sizes["trs compression at N = 5000 (%)"]
    assert "misprints" not in found
    assert "length" not in found
