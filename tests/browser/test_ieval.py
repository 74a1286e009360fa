"""The chat study in a real browser, against the real server: no turn is lost or doubled, ranking needs no mouse."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import SECONDS, Keyboard, Person, Study, inspect

OFFLINE = "net::ERR_"
TOLD = "I hear you, and I feel with you."
BOTS = [{"name": name, "system": "words"} for name in ("ada", "bob", "cy")]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    load = ("--load", str(Path(__file__).parent / "bots.py"))
    made = Study("ieval", tmp_path_factory.mktemp("ieval") / "study", *load, bots=BOTS, comment="")
    made.start()
    yield made
    made.end(signal.SIGINT)


def to_chat(person: Person) -> Person:
    """In the first chat, the first message answered."""
    person.begin()
    person.press("Send it and begin")
    person.quiet()
    return person


def to_ranking(person: Person) -> Person:
    """Past the first chats, by plain requests: what they do is tested elsewhere."""
    person.begin()
    for place in (1, 2, 3):
        post(person, f"/study/chat-{place}", action="begin")
        for text in ("One more thing.", "And that was it."):
            person.study.wait(lambda: {row[3] for row in person.study.turns(person.name)} == {"done"})
            post(person, f"/study/chat-{place}", action="say", text=text)
        person.study.wait(lambda: {row[3] for row in person.study.turns(person.name)} == {"done"})
        post(person, f"/study/chat-{place}", action="close")
        person.open(f"/study/likert-{place}")
        post(person, f"/study/likert-{place}", **dict.fromkeys(person.names(), "3"))
    person.open("/study/rank-1")
    assert person.heading == "Compare the chatbots"
    return person


def post(person: Person, path: str, **fields: str) -> Any:
    """A form of this person's session, sent without the page."""
    token = person.page.locator("body").get_attribute("data-csrf")
    address = person.study.address
    return person.page.context.request.post(
        address + path, form={"csrf": token, **fields}, headers={"Origin": address}, max_redirects=0
    )


def own(study: Study, who: str) -> list[str]:
    return [text for _, _, role, _, text in study.turns(who) if role == "speaker"]


def bots_turns(study: Study, who: str) -> list[tuple[str, str]]:
    return [(status, text) for _, _, role, status, text in study.turns(who) if role == "listener"]


def test_the_whole_study_can_be_taken_with_the_keyboard_alone(study: Study, someone: Any) -> None:
    person = someone(study, Keyboard).begin()
    given = person.take()
    assert person.code() == study.content["codes"]["complete"]
    who, seat = person.name, study.person(person.name)["seat"]
    stored = study.answers(who)
    assert {name: stored[name] for name in given} == given
    assert len(study.turns(who)) == 2 * 3 * 6  # two scenarios, three bots, three messages and three answers each
    assert {(status, text) for status, text in bots_turns(study, who)} == {("done", TOLD)}
    assert sorted(seat["bots"]) == ["ada", "bob", "cy"]
    assert len(set(seat["colours"].values())) == 3
    ranks = {
        (each["dialogue"], each["system"]): each["value"]
        for each in study.export(who)
        if each["instrument"] == "bad-okay-good"
    }
    assert sorted(ranks.values()) == [1, 1, 2, 2, 3, 3]
    assert sum(each["instrument"] == "ieval-likert" for each in study.export(who)) == 6 * 9


def test_chatbots_are_ranked_with_ties_by_the_keyboard(study: Study, someone: Any) -> None:
    person = to_ranking(someone(study, Keyboard))
    wanted = dict(zip(person.names(), (3, 1, 3), strict=True))
    person.fill(wanted)
    person.saved()
    good = person.page.locator('.bin[data-value="3"] .chip').count()
    assert (good, person.page.locator('.bin[data-value="1"] .chip').count()) == (2, 1)  # the board follows the radios
    person.press("Continue")
    stored = study.answers(person.name)
    assert {name: stored[name] for name in wanted} == wanted


