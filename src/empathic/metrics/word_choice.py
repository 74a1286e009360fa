"""Prompt and response become the affect of their words and how far it differs (Lee et al. 2023, §5.3).

    difference = max over the words of the last utterance − max over the words of the response

A maximum grows with the number of words, so that long responses look more affective than short ones (over the systems
of the paper ρ ≈ −.9 between length and difference). The length-controlled `rarefied` value compares the expected
maximum of DRAWN words drawn without replacement from each text, which does not grow with length; an unknown word
that is drawn counts as neutral (0 for intensity, .5 for the others):

    E[max] = Σ_i v_(i) · [C(i, m) − C(i−1, m)] / C(n, m),   v_(1) ≤ … ≤ v_(n),  m = DRAWN
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from empathic.contracts import Better, Column, Missing, Texts
from empathic.errors import SettingError
from empathic.metrics import lexicons
from empathic.metrics.coded import ragged_prompts, ragged_responses
from empathic.metrics.ragged import (
    Floats,
    Ints,
    Order,
    Ragged,
    in_runs,
    segment_max,
    segment_sum,
    table,
)
from empathic.metrics.values import Values, where
from empathic.registry import register

DRAWN = 5
SCALES = ("intensity", "valence", "arousal", "dominance")
NEUTRAL = {"intensity": 0.0, "valence": 0.5, "arousal": 0.5, "dominance": 0.5}
NO_WORD = Missing(reason="the response has no word of the lexicon")
NO_PROMPT = Missing(reason="the utterance that is answered has no word of the lexicon")
NEITHER = Missing(reason="the utterance that is answered or the response has no word of the lexicon")
SHORT = Missing(reason=f"the utterance that is answered or the response has fewer than {DRAWN} words")
PARTS = ("prompt", "response", "difference", "absolute", "mean_prompt", "mean_response", "mean_difference", "rarefied")
SUMMARIES = {
    "prompt": "largest of the words of the utterance that is answered",
    "response": "largest of the words of the response",
    "difference": "prompt − response",
    "absolute": "size of the difference",
    "mean_prompt": "mean over the known words of the utterance that is answered",
    "mean_response": "mean over the known words of the response",
    "mean_difference": "mean_prompt − mean_response",
    "rarefied": f"difference of the expected largest of {DRAWN} words: does not depend on length",
}


class Affect(NamedTuple):
    """What the words of each text say on one scale."""

    largest: Floats  # 0 where no word is known
    mean: Floats  # over the known words; 0 where none is
    known: Floats  # how many words the lexicon knows
    rarefied: Floats  # expected largest of DRAWN words; NaN where the text is shorter


class Draw(NamedTuple):
    """Where each word of a batch stands, and how likely the largest of DRAWN words has its rank in its text."""

    owner: Ints
    weight: Floats


def draw(texts: Ragged) -> Draw:
    """P(the largest has rank i of n) = C(i − 1, m − 1) / C(n, m)."""
    owner = texts.owner()
    length = texts.lengths[owner]
    before = np.arange(len(owner)) - texts.starts[owner]
    weight = np.full(len(owner), float(DRAWN)) / np.maximum(length, 1)
    for step in range(DRAWN - 1):
        weight *= np.maximum(before - step, 0) / np.maximum(length - 1 - step, 1)
    return Draw(owner, weight)


def affect(texts: Ragged, rows: Ints, scale: Order, drawn: Draw, neutral: float = 0.0) -> Affect:
    """The affect of each text on a scale; `rows` says where each word stands in it, `neutral` what an unknown counts."""
    place = scale.places[rows]
    known = place >= 0
    values = np.where(known, scale.values[place], 0.0)
    counts, total = segment_sum(known, texts.starts), segment_sum(values, texts.starts)
    mean = np.divide(total, counts, out=np.zeros_like(total), where=counts > 0)
    expected = segment_sum(in_order(texts, place, scale, drawn.owner, neutral) * drawn.weight, texts.starts)
    expected = np.where(texts.lengths >= DRAWN, expected, np.nan)
    return Affect(segment_max(values, texts.starts), mean, counts, expected)


def in_order(texts: Ragged, place: Ints, scale: Order, owner: Ints, neutral: float) -> Floats:
    """The values of the words of each text from the smallest to the largest.

    Most words are unknown and count the same, so only the known ones are sorted: those below neutral come first,
    the others after as many neutral ones as there are unknown words.
    """
    at = np.flatnonzero(place >= 0)
    mine = owner[at]
    # one integer holds text and place, so that one sort orders the words of every text at once
    shift = mine * len(scale.values)
    values = scale.values[in_runs(shift + place[at]) - shift]
    counts = np.bincount(mine, minlength=len(texts.lengths))
    before = np.append(0, np.cumsum(counts))[mine]
    unknown = np.where(values < neutral, 0, (texts.lengths - counts)[mine])
    ordered = np.full(len(place), neutral)
    ordered[texts.starts[mine] + np.arange(len(at)) - before + unknown] = values
    return ordered


@register("metric", "word_choice", version=1)
class PublishedWordChoice:
    """Affect of prompt and response by the recipe of Lee et al. (2023): a word the lexicon does not know counts 0.

    With NRC-EIL as lexicon it gives the published numbers. `emotions=last` keeps, for a word listed under several
    emotions, the value listed last (the released code); `emotions=max` the largest.
    """

    default = False
    caution = (
        "A largest value grows with length and is 0 for a response without a known word: read it beside length.words "
        "and no_word, and compare only numbers of the same lexicon."
    )

    def __init__(self, *, lexicon: str = "affect", emotions: str = "last") -> None:
        if emotions not in ("last", "max"):
            raise SettingError(f"word_choice.emotions is '{emotions}'; it can be 'last' or 'max'.")
        self.lexicons, self.emotions = lexicons.find(lexicon), emotions
        first = ("intensity_last", "intensity") if emotions == "last" else ("intensity",)
        scales = {name: self.lexicons.scale(*(first if name == "intensity" else (name,))) for name in SCALES}
        self.scales = {name: scale for name, scale in scales.items() if scale}
        self.table = table(list(self.scales.values()))
        parts = ("difference", "absolute")
        self.columns = (*_columns(self.scales, parts), Column(name="no_word", low=0, high=1))

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"lexicon": self.lexicons.label, "emotions": self.emotions}

    def score(self, batch: Texts) -> dict[str, Values]:
        """Per scale the difference of the largest values, and whether the response has no word of the lexicon."""
        sides = (batch.view(ragged_prompts), batch.view(ragged_responses))
        prompts, responses = (self.table.of(texts) for texts in sides)
        found: dict[str, Values] = {}
        for place, name in enumerate(self.scales):
            difference = _largest(prompts[:, place], sides[0]) - _largest(responses[:, place], sides[1])
            found[f"{name}.difference"], found[f"{name}.absolute"] = Values(difference), Values(np.abs(difference))
        known = np.asarray(~np.isnan(responses).all(axis=1))
        return {**found, "no_word": Values(segment_sum(known, sides[1].starts) == 0)}


@register("metric", "word_choice", version=2)
class WordChoice:
    """Affect of the words of prompt and response: largest, mean, differences, and a length-controlled difference.

    A text without a word of the lexicon has no affect: it is missing, and `no_word` counts such responses.
    """

    caution = "Numbers of different lexicons must not be compared; zero falls elsewhere in each (docs/lexicons)."

    def __init__(self, *, lexicon: str = "vader+affect") -> None:
        self.lexicons = lexicons.find(lexicon)
        scales = {name: self.lexicons.scale(name) for name in SCALES}
        self.scales = {name: scale for name, scale in scales.items() if scale}
        self.table = table(list(self.scales.values()))
        self.columns = (*_columns(self.scales, PARTS), Column(name="no_word", low=0, high=1, better="human"))

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"lexicon": self.lexicons.label, "drawn": DRAWN}

    def score(self, batch: Texts) -> dict[str, Values]:
        """Per scale the affect of prompt and response and their differences."""
        sides = [(texts, draw(texts)) for texts in (batch.view(ragged_prompts), batch.view(ragged_responses))]
        found: dict[str, Values] = {}
        known = np.zeros(len(batch.texts))
        rows = [self.table.rows_of(texts) for texts, _ in sides]
        for name, scale in zip(self.scales, self.table.orders, strict=True):
            prompt, response = (
                affect(texts, places, scale, drawn, NEUTRAL[name])
                for (texts, drawn), places in zip(sides, rows, strict=True)
            )
            known += response.known
            found |= {f"{name}.{part}": values for part, values in _values(prompt, response).items()}
        return {**found, "no_word": Values(known == 0)}


def _largest(values: Floats, texts: Ragged) -> Floats:
    return segment_max(np.nan_to_num(values), texts.starts)


def _values(prompt: Affect, response: Affect) -> dict[str, Values]:
    spoken, heard = response.known > 0, prompt.known > 0
    both = spoken & heard
    difference, drawn = prompt.largest - response.largest, prompt.rarefied - response.rarefied
    return {
        "prompt": where(heard, prompt.largest, NO_PROMPT),
        "response": where(spoken, response.largest, NO_WORD),
        "difference": where(both, difference, NEITHER),
        "absolute": where(both, np.abs(difference), NEITHER),
        "mean_prompt": where(heard, prompt.mean, NO_PROMPT),
        "mean_response": where(spoken, response.mean, NO_WORD),
        "mean_difference": where(both, prompt.mean - response.mean, NEITHER),
        "rarefied": where(~np.isnan(drawn), drawn, SHORT),
    }


def _columns(scales: Iterable[str], parts: Iterable[str]) -> Iterable[Column]:
    for scale, part in itertools.product(scales, parts):
        signed = part.endswith("difference") or part == "rarefied"
        better: Better = "zero" if signed else "neither"
        yield Column(name=f"{scale}.{part}", low=-1 if signed else 0, high=1, better=better, summary=SUMMARIES[part])
