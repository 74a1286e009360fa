"""Pages are read as a person would see them."""

from __future__ import annotations

from empathic.studies.simulation.forms import read

PAGE = """<html><body data-csrf="c1" data-owner="p1"><progress max="8" value="2"></progress>
<form action="/study/about"><input type="hidden" name="csrf" value="a&amp;b">
<input type="radio" name="g" value="x"><input type="radio" name="g" value="y">
<input type="number" name="n" min="18" max="99">
<textarea name="comment"></textarea><button name="agree" value="yes">ok</button></form></body></html>"""


def test_a_form_is_read_with_everything_it_asks() -> None:
    page = read(PAGE)
    form = page.forms[0]
    assert (page.owner, page.csrf, page.progress) == ("p1", "c1", 0.25)
    assert (form.action, form.hidden, form.texts) == ("/study/about", {"csrf": "a&b"}, ["comment"])
    assert (form.radios, form.numbers) == ({"g": ["x", "y"]}, {"n": (18.0, 99.0)})
    assert page.form_with("yes") is form
    assert page.form_with("no") is None


def test_the_code_and_a_waiting_chat_are_seen() -> None:
    assert read('<p class="code" data-code> ABC1 </p>').code == "ABC1"
    chat = read('<ol data-chat="3" data-waiting="yes"></ol>', 409)
    assert (chat.chat, chat.waiting, chat.status) == (3, True, 409)
    assert not read('<ol data-chat="0" data-waiting="no"></ol>').waiting


def test_what_a_bot_has_said_whole_is_seen() -> None:
    page = read(
        """<ol data-chat="0" data-waiting="yes"><li class="own" data-n="0"><span data-text>I am sad</span></li>
        <li class="bot" data-n="1"><span class="who">Blue</span><span data-text>That&#39;s hard.</span></li>
        <li class="own" data-n="2"><span data-text>Yes</span></li>
        <li class="bot waiting" data-n="3"><span data-text>I was ab</span></li></ol>"""
    )
    assert page.heard == {1: "That's hard."}