def test_the_arrows_of_the_board_can_be_used_by_the_keyboard(study: Study, someone: Any) -> None:
    person = to_ranking(someone(study, Keyboard))
    for name in person.names():
        field = person.page.locator("fieldset[data-bot]", has=person.page.locator(f'[name="{name}"]'))
        bot = field.get_attribute("data-bot")
        person.reach(f'[aria-label="Move the {bot} chatbot one group better"]')
        person.page.keyboard.press("Enter")  # from nowhere into the middle
        person.page.keyboard.press("Space")
        assert person.page.locator("[role=status]", has_text=f"{bot} chatbot: Good").count() == 1
        person.page.keyboard.press("Home")
        person.page.locator("h1").click()
    person.saved()
    stored = study.answers(person.name)
    assert [stored[name] for name in person.names()] == [3, 3, 3]


@pytest.mark.parametrize("width", [1280, pytest.param(360, marks=pytest.mark.slow)])
def test_chatbots_are_ranked_by_dragging_and_by_their_arrows(study: Study, someone: Any, width: int) -> None:
    person = to_ranking(someone(study, viewport={"width": width, "height": 1200}))
    page, names = person.page, person.names()
    bots = page.locator("fieldset[data-bot]").evaluate_all("all => all.map(each => each.dataset.bot)")
    drag(page, bots[0], "3")
    drag(page, bots[1], "3")
    drag(page, bots[1], "1")
    better = page.get_by_role("button", name=f"Move the {bots[2]} chatbot one group better")
    better.click()
    person.saved()
    assert [study.answers(person.name)[name] for name in names] == [3, 1, 2]
    page.get_by_role("button", name=f"Move the {bots[2]} chatbot one group worse").click()
    person.press("Continue")
    assert [study.answers(person.name)[name] for name in names] == [3, 1, 1]


def drag(page: Any, bot: str, value: str) -> None:
    start = page.locator(f'.chip[data-bot="{bot}"] .bot-tag').bounding_box()
    end = page.locator(f'.bin[data-value="{value}"] h2').bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 10, steps=5)
    assert page.locator(f'.bin.over[data-value="{value}"]').count() == 1
    page.mouse.up()


def test_an_answer_appears_as_it_grows(study: Study, someone: Any) -> None:
    person = to_chat(someone(study))
    person.say("Tell me [slow]", wait=False)
    last = person.page.locator("[data-chat] li.bot [data-text]").last
    seen = set()
    while person.page.locator('[data-chat][data-waiting="yes"]').count():
        seen.add(last.inner_text())
        person.page.wait_for_timeout(50)
    growing = sorted(seen - {"…", TOLD}, key=len)
    assert len(growing) >= 3
    assert all(TOLD.startswith(each) for each in growing)
    assert last.inner_text() == TOLD
    assert person.page.locator("[data-news]").inner_text().endswith(TOLD)  # read aloud once, when it is whole
    assert person.page.evaluate("document.activeElement.matches('textarea')")


def test_a_tab_closed_during_an_answer_neither_loses_nor_doubles_a_turn(study: Study, someone: Any) -> None:
    person = to_chat(someone(study))
    who, context = person.name, person.page.context
    person.say("Closed [slow]", wait=False)
    person.page.wait_for_timeout(300)
    person.page.close()
    study.wait(lambda: [status for status, _ in bots_turns(study, who)] == ["done", "done"])
    again = Person(study, context.new_page()).open("/study")
    assert again.page.locator("[data-chat] li").count() == 4
    assert own(study, who)[1:] == ["Closed [slow]"]
    assert bots_turns(study, who) == [("done", TOLD)] * 2
    again.say("And on.")
    assert len(study.turns(who)) == 6


def test_every_moment_of_a_chat_can_be_loaded_again(study: Study, someone: Any) -> None:
    person = someone(study).begin()
    person.page.reload()
    person.press("Send it and begin")
    person.page.reload()
    person.quiet()
    person.page.locator("textarea").fill("Half a sent")
    person.page.reload()
    assert person.page.locator("textarea").input_value() == "Half a sent"
    person.say("Again [slow]", wait=False)
    for _ in range(3):
        person.page.reload()
    person.quiet()
    person.page.reload()
    assert own(study, person.name)[1:] == ["Again [slow]"]
    assert person.page.locator("[data-chat] li").count() == 4


