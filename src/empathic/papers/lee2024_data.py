"""A folder of released response files becomes systems: their words by decoding, their numbers, what was printed."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from empathic import datasets
from empathic.contracts import Missing, ResponseMetric
from empathic.datasets.lee import DECODINGS
from empathic.errors import InputError
from empathic.metrics.batch import Batch
from empathic.metrics.specificity import SpecificityV1, SpecificityV2
from empathic.metrics.text import words
from empathic.metrics.trie import Shape, shape
from empathic.metrics.word_choice import PublishedWordChoice
from empathic.papers.lee2024_folding import published_shape
from empathic.records import Response

COUNTS = "ed_word_counts.json"
LEXICONS = ("nrc_intensity.txt", "intensity.txt", "NRC-VAD-Lexicon.txt", "VAD.json")
BASELINE, HUMAN = "trs", "human"
Rows = list[list[str]]


class System:
    """One system's responses, and everything computed from them when first asked for."""

    def __init__(self, name: str, responses: list[Response], printed: Mapping[str, Any]) -> None:
        self.name, self.responses, self.printed = name, responses, printed
        self.early = bool(printed.get("early"))

    def rows(self, decoding: str = "response") -> Rows:
        """The words of each response in one decoding."""
        if decoding == "response":
            return [words(response.text or "") for response in self.responses]
        return [words(str(response.metadata.get(decoding, ""))) for response in self.responses]

    @cached_property
    def decodings(self) -> list[str]:
        """Other decodings that all responses have."""
        return [name for name in DECODINGS if all(name in response.metadata for response in self.responses)]

    @cached_property
    def folded(self) -> str:
        """The decoding the printed folds were made of."""
        wanted = self.printed["folded"]
        return wanted if wanted in self.decodings else "response"

    @cached_property
    def as_printed(self) -> Shape:
        """Table 2 by the authors' recipe."""
        return published_shape(self.rows(self.folded), self.rows())

    @cached_property
    def token_level(self) -> Shape:
        """The same by tokens, both tries of the same decoding."""
        return shape(self.rows(self.folded))

    def means(self, metric: ResponseMetric) -> dict[str, float]:
        """The mean of each column over the responses that have a value."""
        present = [response for response in self.responses if response.text is not None]
        found = metric.score(Batch(present))
        return {name: _mean(values) for name, values in found.items()}


class Released:
    """The systems found in a folder, in the order of Table 2, with the reference counts and lexicons beside them."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError("there is no such folder", path=folder)
        self.folder = folder
        self.systems = dict(self._read())
        if not self.systems:
            raise InputError("holds none of the released files, such as cem_responses.json", path=folder)

    def _read(self) -> Iterable[tuple[str, System]]:
        for name, printed in published()["systems"].items():
            path = self.folder / f"{name}_responses.json"
            if path.exists():
                records = datasets.read(path, "lee", system=name)
                yield name, System(name, [one for one in records if isinstance(one, Response)], printed)

    @cached_property
    def specificity(self) -> dict[str, float]:
        """Mean NIDF by the authors' recipe; empty without the counts."""
        return self._specificity(SpecificityV1)

    @cached_property
    def specificity_mended(self) -> dict[str, float]:
        """The same with case folded and apostrophes rejoined."""
        return self._specificity(SpecificityV2)

    def _specificity(self, version: type[SpecificityV1] | type[SpecificityV2]) -> dict[str, float]:
        path = self.folder / COUNTS
        if not path.exists():
            return {}
        metric = version(reference=str(path))
        return {name: system.means(metric)[""] for name, system in self.systems.items()}

    @cached_property
    def word_choice(self) -> dict[str, dict[str, float]]:
        """Scale or `no_word` → system → mean, for the lexicons in the folder."""
        found: dict[str, dict[str, float]] = {}
        for path in (self.folder / name for name in LEXICONS):
            if path.exists():
                metric = PublishedWordChoice(lexicon=str(path))
                for name, system in self.systems.items():
                    for column, value in system.means(metric).items():
                        found.setdefault(column, {}).setdefault(name, value)
        return found


def published() -> dict[str, Any]:
    """The printed numbers."""
    text = resources.files("empathic.papers").joinpath("lee2024.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _mean(values: Iterable[object]) -> float:
    numbers = [float(value) for value in values if isinstance(value, float | int) and not isinstance(value, Missing)]
    return math.fsum(numbers) / len(numbers)
