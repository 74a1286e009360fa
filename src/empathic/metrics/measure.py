"""A metric's name and settings become a measure: one shape for functions of a response, batch and corpus metrics."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from empathic import registry
from empathic.contracts import Column, CorpusMetric, Missing, ResponseMetric, Texts, Value
from empathic.errors import SettingError, UnknownName
from empathic.records import Response

SINGLE = (Column(),)


class Measure:
    """A metric ready to be used, with everything it declares."""

    def __init__(self, asked: str, metric: Any, entry: registry.Entry, settings: Mapping[str, object]) -> None:
        self.asked = asked
        self.metric = metric
        self.versioned = entry.versioned
        self.settings = settings
        self.columns: Sequence[Column] = metric.columns
        self.corpus = isinstance(metric, CorpusMetric)
        self.caution: str = getattr(metric, "caution", "")
        self.in_order: bool = getattr(metric, "in_order", False)

    def name(self, column: Column) -> str:
        """What the number is called: the metric as it was asked for, then the column."""
        return f"{self.asked}.{column.name}" if column.name else self.asked

    def signature(self, tokens: str) -> str:
        """The string that reproduces the numbers."""
        return registry.signature(self.versioned, **{"tokens": tokens, **self.settings})


class FunctionMetric:
    """A user's function of one response, as a batch metric."""

    columns = SINGLE

    def __init__(self, function: Callable[[Response], Value]) -> None:
        self.function = function
        self.columns = getattr(function, "columns", SINGLE)

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """The function of each response."""
        return {self.columns[0].name: [self.function(response) for response in batch.responses]}


def build(asked: str, settings: Mapping[str, object] | None = None) -> Measure:
    """The measure called `asked` (`specificity`, `specificity.v1`), with its settings."""
    entry, settings = registry.find("metric", asked), settings or {}
    if inspect.isclass(entry.thing):
        metric = entry.thing(**_typed(asked, entry.thing, settings))
    else:
        _typed(asked, None, settings)
        metric = FunctionMetric(entry.thing)
    if not isinstance(metric, ResponseMetric | CorpusMetric):
        raise SettingError(f"The metric '{asked}' has neither score() nor gather() and finish(): see docs/metrics.md.")
    shown = metric.settings() if hasattr(metric, "settings") else settings
    return Measure(asked, metric, entry, shown)


def is_default(entry: registry.Entry) -> bool:
    """Whether a metric is computed when none is named: those that need nothing beyond the response."""
    return bool(getattr(entry.thing, "default", True))


def default_names() -> list[str]:
    """The newest version of every metric that is computed when none is named."""
    newest = {entry.name: entry for entry in registry.entries("metric")}
    return [name for name, entry in newest.items() if is_default(entry)]


def names_that_need(what: str) -> list[str]:
    """The newest version of every metric that declares it needs something: `reference`."""
    newest = {entry.name: entry for entry in registry.entries("metric")}
    return [name for name, entry in newest.items() if getattr(entry.thing, "needs", None) == what]


def known_settings(metric: type | None) -> dict[str, inspect.Parameter]:
    """The settings a metric takes: the keywords of its class."""
    if metric is None:
        return {}
    parameters = inspect.signature(metric).parameters
    return {name: one for name, one in parameters.items() if one.kind is not inspect.Parameter.VAR_KEYWORD}


def _typed(asked: str, metric: type | None, settings: Mapping[str, object]) -> dict[str, object]:
    known = known_settings(metric)
    for key in settings:
        if key not in known:
            raise UnknownName(f"setting of {asked}", key, known)
    return {key: _as_default(asked, key, value, known[key].default) for key, value in settings.items()}


def _as_default(asked: str, key: str, value: object, default: object) -> object:
    """A value from the command line, as the type of the setting's default."""
    if not isinstance(value, str) or not isinstance(default, bool | int | float):
        return value
    if isinstance(default, bool):
        return value.lower() in ("1", "true", "yes", "on")
    try:
        return type(default)(value)
    except ValueError:
        raise SettingError(
            f"{asked}.{key} is '{value}', a number like {default} is needed: --set {asked}.{key}={default}"
        ) from None


def missing_text(response: Response) -> Missing | None:
    """Why a response cannot be scored at all, or None if it can."""
    if response.text is None:
        return Missing(reason=response.missing or "there is no response")
    if not response.text.strip():
        return Missing(reason="the response is empty")
    return None
