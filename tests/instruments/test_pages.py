from __future__ import annotations

from pathlib import Path

import pytest

from empathic import registry
from empathic.instruments import SCALES, page

DOCS = Path(__file__).parent.parent.parent / "docs" / "instruments"


@pytest.mark.parametrize("name", sorted(path.stem for path in SCALES.glob("*.toml")))
def test_the_page_in_the_docs_is_the_one_the_instrument_gives(name: str) -> None:
    instrument = registry.find("instrument", name).thing
    assert (DOCS / f"{name}.md").read_text() == page(instrument), "run: empathic instruments pages -o docs/instruments"


def test_a_page_shows_items_scoring_and_limits() -> None:
    text = page(registry.find("instrument", "eshcc-turn").thing)
    assert "| `warmth` | **Warmth.** The answer seems friendly" in text
    assert "1 taken up · 2 missed · 3 blocked" in text
    assert "## Limits" in text
    assert "reversed item counts" not in text
    assert "reversed item counts" in page(registry.find("instrument", "teq").thing)
