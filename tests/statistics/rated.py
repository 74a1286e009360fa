"""Ratings by crossed raters and items, unbalanced, for the tests of mixed and ordinal models."""

from __future__ import annotations

import numpy as np


def small() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """160 ratings of 25 items by 20 raters in 3 groups on a scale of 4: values, groups, raters, items."""
    random = np.random.default_rng(42)
    n = 160
    rater, item = random.integers(0, 20, n), random.integers(0, 25, n)
    group = rater % 3
    latent = 0.8 * random.normal(size=20)[rater] + 0.6 * random.normal(size=25)[item] + 0.7 * (group == 2)
    latent = latent + random.logistic(size=n)
    return 1 + (latent[:, None] > np.array([-1.2, 0.1, 1.4])).sum(axis=1), group, rater, item


def as_r(values: np.ndarray, groups: np.ndarray, raters: np.ndarray, items: np.ndarray) -> str:
    """The same as a piece of R that makes a data frame d."""
    columns = {"y": values, "g": groups, "rater": raters, "item": items}
    vectors = ", ".join(f"{name} = c({', '.join(map(str, column))})" for name, column in columns.items())
    return f"d <- data.frame({vectors}); d$g <- factor(d$g); d$rater <- factor(d$rater); d$item <- factor(d$item);"


def null_ratings(random: np.random.Generator, raters: int, each: int, *, items: int) -> tuple[np.ndarray, ...]:
    """Ratings on a scale of 3 without any difference between groups: values, groups, raters, items."""
    rater = np.repeat(np.arange(raters), each)
    item = np.concatenate([random.permutation(items)[:each] for _ in range(raters)])
    latent = 0.7 * random.normal(size=raters)[rater] + 0.4 * random.normal(size=items)[item]
    latent = latent + random.logistic(size=raters * each)
    return 1 + (latent[:, None] > np.array([-1.5, 0.3])).sum(axis=1), rater % 3, rater, item
