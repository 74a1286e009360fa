from __future__ import annotations

from empathic.metrics.batch import Batch
from empathic.metrics.length import Length
from empathic.records import Response


def test_lengths_are_counted_by_hand() -> None:
    response = Response(id="r", system="s", dialogue="d", turns=(), text="Oh no! I'm sorry.")
    assert Length().score(Batch([response])) == {"words": [7], "sentences": [2], "characters": [17]}
