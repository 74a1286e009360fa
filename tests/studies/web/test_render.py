"""Rendering: plain texts become paragraphs and lists, and nothing written by anybody becomes markup."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from empathic.studies.web.render import page, prose


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("One.", "<p>One.</p>"),
        ("One\ntwo.\n\nThree.", "<p>One<br>two.</p>\n<p>Three.</p>"),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("Say:\n- a\nand so", "<p>Say:</p>\n<ul><li>a</li></ul>\n<p>and so</p>"),
        ("## Rights", "<h2>Rights</h2>"),
        ("## Rights\nYou may\ngo.", "<h2>Rights</h2>\n<p>You may<br>go.</p>"),
        ("## Rights\n- a\n- b", "<h2>Rights</h2>\n<ul><li>a</li><li>b</li></ul>"),
        ("<b>&</b>", "<p>&lt;b&gt;&amp;&lt;/b&gt;</p>"),
        ("- <script>x</script>", "<ul><li>&lt;script&gt;x&lt;/script&gt;</li></ul>"),
    ],
)
def test_plain_text_becomes_paragraphs_lists_and_headings(text: str, html: str) -> None:
    assert prose(text) == html


@given(st.text(alphabet="<>&\"'/=a- \n#", max_size=40))
def test_no_text_becomes_a_tag_of_its_own(text: str) -> None:
    made = prose(text)
    for tag in ("<p>", "</p>", "<ul>", "</ul>", "<li>", "</li>", "<h2>", "</h2>", "<br>"):
        made = made.replace(tag, "")
    assert "<" not in made
    assert ">" not in made


def test_a_message_page_escapes_what_it_says() -> None:
    answer = page("message.html", 409, title="No", text="<img src=x onerror=alert(1)>", link="/", link_text="On")
    assert answer.status_code == 409
    assert b"<img" not in answer.body
