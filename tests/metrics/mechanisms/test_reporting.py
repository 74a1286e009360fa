from __future__ import annotations

from empathic.metrics.mechanisms import Mechanisms, Reflection
from empathic.metrics.mechanisms.reporting import measured, probes_text, quality_text


def test_quality_and_context_stand_in_one_line() -> None:
    shown = quality_text(("er", "ex"))
    assert f"er {measured()['er'].pairs.accuracy:.2f}".replace("0.", ".") in shown
    assert "on EPITOME (Reddit)" in shown
    assert "mean change with a swapped prompt er 0.03" in shown


def test_a_label_without_released_data_shows_none() -> None:
    assert "EPITOME" not in quality_text(("reflection",))


def test_probes_show_the_value_beside_that_of_the_genuine_reply() -> None:
    shown = probes_text({"er": "x"}, lambda batch: {"x": [1.0 if "sorry" in text else 0.0 for text in batch.texts]})
    assert '"I am not sorry to hear that." 1.0 against 1.0 (fooled)' in shown


def test_every_use_of_the_metrics_prints_quality_context_and_probes() -> None:
    for metric in (Mechanisms(), Reflection()):
        for piece in ("accuracy/macro-F1", "swapped prompt", "probes:"):
            assert piece in metric.caution
    assert "shared experience" in Mechanisms().caution
