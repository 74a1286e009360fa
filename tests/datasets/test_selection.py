from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets.selection import Rules, select, tokens
from empathic.errors import SettingError
from empathic.records import Dialogue, Turn

GOOD, BAD = "I love this wonderful {}, I am so happy!", "I hate this horrible {}, it is terrible and sad!"
THINGS = ["dog", "exam", "river", "cake", "garden", "bus", "violin", "letter", "storm", "shoe", "island", "clock"]


def dialogue(
    name: str, opening: str, *, emotion: str | None = None, situation: str | None = "one two three"
) -> Dialogue:
    return Dialogue(id=name, turns=(Turn(role="speaker", text=opening),), emotion=emotion, situation=situation)


def many() -> list[Dialogue]:
    """Twelve positive dialogues of three emotions (six, four, two) and twelve negative ones of one emotion."""
    kinds = ["proud"] * 6 + ["joyful"] * 4 + ["hopeful"] * 2
    good = [dialogue(f"p{n}", GOOD.format(THINGS[n]), emotion=kind) for n, kind in enumerate(kinds)]
    return good + [dialogue(f"n{n}", BAD.format(THINGS[n]), emotion="sad") for n in range(12)]


def test_length_keeps_the_middle_half() -> None:
    made = [dialogue(f"d{n}", GOOD.format(THINGS[n]), situation="word " * (n + 1)) for n in range(9)]
    made += [dialogue(f"e{n}", BAD.format(THINGS[n]), situation="word " * (n + 1)) for n in range(9)]
    chosen, account = select(made, Rules(count=10, similarity=1.0), seed=1)
    assert {tokens(one.situation or "") for one in chosen} == {3, 4, 5, 6, 7}
    assert [(step.name, step.dropped, step.left) for step in account.steps[:2]] == [
        ("opening", 0, 18),
        ("length", 8, 10),
    ]
    assert "3 to 7 tokens" in account.steps[1].rule


def test_colour_keeps_what_is_clear_and_agrees_with_its_label() -> None:
    made = many()
    made += [dialogue("grey", "I went to the shop."), dialogue("against", GOOD.format("cup"), emotion="sad")]
    _, account = select(made, Rules(count=4, similarity=1.0), seed=1)
    reasons = {drop.id: drop.reason for drop in account.dropped if drop.step == "colour"}
    assert reasons == {"grey": "compound +0.000, labelled positive", "against": reasons["against"]}
    assert reasons["against"].endswith("labelled negative")


def test_one_of_several_that_begin_alike_stays() -> None:
    made = many() + [dialogue(f"twin{n}", BAD.format("dog"), emotion="sad") for n in range(3)]
    chosen, account = select(made, Rules(count=24, similarity=0.99), seed=1)
    alike = [one.id for one in chosen if one.id in ("n0", "twin0", "twin1", "twin2")]
    assert len(alike) == 1
    reasons = [drop.reason for drop in account.dropped if drop.step == "topic"]
    assert reasons == [f"begins like {alike[0]}"] * 3
    assert account.topics == {"groups": 24, "largest": 4, "dialogues_in_groups_of_two_or_more": 4}
    kept, _ = select(made, Rules(count=24, similarity=0.99, per_topic=2), seed=1)
    assert len(kept) == 24


def test_the_draw_is_balanced_over_polarity_and_even_over_emotions() -> None:
    chosen, account = select(many(), Rules(count=14, similarity=1.0), seed=3)
    assert account.by_polarity == {"positive": 7, "negative": 7}
    emotions = Counter(one.emotion for one in chosen)
    assert emotions["hopeful"] == 2
    assert sorted([emotions["proud"], emotions["joyful"]]) == [2, 3]
    assert [one.id for one in chosen] == [one.id for one in many() if one.id in account.selected]


def test_the_same_seed_selects_the_same_and_another_does_not() -> None:
    def draw(seed: int) -> tuple[str, ...]:
        return select(many(), Rules(count=10, similarity=1.0), seed=seed)[1].selected

    assert draw(1) == draw(1)
    assert len({draw(seed) for seed in range(5)}) > 1


def test_every_dialogue_is_selected_or_dropped_with_a_reason() -> None:
    made = [*many(), Dialogue(id="mute", turns=(Turn(role="listener", text="Hello?"),))]
    chosen, account = select(made, Rules(count=6, similarity=1.0), seed=1)
    assert {one.id for one in chosen} | {drop.id for drop in account.dropped} == {one.id for one in made}
    assert sum(step.dropped for step in account.steps) == len(account.dropped) == len(made) - 6
    assert all(drop.reason for drop in account.dropped)
    assert account.dropped[0].reason == "the speaker says nothing"


def test_too_few_says_what_to_type() -> None:
    with pytest.raises(SettingError, match=r"20 positive scenarios are wanted and 12 are left.*-n 24.*--colour 0.2"):
        select(many(), Rules(count=40, similarity=1.0), seed=1)


@pytest.mark.parametrize(
    "rules", [Rules(count=1), Rules(count=4, colour=2), Rules(count=4, similarity=0), Rules(count=4, per_topic=0)]
)
def test_rules_out_of_range_are_refused(rules: Rules) -> None:
    with pytest.raises(SettingError):
        select(many(), rules, seed=1)


def test_empathetic_dialogues_keep_about_the_share_that_ieval_kept(shared: Path) -> None:
    path = shared / "data" / "welivita2024" / "dataset_and_ratings.csv"
    dialogues = [record for record in datasets.read(path) if isinstance(record, Dialogue)]
    chosen, account = select(dialogues, Rules(count=240), seed=1)
    left = {step.name: step.left for step in account.steps}
    assert left["colour"] / len(dialogues) == pytest.approx(527 / 2547, abs=0.03)
    assert Counter(one.polarity for one in chosen) == {"positive": 120, "negative": 120}
    assert len(account.by_emotion) >= 30
