"""The pages of the three studies, taken without JavaScript: what is shown, stored and never lost."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.studies import participants, schema, versions
from empathic.studies.export import export
from empathic.studies.store import Store

on_both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)


def rows(store: Store) -> dict[str, int]:
    with store.read() as connection:
        return {
            name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for name, table in schema.metadata.tables.items()
        }


def take(browser: Any) -> None:
    """Go through all pages that are left, up to the code."""
    for _ in range(60):
        if "data-code" in browser.page:
            return
        browser.step()


@on_both
def test_a_between_groups_study_is_taken_from_the_link_to_the_code(served: Any, store: Store) -> None:
    browser = served()()
    assert "We ask how empathic answers are." in browser.open("/")
    browser.send("/start")
    assert browser.title() == "Your consent"
    browser.send("/study/consent", agree="yes")
    assert browser.title() == "About you"
    browser.send("/study/about", **{"about.gender": "female", "about.age": "30"})
    assert browser.path == "/study/tutorial"
    titles = []
    for _ in range(5):
        browser.step()
        titles.append(browser.title())
    teq = "Toronto Empathy Questionnaire (TEQ)"
    assert titles == [teq, "Response 1 of 2", "Response 2 of 2", "Your comment", "Finish"]
    assert "DONE-1" not in browser.page
    browser.step()
    assert "DONE-1" in browser.page
    assert "The answers were written by people and by systems." in browser.page
    assert len(export(store).ratings) == 18


@on_both
def test_the_observer_sees_the_whole_transcript_beside_the_items(served: Any, store: Store) -> None:
    browser = served("observer")()
    browser.begin()
    browser.step()
    assert browser.page.count("<fieldset") == 10
    assert "Tell me more of" in browser.page
    assert "beside" in browser.page
    take(browser)
    assert "DONE-1" in browser.page
    assert len(export(store).ratings) == 3 * 10


def answered(browser: Any) -> None:
    """Wait, as the page does without JavaScript, until the bot has answered."""
    for _ in range(200):
        browser.open(browser.path)
        if 'data-waiting="yes"' not in browser.page:
            return
        time.sleep(0.02)
    raise AssertionError("the bot did not answer")


def chat(browser: Any) -> None:
    browser.send(browser.path, action="begin")
    answered(browser)
    for text in ("Yes.", "It was so."):
        browser.send(browser.path, action="say", text=text)
        answered(browser)
    browser.send(browser.path, action="close")


@on_both
def test_an_ieval_study_is_taken_with_all_chats_and_rankings(served: Any, store: Store, bots: Any) -> None:
    browser = served("ieval", questions=[], tutorial="")()
    browser.start()
    browser.send("/study/consent", agree="yes")
    for _ in range(40):
        if "data-code" in browser.page:
            break
        chat(browser) if "data-chat" in browser.page else browser.step()
    assert "DONE-1" in browser.page
    found = export(store)
    assert len(found.dialogues) == 6
    assert {turn.text for one in found.dialogues if one.metadata["system"] == "bob" for turn in one.turns[1::2]} == {
        "That must hurt."
    }
    assert sum(bot.asked for bot in bots.values()) == 18
    assert len(found.ratings) == 6 * 9 + 6


def test_a_chat_cannot_be_ended_before_three_answers(served: Any) -> None:
    browser = served("ieval", questions=[], tutorial="")()
    browser.start()
    browser.send("/study/consent", agree="yes")
    browser.send(browser.path, action="begin")
    answered(browser)
    assert "End the chat" not in browser.page
    browser.send("/study/chat-1", action="close")
    assert browser.status == 409
    assert "has to answer 2 more times" in browser.page
    browser.open("/study/likert-1")
    assert browser.path == "/study/chat-1"


def test_a_failing_bot_is_seen_and_can_be_asked_again(served: Any, bots: Any) -> None:
    for bot in bots.values():
        bot.fail = 1
    browser = served("ieval", questions=[], tutorial="", bots=[{"name": n, "system": n} for n in ("ada", "cy", "x")])()
    browser.start()
    browser.send("/study/consent", agree="yes")
    browser.send(browser.path, action="begin")
    answered(browser)
    assert "could not answer" in browser.page
    assert "Ask for the answer again" in browser.page


def test_what_is_missing_is_shown_on_the_same_page_and_the_rest_is_kept(served: Any) -> None:
    browser = served()()
    browser.begin()
    browser.step()
    half = {name: values[0] for name, values in list(browser.radios().items())[:10]}
    browser.send("/study/teq", **half)
    assert browser.status == 422
    assert "6 answers are still missing; what you gave is saved." in browser.page
    assert browser.page.count(" checked") == 10
    assert browser.page.count("Please choose one.") == 6


def test_a_refresh_at_every_page_changes_nothing(served: Any, store: Store) -> None:
    browser = served()()
    browser.start()
    for _ in range(12):
        if "data-code" in browser.page:
            break
        before, page = rows(store), browser.page
        for _ in range(2):
            assert browser.open(browser.path) == page
        assert rows(store) == before
        if "consent" in browser.title():
            browser.send("/study/consent", agree="yes")
        elif browser.title() == "About you":
            browser.send("/study/about", **{"about.gender": "male", "about.age": "20"})
        else:
            browser.step()
    assert "DONE-1" in browser.page
    assert browser.open("/study") == browser.open("/study/teq")


def test_opening_links_creates_nobody_and_takes_no_place(served: Any, store: Store) -> None:
    browser = served(platform={"kind": "prolific"})()
    before = rows(store)
    for path in ("/", "/?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t", "/study", "/study/teq", "/withdraw", "/health"):
        for method in ("GET", "HEAD"):
            browser.client.request(method, path)
    assert rows(store) == before


@on_both
def test_a_new_browser_with_the_same_link_continues_at_the_same_place(served: Any) -> None:
    browser = served(platform={"kind": "prolific"})
    first, second = browser(), browser()
    first.begin("?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t1")
    first.step()
    second.start("?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t2")
    assert second.title() == first.title() == "Toronto Empathy Questionnaire (TEQ)"
    first.step()
    take(second)
    assert "DONE-1" in second.page
    assert "DONE-1" in first.open("/study")


@on_both
def test_two_tabs_are_one_participant_and_the_last_answer_counts(served: Any, store: Store) -> None:
    browser = served()()
    browser.begin()
    browser.step()
    browser.step()
    name = next(iter(browser.radios()))
    stale = browser.page
    browser.send("/study/rate-1", **{name: "1"})
    browser.page = stale
    browser.send("/study/rate-1", **{name: "3"})
    assert browser.path == "/study/rate-2"
    with store.read() as connection:
        (who,) = connection.execute(sa.select(schema.participant.c.id)).scalars()
        assert participants.load(connection, who).answers[name] == 3.0


def test_a_tab_that_was_open_before_a_new_session_still_counts(served: Any, store: Store) -> None:
    browser = served(platform={"kind": "url"})()
    browser.begin("?id=anna")
    browser.step()
    old = browser.page
    browser.start("?id=anna")
    browser.page = old
    browser.step()
    assert browser.title() == "Response 1 of 2"


def test_who_came_directly_can_keep_a_link_and_continue_in_another_browser(served: Any) -> None:
    browser = served()
    first, second = browser(), browser()
    first.start()
    link = re.search(r'href="(/\?invite=[^"]+)"', first.page)[1]  # type: ignore[index]
    first.send("/study/consent", agree="yes")
    second.start(link.removeprefix("/"))
    assert second.title() == "About you"


def test_the_back_button_shows_what_was_answered_and_can_change_it(served: Any, store: Store) -> None:
    browser = served()()
    browser.begin()
    for _ in range(3):
        browser.step()
    browser.open("/study/rate-1")
    assert 'value="1" checked' in browser.page
    browser.step(lambda name, values: values[-1])
    browser.open("/study/rate-1")
    assert 'value="3" checked' in browser.page
    browser.open("/study")
    take(browser)
    assert sorted(r.value for r in export(store).ratings if r.instrument != "teq") == [1.0, 3.0]


def test_a_page_further_on_leads_back_to_where_one_is(served: Any) -> None:
    browser = served()()
    browser.begin()
    for path in ("/study/rate-2", "/study/finish", "/study/nonsense"):
        browser.open(path)
        assert browser.title() == "Before you start"
    browser.send("/study/finish")
    assert browser.status == 422
    assert "still missing" in browser.page
    assert "DONE-1" not in browser.page


def test_who_does_not_agree_leaves_at_once_with_the_code_of_that(served: Any) -> None:
    browser = served()()
    browser.start()
    browser.send("/study/consent", agree="no")
    assert "LEFT-4" in browser.page
    assert "Nothing you answered is kept." in browser.page


def test_withdrawing_asks_first_and_then_erases(served: Any, store: Store) -> None:
    browser = served()()
    browser.begin()
    before = rows(store)
    browser.open("/withdraw")
    assert "cannot be undone" in browser.page
    assert rows(store) == before
    browser.send("/withdraw")
    assert "LEFT-4" in browser.page
    assert rows(store)["answer"] == rows(store)["event"] == rows(store)["lease"] == 0


def test_a_full_group_is_sent_away_with_the_paid_code(served: Any) -> None:
    browser = served(count=2, conditions=["human"])
    browser().begin()
    second = browser()
    second.begin()
    assert "FULL-2" in second.page
    assert "DONE-1" not in second.page


def test_a_paused_study_takes_nobody_new_and_lets_the_others_go_on(served: Any, store: Store) -> None:
    browser = served()
    first, second = browser(), browser()
    first.begin()
    versions.set_status(store, "paused")
    assert "paused" in second.open("/")
    assert "/start" not in second.page
    assert first.open("/study") and first.title() == "Before you start"
    second.send("/start", invite="forged.123")
    assert rows(store)["participant"] == 1


@pytest.mark.parametrize("query", ["", "?PROLIFIC_PID=", "?PROLIFIC_PID=%20x", "?PROLIFIC_PID={{%25PROLIFIC_PID%25}}"])
def test_a_prolific_link_without_a_real_id_is_explained_and_starts_nothing(
    served: Any, store: Store, query: str
) -> None:
    browser = served(platform={"kind": "prolific"})()
    assert "This link is not complete" in browser.open(f"/{query}")
    browser.send("/start")
    assert rows(store)["participant"] == 0


def test_the_completion_page_returns_to_prolific_with_the_code(served: Any) -> None:
    browser = served(platform={"kind": "prolific"})()
    browser.begin("?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t")
    take(browser)
    assert 'href="https://app.prolific.com/submissions/complete?cc=DONE-1"' in browser.page


def test_nothing_on_a_page_says_which_condition_it_is(served: Any) -> None:
    browser = served()()
    browser.begin()
    for _ in range(6):
        text = re.sub(r"<[^>]+>", " ", browser.page.replace("M answers", "").replace("H answers", ""))
        assert not re.search(r"\b(human|model)\b", text)
        assert not re.search(r"#(human|model)|gpt", browser.page)
        browser.step()


def test_help_and_the_way_out_are_on_every_page(served: Any) -> None:
    browser = served()()
    browser.begin()
    for _ in range(6):
        assert "Call 116 123." in browser.page
        assert 'href="/withdraw"' in browser.page
        browser.step()


def test_without_a_session_one_is_told_to_open_the_link_again(served: Any) -> None:
    browser = served()()
    for path in ("/study", "/study/teq", "/withdraw"):
        browser.open(path)
        assert browser.status == 401
        assert "open your link again" in browser.page