def test_a_chatbot_that_fails_is_asked_again_and_the_failure_is_kept(study: Study, someone: Any) -> None:
    person = to_chat(someone(study))
    text = f"Please [fail] {person.name}"
    person.say(text)
    assert "could not answer. Your message is saved." in person.page.locator("[role=alert]").inner_text()
    assert bots_turns(study, person.name)[1] == ("failed", None)
    person.press("Ask for the answer again")
    person.quiet()
    assert bots_turns(study, person.name)[1] == ("done", TOLD)
    assert own(study, person.name)[1:] == [text]
    query = "SELECT attempts FROM turn JOIN chat ON chat.id = turn.chat WHERE participant = ? AND n = 3"
    assert study.rows(query, person.name) == [(2,)]
    assert study.events(person.name, "retry") == [{"chat": 0, "turn": 3, "missing": "the server answered 500"}]


def test_the_server_wants_three_answers_before_a_chat_ends(study: Study, someone: Any) -> None:
    person = to_chat(someone(study))
    for count in (1, 2):
        assert person.page.get_by_role("button", name="End the chat").count() == 0
        assert person.page.locator("[data-left]").inner_text() == str(3 - count)
        answer = post(person, "/study/chat-1", action="close")
        assert answer.status == 409
        assert f"{3 - count} more" in answer.text()
        assert "chat.0" not in study.answers(person.name)
        person.say(f"Message {count}")
    person.press("End the chat")
    assert study.answers(person.name)["chat.0"] is True


def test_a_message_written_offline_is_sent_once(study: Study, someone: Any, tolerated: list[str]) -> None:
    tolerated.append(OFFLINE)
    person = to_chat(someone(study))
    person.say("One")
    person.say("Two")
    context = person.page.context
    context.set_offline(True)
    person.page.locator("textarea").fill("From nowhere")
    person.page.keyboard.press("Enter")
    person.page.get_by_text("Not sent yet. Your message is kept").wait_for()
    person.page.wait_for_timeout(1500)
    assert own(study, person.name)[1:] == ["One", "Two"]
    assert person.page.get_by_role("button", name="End the chat").is_disabled()  # or it would end without the message
    context.set_offline(False)
    person.page.locator("[data-chat] li >> nth=7").wait_for(timeout=SECONDS)
    person.quiet()
    assert own(study, person.name)[1:] == ["One", "Two", "From nowhere"]
    assert person.page.locator("textarea").input_value() == ""


@pytest.mark.slow
def test_going_offline_during_an_answer_loses_nothing(study: Study, someone: Any, tolerated: list[str]) -> None:
    tolerated.append(OFFLINE)
    person = to_chat(someone(study))
    person.say("Now [slow]", wait=False)
    person.page.context.set_offline(True)
    person.page.wait_for_timeout(3000)
    person.page.context.set_offline(False)
    person.quiet()
    assert person.page.locator("[data-chat] li.bot [data-text]").last.inner_text() == TOLD
    assert len(study.turns(person.name)) == 4


def test_two_tabs_of_a_chat_cannot_talk_at_once_and_no_text_is_lost(
    study: Study, someone: Any, tolerated: list[str]
) -> None:
    tolerated.append("409")
    first = to_chat(someone(study))
    second = Person(study, first.page.context.new_page()).open("/study/chat-1")
    first.say("From the first [slow]", wait=False)
    second.page.locator("textarea").fill("From the second")
    second.page.keyboard.press("Enter")
    second.page.locator('[data-chat][data-waiting="yes"]').wait_for(state="attached")
    second.quiet()
    assert own(study, first.name)[1:] == ["From the first [slow]"]
    assert second.page.locator("textarea").input_value() == "From the second"
    second.page.get_by_role("button", name="Send").click()
    study.wait(lambda: own(study, first.name)[1:] == ["From the first [slow]", "From the second"])


