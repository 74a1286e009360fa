from __future__ import annotations

import numpy as np
import pytest

from empathic.cli.rated import levels, ratings, traits
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Dialogue, Rater, Rating, Response, Turn

TURNS = (Turn(role="speaker", text="Hi."),)


def teq(number: int) -> list[Rating]:
    answers = np.random.default_rng(number).integers(0, 5, 16).astype(float)
    about = {
        "rater": f"r{number}",
        "instrument": "teq",
        "target": f"t{number}",
        "system": "one",
        "metadata": {"part": number},
    }
    return [Rating(item=str(item), value=value, **about) for item, value in enumerate(answers.tolist(), 1)]


def test_a_component_becomes_one_rating_per_sheet() -> None:
    (scored,) = ratings(teq(1), instrument=None, component="total")
    answers = np.array([rating.value for rating in teq(1)])
    reverse = [1, 3, 6, 9, 10, 11, 13, 14]
    answers[reverse] = 4 - answers[reverse]
    assert scored.value == answers.sum()
    assert (scored.rater, scored.item, scored.system, scored.metadata) == ("r1", "total", "one", {"part": 1})


def test_one_instrument_is_chosen() -> None:
    other = Rating(rater="r", instrument="other", item="1", target="t", value=1.0)
    assert ratings([*teq(1), other], instrument="other", component=None) == [other]
    with pytest.raises(UnknownName, match="No instrument is called 'othr'"):
        ratings([other], instrument="othr", component=None)
    with pytest.raises(InputError, match="type --instrument"):
        ratings([*teq(1), other], instrument=None, component="total")
    with pytest.raises(UnknownName, match="No component is called 'sum'"):
        ratings(teq(1), instrument=None, component="sum")


def test_levels_come_from_dialogues_responses_and_metadata() -> None:
    dialogue = Dialogue(id="d", turns=TURNS, emotion="sad")
    response = Response(id="x", system="s", dialogue="d", turns=TURNS, text="Oh.", metadata={"emotion": "glad"})
    rating = Rating(rater="r", instrument="i", item="1", target="y", value=1.0, metadata={"emotion": "calm"})
    assert levels([dialogue, response, rating], "emotion") == {"d": "sad", "x": "glad", "y": "calm"}
    with pytest.raises(SettingError, match="Nothing in the file has 'colour'"):
        levels([dialogue], "colour")


def test_traits_are_numbers() -> None:
    people = [Rater(id="a", traits={"teq": 40, "town": "Bern"}), Rater(id="b", traits={"town": "Biel"})]
    assert traits(people, "teq") == {"a": 40.0}
    with pytest.raises(SettingError, match="Known: teq, town"):
        traits(people, "town")
