"""The observer study in a real browser, against the real server: the transcript beside the items, blind, complete."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from browsing import Keyboard, Person, Study, inspect

OFFLINE = "net::ERR_"
CONVERSATIONS, ITEMS = 2, 10


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    folder = tmp_path_factory.mktemp("observer") / "study"
    made = Study("observer", folder, per_rater=CONVERSATIONS, raters=4)
    made.start()
    yield made
    made.end(signal.SIGINT)


def to_ratings(person: Person) -> Person:
    person.begin()
    while not person.heading.startswith("Conversation"):
        person.press("Continue")
    return person


def check_stored(person: Person, given: dict[str, float]) -> None:
    """What was answered is in the database and in the export, and the code is the one of the outcome."""
    study, who = person.study, person.name
    assert person.code() == study.content["codes"]["complete"]
    stored = study.answers(who)
    assert len(given) == CONVERSATIONS * ITEMS
    assert {name: stored[name] for name in given} == given
    exported = {(each["target"], each["item"]): each["value"] for each in study.export(who)}
    for place, thing in enumerate(study.person(who)["seat"]["things"]):
        for name in (name for name in given if name.startswith(f"rate.{place}.")):
            assert exported[thing, name.split(".", 2)[2]] == given[name]


def test_the_whole_study_can_be_taken_with_the_keyboard_alone(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study, Keyboard))
    check_stored(person, person.take())


@pytest.mark.slow
def test_every_page_can_be_loaded_again_and_is_as_it_was(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study))
    seat = study.person(person.name)["seat"]
    given = person.take_reloading()
    assert study.person(person.name)["seat"] == seat
    person.press("Finish")
    check_stored(person, given)


def test_the_conversation_stays_beside_the_items_with_their_definitions(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study))
    page = person.page
    talk, items = page.locator(".beside > section").all()
    assert talk.bounding_box()["x"] + talk.bounding_box()["width"] <= items.bounding_box()["x"]
    last = page.locator("fieldset").last
    last.scroll_into_view_if_needed()
    box = talk.bounding_box()
    assert box["y"] < last.bounding_box()["y"] + 100  # it has moved along: without that it would be far above
    assert box["y"] + box["height"] > 200
    assert page.locator("fieldset .said").count() == ITEMS
    assert all(len(text) > 60 for text in page.locator("fieldset .said").all_inner_texts())
    page.set_viewport_size({"width": 360, "height": 800})
    assert talk.bounding_box()["y"] < items.bounding_box()["y"]


def test_no_page_tells_which_system_speaks(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study))
    things = study.person(person.name)["seat"]["things"]
    names = {"eliza", "if-else", *things}
    while not person.page.locator("[data-code]").count():
        source = person.page.content()
        assert not [name for name in names if name in source]
        person.choose()
        person.press("Finish" if person.step == "finish" else "Continue")
    assert len(set(things)) == len(things)


def test_ten_items_answered_offline_arrive_when_the_connection_is_back(
    study: Study, someone: Any, tolerated: list[str]
) -> None:
    tolerated.append(OFFLINE)
    person = to_ratings(someone(study))
    person.page.context.set_offline(True)
    given = person.choose()
    person.page.get_by_text("No connection").wait_for()
    assert "rate.0.concern" not in study.answers(person.name)
    person.page.context.set_offline(False)
    person.saved()
    stored = study.answers(person.name)
    assert {name: stored[name] for name in given} == given
    assert len([each for each in study.events(person.name) if set(each) & set(given)]) == ITEMS


@pytest.mark.slow
def test_the_plain_forms_need_no_script(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study, java_script_enabled=False))
    check_stored(person, person.take())


def test_nobody_is_shut_out_of_any_page(
    study: Study, someone: Any, axe: Any, tolerated: list[str], screens: list[tuple[int, str]]
) -> None:
    tolerated += ["422"]
    person = someone(study).open()
    wrong = inspect(person, axe, screens)
    person.press("Start")
    wrong += inspect(person, axe, screens)
    person.press("I agree")
    wrong += inspect(person, axe, screens)
    to_ratings(person)
    wrong += inspect(person, axe, screens)
    person.press("Continue")  # nothing is answered
    wrong += inspect(person, axe, screens)
    person.choose()
    wrong += inspect(person, axe, screens)
    person.take()
    wrong += inspect(person, axe, screens)
    assert wrong == []
