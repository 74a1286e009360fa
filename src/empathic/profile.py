"""Scores of a run become its estimates: the profile of each system, pairs of systems, groups, emotions, equal length.

Stands with `pipeline` above the rooms. Every estimate says in `labels["kind"]` what it is: mean, corpus, difference,
equal-length, interaction, emotion, polarity.
"""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from empathic import files
from empathic.comparison import read_scores
from empathic.errors import UnknownName
from empathic.metrics.summary import Summary
from empathic.rated import with_ratings
from empathic.records import Estimate, Record, Response
from empathic.statistics import equal_length, pooling, systems
from empathic.statistics.systems import Scores

DIMENSIONS = Path(__file__).with_suffix(".toml")
LENGTH = "length.words"
FEWEST_PER_GROUP = 8
Watch = Callable[[str], None]


class Dimension(Record, frozen=True):
    """One side of the profile: its numbers, and those tested as one family."""

    id: str
    title: str
    question: str
    columns: tuple[str, ...]
    headline: tuple[str, ...] = ()

    def holds(self, name: str) -> bool:
        """Whether a number belongs to this dimension."""
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.columns)


def dimensions() -> tuple[Dimension, ...]:
    """The dimensions in the order they are shown."""
    content = tomllib.loads(DIMENSIONS.read_text(encoding="utf-8"))
    return tuple(msgspec.convert(each, Dimension) for each in content["dimensions"])


def analyse(
    folder: Path,
    *,
    seed: int,
    draws: int = 2000,
    reference: str | None = None,
    watch: Watch = lambda text: None,
) -> list[Estimate]:
    """All estimates of a run folder that holds `scores.parquet`, `scores.json` and `responses.jsonl`."""
    found = [_shown(scores) for scores in with_ratings(read_scores(folder), folder)]
    headline = [name for dimension in dimensions() for name in dimension.headline]
    _check_reference(reference, found)
    watch("means")
    estimates = [each for scores in found for each in systems.means(scores, draws=draws, seed=seed)]
    result = [_kind(each, "mean") for each in estimates]
    result += corpus(files.read_json(folder / "scores.json", Summary))
    watch("pairs of systems")
    pairs = systems.compare_all(found, draws=draws, seed=seed, headline=headline)
    result += [_kind(each, "difference") for each in pairs]
    watch("equal length")
    result += _equal_length(found, headline)
    watch("emotions")
    return result + _by_group(found, headline, _places(folder), reference)


def corpus(summary: Summary) -> list[Estimate]:
    """Numbers about all responses of a system at once (diversity …): no interval, and only comparable at equal N."""
    shown = dimensions()
    return [
        Estimate(
            name=f"{name} of {system}",
            value=cell.value,
            method="corpus.v1",
            n=cell.n,
            missing=None if cell.value is not None else next(iter(cell.reasons), "not measured"),
            signature=cell.signature,
            labels={"kind": "corpus", "metric": name, "system": system},
        )
        for system, cells in summary.systems.items()
        for name, cell in cells.items()
        if any(dimension.holds(name) and dimension.id in ("diversity", "overlap") for dimension in shown)
    ]


def _shown(scores: Scores) -> Scores:
    """Only the numbers that belong to a dimension, and the length."""
    shown = dimensions()
    kept = {
        name: values
        for name, values in scores.columns.items()
        if name == LENGTH or any(dimension.holds(name) for dimension in shown)
    }
    return scores._replace(columns=kept)


def _check_reference(reference: str | None, found: Sequence[Scores]) -> None:
    names = [scores.system for scores in found]
    if reference is not None and reference not in names:
        raise UnknownName("system to compare with", reference, names)


def _equal_length(found: Sequence[Scores], headline: Iterable[str]) -> list[Estimate]:
    wanted = [name for name in headline if name != LENGTH]
    return [
        _kind(each, "equal-length")
        for base, other in combinations(found, 2)
        for each in equal_length.compare(base, other, length=LENGTH, metrics=wanted)
    ]


def _places(folder: Path) -> dict[str, Mapping[Any, str]]:
    """For each kind of group, the group of a dialogue: its emotion, its polarity."""
    emotions: dict[Any, str] = {}
    polarities: dict[Any, str] = {}
    for response in files.read_lines(folder / "responses.jsonl", Response):
        if response.emotion is not None:
            emotions[response.dialogue] = response.emotion
        if response.polarity is not None:
            polarities[response.dialogue] = response.polarity
    return {"polarity": polarities, "emotion": emotions}


def _by_group(
    found: Sequence[Scores], headline: Iterable[str], groups: Mapping[str, Mapping[Any, str]], reference: str | None
) -> list[Estimate]:
    """Every system against the reference (the first system if there is none), per emotion and polarity, pooled."""
    if len(found) < 2:
        return []
    base = next((scores for scores in found if scores.system == reference), found[0])
    return [
        each
        for kind, group_of in groups.items()
        if len(set(group_of.values())) > 1
        for other in found
        if other.system != base.system
        for name in headline
        if name in base.columns and name in other.columns
        for each in _pooled(base, other, name, kind, group_of)
    ]


def _pooled(base: Scores, other: Scores, name: str, kind: str, group_of: Mapping[Any, str]) -> Iterator[Estimate]:
    rows = [
        (value, scores.system, group_of[dialogue], dialogue)
        for scores in (base, other)
        for value, dialogue in zip(scores.columns[name], scores.dialogues, strict=True)
        if dialogue in group_of and np.isfinite(value)
    ]
    if len({row[3] for row in rows}) < FEWEST_PER_GROUP:
        return
    values, names, groups, dialogues = zip(*rows, strict=True)
    pair = (other.system, base.system)
    pooled = pooling.per_group(np.array(values), systems=names, groups=groups, raters=dialogues, pair=pair)
    labels = {"metric": name, "base": base.system, "system": other.system}
    if pooled.interaction is not None:
        yield _kind(pooled.interaction, "interaction", by=kind, **labels)
    for each in pooled.groups:
        yield _kind(each, kind, **labels)


def _kind(estimate: Estimate, kind: str, **labels: str) -> Estimate:
    return msgspec.structs.replace(estimate, labels={"kind": kind, **estimate.labels, **labels})
