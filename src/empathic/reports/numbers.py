"""Numbers become the words people read: three digits, intervals, p values, missing with its reason."""

from __future__ import annotations

from empathic.records import Estimate


def number(value: float | None) -> str:
    """Three significant digits; a dash for what is not there."""
    if value is None:
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def interval(estimate: Estimate) -> str:
    """[low, high], or nothing."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{number(estimate.low)}, {number(estimate.high)}]"


def p_value(p: float | None) -> str:
    """As journals print it."""
    if p is None:
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 1 else "1"


def spoken(metric: str) -> str:
    """`word_choice.no_word` → `word choice: no word`."""
    head, _, rest = metric.partition(".")
    words = head.replace("_", " ")
    return f"{words}: {rest.replace('_', ' ').replace('.', ', ')}" if rest else words
