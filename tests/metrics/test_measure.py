from __future__ import annotations

from collections.abc import Iterator

import pytest

from empathic import registry
from empathic.contracts import Column, Missing
from empathic.errors import SettingError, UnknownName
from empathic.metrics.batch import Batch
from empathic.metrics.measure import build, default_names, missing_text
from empathic.records import Response


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_entries", {kind: {} for kind in registry.KINDS})
    yield


def response(text: str | None, missing: str | None = None) -> Response:
    return Response(id="r", system="s", dialogue="d", turns=(), text=text, missing=missing)


def test_a_function_of_one_response_is_a_metric() -> None:
    @registry.register("metric", "shouting")
    def shouting(response):
        return float(response.text.isupper())

    measure = build("shouting")
    assert not measure.corpus
    assert measure.metric.score(Batch([response("HI"), response("hi")])) == {"": [1.0, 0.0]}
    assert measure.name(measure.columns[0]) == "shouting"
    assert measure.signature("ptb").startswith("shouting.v1|tokens:ptb|empathic:")


class Threshold:
    """Counts words longer than a threshold."""

    columns = (Column(name="share", low=0, high=1),)

    def __init__(self, *, above: int = 3, strict: bool = False, name: str = "x") -> None:
        self.above, self.strict, self.label = above, strict, name

    def score(self, batch):
        return {"share": [0.5 for _ in batch.responses]}


def test_settings_are_keywords_of_the_class_and_take_the_type_of_their_default() -> None:
    registry.register("metric", "long")(Threshold)
    measure = build("long", {"above": "5", "strict": "yes", "name": "5"})
    assert (measure.metric.above, measure.metric.strict, measure.metric.label) == (5, True, "5")
    assert "above:5" in measure.signature("ptb")
    assert measure.name(measure.columns[0]) == "long.share"


def test_a_setting_that_does_not_fit_is_explained() -> None:
    registry.register("metric", "long")(Threshold)
    with pytest.raises(UnknownName, match="Did you mean 'above'"):
        build("long", {"abve": "5"})
    with pytest.raises(SettingError, match=r"long.above is 'many', a number like 3 is needed"):
        build("long", {"above": "many"})


def test_a_thing_that_is_no_metric_is_refused() -> None:
    registry.register("metric", "nothing")(type("Nothing", (), {"__doc__": "x"}))
    with pytest.raises(SettingError, match="neither score"):
        build("nothing")


def test_the_newest_version_is_asked_for_by_the_bare_name_and_computed_by_default() -> None:
    registry.register("metric", "long", version=1)(Threshold)
    registry.register("metric", "long", version=2)(type("Newer", (Threshold,), {}))
    registry.register("metric", "rare")(type("Rare", (Threshold,), {"default": False}))
    assert build("long").versioned == "long.v2"
    assert build("long.v1").name(Column(name="share")) == "long.v1.share"
    assert default_names() == ["long"]


def test_a_response_without_text_has_a_reason() -> None:
    assert missing_text(response("hi")) is None
    assert missing_text(response(" \n")) == Missing(reason="the response is empty")
    assert missing_text(response(None, "timeout")) == Missing(reason="timeout")
    assert missing_text(response(None)) == Missing(reason="there is no response")