@pytest.mark.slow
def test_a_killed_server_that_is_started_again_continues_the_chat(
    study: Study, someone: Any, tolerated: list[str]
) -> None:
    tolerated.append(OFFLINE)
    person = to_chat(someone(study))
    study.end(signal.SIGKILL)
    person.page.locator("textarea").fill("Are you there?")
    person.page.keyboard.press("Enter")
    person.page.get_by_text("Not sent yet").wait_for()
    study.start()
    person.page.locator("[data-chat] li >> nth=3").wait_for(timeout=SECONDS)
    person.quiet()
    assert own(study, person.name)[1:] == ["Are you there?"]
    assert bots_turns(study, person.name) == [("done", TOLD)] * 2


def test_a_chat_needs_no_script(study: Study, someone: Any) -> None:
    person = someone(study, java_script_enabled=False).begin()
    person.press("Send it and begin")
    for text in ("First", "Second"):
        person.quiet()
        person.page.locator("textarea").fill(text)
        person.press("Send")
    person.quiet()
    person.press("End the chat")
    assert own(study, person.name)[1:] == ["First", "Second"]
    person.choose()
    person.press("Continue")
    assert person.chatting()


def test_nobody_is_shut_out_of_any_page(
    study: Study, someone: Any, axe: Any, tolerated: list[str], screens: list[tuple[int, str]]
) -> None:
    tolerated += ["422"]
    person = someone(study).begin()
    wrong = inspect(person, axe, screens)
    person.press("Send it and begin")
    person.quiet()
    wrong += inspect(person, axe, screens)
    person.say(f"Wait [fail] {person.name}")
    wrong += inspect(person, axe, screens)
    person.press("Ask for the answer again")
    person.quiet()
    person.say("Wait [slow]", wait=False)
    wrong += inspect(person, axe, [(360, "dark")])
    person.quiet()
    wrong += inspect(person, axe, screens)
    person.press("End the chat")
    person.press("Continue")
    wrong += inspect(person, axe, screens)
    person.open("/study/chat-1")
    wrong += inspect(person, axe, screens)
    person = to_ranking(someone(study))
    wrong += inspect(person, axe, screens)
    person.press("Continue")
    wrong += inspect(person, axe, screens)
    person.choose()
    wrong += inspect(person, axe, screens)
    assert wrong == []


@pytest.mark.slow
def test_a_server_killed_during_an_answer_gives_it_after_its_return(
    study: Study, someone: Any, tolerated: list[str]
) -> None:
    tolerated.append(OFFLINE)
    person = to_chat(someone(study))
    person.say("Hold on [slow]", wait=False)
    study.wait(lambda: study.rows("SELECT * FROM chunk JOIN turn ON turn.id = chunk.turn WHERE status = 'waiting'"))
    study.end(signal.SIGKILL)
    person.page.get_by_text("No connection. The answer is kept").wait_for()
    assert bots_turns(study, person.name)[1][0] == "waiting"
    study.start()
    person.page.locator('[data-chat][data-waiting="no"]').wait_for(state="attached", timeout=60_000)
    assert bots_turns(study, person.name) == [("done", TOLD)] * 2
    assert person.page.locator("li.bot [data-text]").all_inner_texts() == [TOLD, TOLD]
    assert own(study, person.name)[1:] == ["Hold on [slow]"]


@pytest.mark.slow
def test_the_example_as_it_is_can_be_taken_by_telephone(tmp_path_factory: pytest.TempPathFactory, someone: Any) -> None:
    """Four built-in systems, eight chats, 360 pixels, touch."""
    example = Study("ieval", tmp_path_factory.mktemp("example") / "study")
    example.start()
    try:
        person = someone(example, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).begin()
        given = person.take()
        assert person.code() == example.content["codes"]["complete"]
        assert len([name for name in given if name.startswith("rank.")]) == 8
        assert {status for status, _ in bots_turns(example, person.name)} == {"done"}
        assert len(example.turns(person.name)) == 8 * 6
        systems = {each["system"] for each in example.export(person.name) if each["system"]}
        assert systems == {"eliza", "if-else", "echo", "retrieval"}
    finally:
        example.end(signal.SIGINT)
