"""Dialogues become scenarios for a study: of middling length, clearly coloured, diverse in topic, balanced.

The steps of iEval (Svikhnushina, Filippova & Pu 2022, §4.3 and appendix A), with what was done there by hand made a
rule: the prompt's length lies between the first and third quartile of all; VADER finds the first utterance clearly
positive or negative; of dialogues about the same topic only some stay; then as many positive as negative ones are
drawn, as evenly over the emotions as can be.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from empathic.datasets import topics
from empathic.datasets.emotions import polarity_of
from empathic.errors import SettingError
from empathic.records import Dialogue, Polarity, Record

POLES: tuple[Polarity, Polarity] = ("positive", "negative")
NO_EMOTION = "(no emotion given)"
_TOKEN = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")


class Drop(Record, frozen=True):
    """A dialogue that was left out, at which step and why."""

    id: str
    step: str
    reason: str


class Step(Record, frozen=True):
    """One step: its rule, how many it left out and how many stayed."""

    name: str
    rule: str
    dropped: int
    left: int


class Selection(Record, frozen=True, omit_defaults=False):
    """What was selected and how it came about."""

    seed: int
    steps: tuple[Step, ...]
    selected: tuple[str, ...]
    by_polarity: dict[str, int]
    by_emotion: dict[str, int]
    topics: dict[str, int]  # how many groups of similar topics, and how large
    dropped: tuple[Drop, ...]


class Rules(Record, frozen=True):
    """How strict each step is."""

    count: int
    colour: float = 0.4  # smallest |VADER compound| of the first utterance
    similarity: float = 0.3  # cosine of first utterances from which two dialogues are about the same
    per_topic: int = 1  # how many dialogues about the same stay


class Candidate(Record, frozen=True):
    """What the steps need of one dialogue."""

    dialogue: Dialogue
    opening: str
    tokens: int
    compound: float
    polarity: Polarity
    emotion: str


def select(dialogues: Iterable[Dialogue], rules: Rules, *, seed: int) -> tuple[list[Dialogue], Selection]:
    """The selected dialogues in the order of the file, and the account of each step."""
    _check(rules)
    draw, sieve = random.Random(seed), _Sieve()
    found = sieve.opening(dialogues)
    found = sieve.length(found)
    found = sieve.colour(found, rules.colour)
    found, sizes = sieve.topic(found, rules, draw)
    chosen = sieve.balance(found, rules.count, draw)
    account = Selection(
        seed=seed,
        steps=tuple(sieve.steps),
        selected=tuple(one.dialogue.id for one in chosen),
        by_polarity=dict(Counter(one.polarity for one in chosen)),
        by_emotion=dict(sorted(Counter(one.emotion for one in chosen).items())),
        topics=sizes,
        dropped=tuple(sieve.drops),
    )
    return [one.dialogue for one in chosen], account


def tokens(text: str) -> int:
    """How many words and punctuation marks a text has."""
    return len(_TOKEN.findall(text))


class _Sieve:
    """Runs the steps and keeps account of them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.drops: list[Drop] = []
        self._vader = SentimentIntensityAnalyzer()

    def opening(self, dialogues: Iterable[Dialogue]) -> list[Candidate]:
        """Those that begin with something the speaker says."""
        found, before = [], len(self.drops)
        for dialogue in dialogues:
            candidate = self._candidate(dialogue)
            if candidate is None:
                self.drops.append(Drop(id=dialogue.id, step="opening", reason="the speaker says nothing"))
            else:
                found.append(candidate)
        self._note("opening", "the speaker says something", len(self.drops) - before, len(found))
        return found

    def length(self, found: list[Candidate]) -> list[Candidate]:
        """Those whose prompt is neither short nor long among all."""
        low, high = np.quantile([one.tokens for one in found] or [0], [0.25, 0.75])
        rule = f"the prompt has {low:g} to {high:g} tokens (first to third quartile)"
        return self._keep(
            "length", rule, found, lambda one: low <= one.tokens <= high, lambda one: f"{one.tokens} tokens"
        )

    def colour(self, found: list[Candidate], least: float) -> list[Candidate]:
        """Those whose first utterance VADER finds clearly coloured, and the way of the label."""
        rule = f"VADER's compound of the first utterance is at least {least:g} towards its polarity"
        sign = {"positive": 1.0, "negative": -1.0}
        return self._keep(
            "colour",
            rule,
            found,
            lambda one: one.compound * sign[one.polarity] >= least,
            lambda one: f"compound {one.compound:+.3f}, labelled {one.polarity}",
        )

    def topic(
        self, found: list[Candidate], rules: Rules, draw: random.Random
    ) -> tuple[list[Candidate], dict[str, int]]:
        """At most so many of each group of dialogues that begin alike."""
        order = draw.sample(range(len(found)), len(found))
        group = topics.groups(topics.vectors([one.opening for one in found]), order, rules.similarity)
        place: Counter[int] = Counter()
        reasons: dict[int, str] = {}
        for index in order:
            founder = int(group[index])
            place[founder] += 1
            if place[founder] > rules.per_topic:
                reasons[id(found[index])] = f"begins like {found[founder].dialogue.id}"
        rule = f"at most {rules.per_topic} of those whose first utterances are alike (cosine ≥ {rules.similarity:g})"
        kept = self._keep("topic", rule, found, lambda one: id(one) not in reasons, lambda one: reasons[id(one)])
        sizes = {"groups": len(place), "largest": max(place.values(), default=0)}
        return kept, {**sizes, "dialogues_in_groups_of_two_or_more": sum(n for n in place.values() if n > 1)}

    def balance(self, found: list[Candidate], count: int, draw: random.Random) -> list[Candidate]:
        """As many of one polarity as of the other, as even over the emotions as can be."""
        wanted = {POLES[0]: count // 2, POLES[1]: count - count // 2}
        chosen: set[int] = set()
        for pole, number in wanted.items():
            there = [one for one in found if one.polarity == pole]
            if len(there) < number:
                _too_few(pole, len(there), number, self.steps)
            chosen.update(id(one) for one in _evenly(there, number, draw))
        rule = f"{wanted['positive']} positive, {wanted['negative']} negative, evenly over emotions"
        return self._keep("balance", rule, found, lambda one: id(one) in chosen, lambda _: "not drawn")

    def _candidate(self, dialogue: Dialogue) -> Candidate | None:
        opening = next((turn.text for turn in dialogue.turns if turn.role == "speaker" and turn.text.strip()), None)
        if opening is None:
            return None
        compound = float(self._vader.polarity_scores(opening)["compound"])
        known = dialogue.polarity or polarity_of(dialogue.emotion)
        return Candidate(
            dialogue=dialogue,
            opening=opening,
            tokens=tokens(dialogue.situation or opening),
            compound=compound,
            polarity=known or ("positive" if compound >= 0 else "negative"),
            emotion=dialogue.emotion or NO_EMOTION,
        )

    def _keep(
        self,
        name: str,
        rule: str,
        found: list[Candidate],
        keeps: Callable[[Candidate], bool],
        reason: Callable[[Candidate], str],
    ) -> list[Candidate]:
        kept = [one for one in found if keeps(one)]
        self.drops += [Drop(id=one.dialogue.id, step=name, reason=reason(one)) for one in found if not keeps(one)]
        self._note(name, rule, len(found) - len(kept), len(kept))
        return kept

    def _note(self, name: str, rule: str, dropped: int, left: int) -> None:
        self.steps.append(Step(name=name, rule=rule, dropped=dropped, left=left))


def _evenly(there: Sequence[Candidate], number: int, draw: random.Random) -> list[Candidate]:
    """Draw from each emotion in turn until there are enough; which emotions get one more is left to the draw."""
    by_emotion: dict[str, list[Candidate]] = defaultdict(list)
    for one in there:
        by_emotion[one.emotion].append(one)
    piles = [draw.sample(by_emotion[emotion], len(by_emotion[emotion])) for emotion in sorted(by_emotion)]
    drawn: list[Candidate] = []
    while len(drawn) < number:
        turn = [pile for pile in piles if pile]
        draw.shuffle(turn)
        drawn += [pile.pop() for pile in turn[: number - len(drawn)]]
    return drawn


def _check(rules: Rules) -> None:
    if rules.count < 2 or rules.per_topic < 1:
        raise SettingError("Select at least 2 scenarios (-n), and keep at least 1 per topic (--per-topic).")
    if not 0 <= rules.colour <= 1 or not 0 < rules.similarity <= 1:
        raise SettingError("--colour lies between 0 and 1, --similarity above 0 and up to 1.")


def _too_few(pole: str, there: int, number: int, steps: Sequence[Step]) -> None:
    trail = ", ".join(f"{step.name} left {step.left:,}" for step in steps)
    what = f"{number:,} {pole} scenarios are wanted and {there:,} are left ({trail})."
    hint = f"Ask for fewer (-n {2 * there}), or be less strict: --colour 0.2, --similarity 0.6 or --per-topic 3."
    raise SettingError(f"{what} {hint}")
