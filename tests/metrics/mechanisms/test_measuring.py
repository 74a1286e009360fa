from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from empathic.metrics.mechanisms import embedded
from empathic.metrics.mechanisms.measuring import measure
from empathic.metrics.mechanisms.reporting import measured


def test_measuring_again_gives_the_figures_kept_beside_the_scores(shared: Path) -> None:
    kept = measured()
    for found in measure(embedded(), shared / "data" / "epitome2020"):
        for part in ("pairs", "epitome"):
            one, other = getattr(found, part), getattr(kept[found.label], part)
            assert (one is None) == (other is None)
            if one is not None:
                assert msgspec.structs.asdict(one) == pytest.approx(msgspec.structs.asdict(other), abs=2e-3)
        assert found.context_change == pytest.approx(kept[found.label].context_change, abs=1e-3)


def test_the_embedded_classifiers_are_far_better_than_the_commonest_level_on_pairs_they_never_saw() -> None:
    for found in measured().values():
        assert found.pairs.n == 361
        assert found.pairs.accuracy > found.pairs.majority + 0.1
        assert found.pairs.kappa > 0.75
