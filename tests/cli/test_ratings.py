"""Files of ratings and an instrument become observations and a scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files, registry
from empathic.cli import ratings
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Instrument, Rating


def instrument(name: str) -> Instrument:
    found: Instrument = registry.find("instrument", name).thing
    return found


def rating(item: str, value: float | None, name: str = "ieval-likert", **other: object) -> Rating:
    missing = None if value is not None else "refused"
    return Rating(rater="human:a", instrument=name, item=item, target="t", value=value, missing=missing, **other)


def test_the_eshcc_is_a_scale_of_ten_items_four_components_and_a_total() -> None:
    found = ratings.scale_of(instrument("eshcc"))
    assert len(found.items) == 10 and found.total == "total"
    assert list(found.factors) == ["cognitive", "affective", "attitudinal", "attunement"]
    assert found.components["cognitive"] == ("inner_world", "cognitive_framework", "fallacy_avoidance")


def test_a_nominal_item_is_kept_apart() -> None:
    found = ratings.scale_of(instrument("eshcc-turn"))
    assert found.nominal == {"opportunity": (0.0, 1.0, 2.0, 3.0)} and "opportunity" not in found.items
    assert found.total == "total"


def test_a_component_named_like_its_item_is_told_apart() -> None:
    found = ratings.scale_of(instrument("epitome"))
    assert list(found.components) == ["er (score)", "ip (score)", "ex (score)"]


def test_observations_have_reversed_items_turned_and_the_component_scores() -> None:
    given = [rating("P", 4.0, order=3), rating("^P", 2.0), rating("EU", 5.0), rating("ER", 2.0), rating("L", None)]
    found = {each.measure: each for each in ratings.observations(instrument("ieval-likert"), given)}
    assert (found["^P"].value, found["P"].value, found["P"].place) == (4.0, 4.0, 3)
    assert found["empathetic"].value == 3.5
    assert found["L"].value is None and found["likable"].value is None
    assert ratings.missing(given) == {"refused": 1}
    swapped = ratings.observations(instrument("ieval-likert"), [rating("P", 4.0, metadata={"labels": "B/A"})])
    assert (swapped[0].swapped, found["P"].swapped) == (1, None)


def test_ratings_come_from_a_file_or_a_run_folder(tmp_path: Path) -> None:
    given = [rating("P", 4.0)]
    files.write_lines(tmp_path / "ratings.jsonl", given)
    assert ratings.read([tmp_path]) == ratings.read([tmp_path / "ratings.jsonl"]) == given
    (tmp_path / "d.jsonl").write_text('{"id": "d", "turns": [{"role": "speaker", "text": "a"}]}\n')
    with pytest.raises(InputError, match="holds no ratings"):
        ratings.read([tmp_path / "d.jsonl"])


def test_the_only_instrument_need_not_be_named() -> None:
    assert ratings.find(None, [rating("P", 4.0)]).id == "ieval-likert"
    with pytest.raises(SettingError, match="on ieval-likert, teq: choose one"):
        ratings.find(None, [rating("P", 4.0), rating("1", 4.0, "teq")])
    with pytest.raises(UnknownName, match="Did you mean 'eshcc'"):
        ratings.find("eshc")


def test_no_rating_on_the_instrument_says_what_there_is() -> None:
    with pytest.raises(InputError, match="no rating is on 'eshcc'; there are ratings on: ieval-likert"):
        ratings.on(instrument("eshcc"), [rating("P", 4.0)])
