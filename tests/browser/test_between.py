"""The between-groups study in a real browser, against the real server: nothing is lost, nobody is shut out."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from browsing import Keyboard, Person, Study, inspect

BATCH = 4  # the example has 80 responses per condition: all batches are whole
OFFLINE = "net::ERR_"
PEOPLE = itertools.cycle(itertools.product(("female", "male"), (22, 33, 50, 70)))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    checks = [{"id": "first", "page": 1, "expect": 1, "text": "Please choose Bad here."}]
    made = Study("between", tmp_path_factory.mktemp("between") / "study", batch=BATCH, checks=checks)
    made.start()
    yield made
    made.end(signal.SIGINT)


def begin(person: Person) -> Person:
    """Into the task, as somebody of the next group: no group fills up."""
    gender, age = next(PEOPLE)
    return person.begin(gender, age)


def to_ratings(person: Person) -> Person:
    begin(person)
    person.press("Continue")  # the tutorial
    person.choose()
    person.press("Continue")  # the questionnaire
    assert person.heading == f"Response 1 of {BATCH}"
    return person


def check_stored(person: Person, given: dict[str, float]) -> None:
    """What was answered is in the database and in the export, and the code is the one of the outcome."""
    study, who = person.study, person.name
    assert person.code() == study.content["codes"]["complete"]
    assert study.person(who)["outcome"] == "complete"
    stored = study.answers(who)
    assert {name: stored[name] for name in given} == given
    exported = study.export(who)
    seat = study.person(who)["seat"]
    ratings = {each["target"]: each["value"] for each in exported if each["instrument"] == "bad-okay-good"}
    assert [ratings[thing] for thing in seat["things"]] == [given[f"rate.{place}.empathy"] for place in range(BATCH)]
    assert sum(each["instrument"] == "teq" for each in exported) == 16


def test_the_whole_study_can_be_taken_with_the_keyboard_alone(study: Study, someone: Any) -> None:
    person = begin(someone(study, Keyboard))
    check_stored(person, person.take())


def test_every_page_can_be_loaded_again_and_is_as_it_was(study: Study, someone: Any) -> None:
    person = begin(someone(study))
    seat = study.person(person.name)["seat"]
    given = person.take_reloading()
    person.page.reload()
    person.press("Finish")
    person.page.reload()
    assert study.person(person.name)["seat"] == seat
    check_stored(person, given)


def test_going_back_and_changing_ones_mind_counts(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study))
    person.fill({"rate.0.empathy": 1})
    person.press("Continue")
    person.page.go_back()
    assert person.heading == f"Response 1 of {BATCH}"
    person.fill({"rate.0.empathy": 3})
    person.press("Continue")
    assert person.heading == f"Response 2 of {BATCH}"
    assert study.answers(person.name)["rate.0.empathy"] == 3
    changes = [each["rate.0.empathy"] for each in study.events(person.name) if "rate.0.empathy" in each]
    assert changes == [1, 3]


def test_two_tabs_are_one_person_and_neither_loses_the_others_answers(study: Study, someone: Any) -> None:
    first = to_ratings(someone(study))
    second = Person(study, first.page.context.new_page()).open("/study")
    assert (second.name, second.heading) == (first.name, first.heading)
    first.fill({"rate.0.empathy": 1})
    second.fill({"rate.0.empathy": 2})
    second.saved()
    first.saved()
    given = first.take()
    stored = study.answers(first.name)
    assert {name: stored[name] for name in given} == given
    second.page.reload()
    assert second.code() == first.code()
    second.page.go_back()
    assert len(study.rows("SELECT * FROM lease WHERE participant = ?", first.name)) == 1


def test_two_tabs_that_send_what_is_left_at_once_lose_none_of_it(
    study: Study, someone: Any, tolerated: list[str]
) -> None:
    tolerated.append(OFFLINE)
    person = to_ratings(someone(study))
    context = person.page.context
    other = Person(study, context.new_page())
    person.page.add_init_script(BREAKS)
    other.page.add_init_script(LATE)
    person.open("/study")
    other.open("/study")
    context.set_offline(True)
    for value in (1, 2, 3):
        person.fill({"rate.0.empathy": value})
    person.page.get_by_text("No connection").wait_for()
    person.page.evaluate("window.count = 0")
    context.set_offline(False)
    person.saved()
    other.saved()
    assert _values(study, person.name, "rate.0.empathy") == [1, 2, 3]


# The other tab hears late that the first answer is stored; this one loses its connection with the second on the way. If
# the other then took away whatever is first in line, the second would be gone without having been sent.
WRAP = """const real = window.fetch;
window.fetch = async (...request) => {
  if (request[0] !== "/api/answers") return real(...request);
  window.count = (window.count ?? 0) + 1;
  %s
};"""
LATE = WRAP % "const answer = await real(...request); await new Promise((go) => setTimeout(go, 1500)); return answer;"
BREAKS = (
    WRAP
    % """if (window.count === 2) {
    await new Promise((go) => setTimeout(go, 3000));
    throw new TypeError("no connection");
  }
  return real(...request);"""
)


def _values(study: Study, who: str, field: str) -> list[float]:
    return [each[field] for each in study.events(who) if field in each]


def test_the_personal_link_continues_in_another_browser(study: Study, someone: Any) -> None:
    person = someone(study).open()
    person.press("Start")
    link = person.page.get_by_role("link", name="your personal link").get_attribute("href")
    person.press("I agree")
    person.fill({"about.gender": "female"})
    person.page.locator('[name="about.age"]').fill("66")
    person.press("Continue")
    person.press("Continue")
    given = person.choose()
    person.saved()
    other = someone(study).open(link)
    other.press("Start")
    assert (other.name, study.person(other.name)["seat"]) == (person.name, study.person(person.name)["seat"])
    assert other.heading == f"Response 1 of {BATCH}"  # everything before it is answered
    check_stored(other, given | other.take())
    assert len(study.rows("SELECT * FROM session WHERE participant = ?", person.name)) == 2


@pytest.mark.parametrize("seconds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_seconds_offline_lose_nothing_and_the_page_says_so(
    study: Study, someone: Any, tolerated: list[str], seconds: int
) -> None:
    tolerated.append(OFFLINE)
    person = to_ratings(someone(study))
    context, status = person.page.context, person.page.locator("[data-status]")
    context.set_offline(True)
    person.fill({"rate.0.empathy": 3})
    status.get_by_text("No connection. Your answers are kept here").wait_for()
    person.page.get_by_role("button", name="Continue").click()
    person.page.wait_for_timeout(1000 * seconds)
    assert "No connection" in status.inner_text()
    assert "rate.0.empathy" not in study.answers(person.name)
    with person.page.expect_navigation():
        context.set_offline(False)
    assert person.heading == f"Response 2 of {BATCH}"
    assert _values(study, person.name, "rate.0.empathy") == [3]


def test_a_tab_closed_while_offline_sends_its_answers_when_it_comes_back(
    study: Study, someone: Any, tolerated: list[str]
) -> None:
    tolerated.append(OFFLINE)
    person = to_ratings(someone(study))
    context, who = person.page.context, person.name
    context.set_offline(True)
    person.fill({"rate.0.empathy": 2})
    person.page.get_by_text("No connection").wait_for()
    person.page.close()
    context.set_offline(False)
    again = Person(study, context.new_page()).open("/study")
    study.wait(lambda: _values(study, who, "rate.0.empathy") == [2])
    again.page.reload()
    assert again.heading == f"Response 2 of {BATCH}"


def test_a_killed_server_that_is_started_again_is_not_noticed(study: Study, someone: Any, tolerated: list[str]) -> None:
    tolerated.append(OFFLINE)
    person = to_ratings(someone(study))
    seat = study.person(person.name)["seat"]
    person.fill({"rate.0.empathy": 1})
    person.saved()
    study.end(signal.SIGKILL)
    person.fill({"rate.0.empathy": 3})
    person.page.get_by_text("No connection").wait_for()
    study.start()
    person.saved()
    given = person.take()
    assert study.person(person.name)["seat"] == seat
    check_stored(person, given)
    assert _values(study, person.name, "rate.0.empathy")[:2] == [1, 3]


def test_the_plain_forms_need_no_script(study: Study, someone: Any) -> None:
    person = begin(someone(study, java_script_enabled=False))
    check_stored(person, person.take())


def test_a_missing_answer_is_named_and_the_others_are_kept(study: Study, someone: Any, tolerated: list[str]) -> None:
    tolerated.append("422")
    person = begin(someone(study))
    person.press("Continue")
    first, *rest = person.names()
    person.fill(dict.fromkeys(rest, 2))
    person.press("Continue")
    assert person.page.locator("[data-focus]").inner_text() == "1 answer is still missing; what you gave is saved."
    assert person.page.evaluate("document.activeElement.matches('[data-focus]')")
    assert person.page.locator("fieldset.missing").count() == 1
    assert set(rest) <= set(study.answers(person.name))
    person.fill({first: 1})
    person.press("Continue")
    assert person.heading == f"Response 1 of {BATCH}"


def test_an_impossible_answer_is_not_called_saved(study: Study, someone: Any, tolerated: list[str]) -> None:
    tolerated.append("422")
    person = someone(study).open()
    person.press("Start")
    person.press("I agree")
    person.fill({"about.gender": "male"})
    person.page.locator('[name="about.age"]').fill("7")
    person.page.keyboard.press("Tab")
    person.page.get_by_text("Not saved").wait_for()
    assert study.answers(person.name) == {"about.gender": "male"}
    person.press("Continue")
    assert "from 18 to 120" in person.page.locator(".why").inner_text()


def test_who_stops_is_asked_and_then_forgotten(study: Study, someone: Any) -> None:
    person = to_ratings(someone(study))
    who = person.name
    person.fill({"rate.0.empathy": 1})
    person.saved()
    person.page.get_by_role("link", name="Stop and withdraw").click()
    person.page.get_by_role("link", name="Go back to the study").click()
    assert study.person(who)["state"] == "active"
    person.open("/withdraw")
    person.press("Withdraw and erase")
    assert person.code() == study.content["codes"]["withdrawn"]
    assert study.person(who)["state"] == "withdrawn"
    assert study.answers(who) == {}
    assert study.rows("SELECT * FROM identity WHERE participant = ?", who) == []


def test_nobody_is_shut_out_of_any_page(
    study: Study, someone: Any, axe: Any, tolerated: list[str], screens: list[tuple[int, str]]
) -> None:
    tolerated += ["401", "404", "422"]
    stranger = someone(study).open("/study")
    wrong = inspect(stranger, axe, screens)
    person = someone(study).open()
    wrong += inspect(person, axe, screens)
    person.press("Start")
    wrong += inspect(person, axe, screens)
    person.press("I agree")
    wrong += inspect(person, axe, screens)
    person.press("Continue")  # nothing is answered: every field is marked
    wrong += inspect(person, axe, screens)
    person.fill({"about.gender": "male"})
    person.page.locator('[name="about.age"]').fill("44")
    person.press("Continue")
    seen: set[str] = set()
    while not person.page.locator("[data-code]").count():
        if person.step.split("-")[0] not in seen:
            wrong += inspect(person, axe, screens)
        seen.add(person.step.split("-")[0])
        person.choose()
        person.press("Finish" if person.step == "finish" else "Continue")
    person.page.locator("summary").click()
    wrong += inspect(person, axe, screens)
    for path in ("/withdraw", "/nothing"):
        wrong += inspect(person.open(path), axe, screens)
    assert seen == {"tutorial", "teq", "rate", "comment", "finish"}
    assert wrong == []
