from __future__ import annotations

from empathic.reports import Material


def test_values_are_found_by_metric_and_system(material: Material) -> None:
    assert material.values()["specificity", "human"].value == 0.3
    assert len(material.of("difference")) == 1
