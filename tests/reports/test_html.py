from __future__ import annotations

from empathic.records import Turn
from empathic.reports import Answer, Branch, Example, html


def test_text_is_escaped_and_ready_html_is_not() -> None:
    assert html.cell("<b>") == "&lt;b&gt;"
    assert html.cell(html.Cell("<b>")) == "<b>"
    assert "&lt;i&gt;" in html.paragraph("<i>")
    assert html.paragraph("x", "soft") == '<p class="soft">x</p>'


def test_a_table_can_be_sorted_and_its_data_had() -> None:
    made = html.table("t", ("", "n"), [("a", 1)], caption="C")
    assert made.count("<button") == 3
    assert 'data-table="t"' in made
    assert '<th scope="row">a</th><td>1</td>' in made


def test_the_words_that_earned_a_score_are_marked_once() -> None:
    answer = Answer("s", "I HAD a <dog>", None, [("i had", "own past")])
    made = html.example(Example("d", "sad", [Turn(role="speaker", text="x" * 100)], [answer]))
    assert '<mark title="own past">I HAD</mark> a &lt;dog&gt;' in made
    assert "x" * 79 + "…" in made


def test_words_that_earned_several_scores_are_marked_once_and_never_break_the_page() -> None:
    marks = [("What is the title?", "ex"), ("what is the title?", "ip"), ("title", "er"), ("mark & co", "specific")]
    made = html.example(Example("d", None, [], [Answer("s", "What is the title? Mark & Co.", None, marks)]))
    assert '<mark title="ex, ip">What is the title?</mark> <mark title="specific">Mark &amp; Co</mark>.' in made
    assert made.count("<mark") == 2


def test_a_missing_answer_says_why() -> None:
    assert "missing: timeout" in html.example(Example("d", None, [], [Answer("s", None, "timeout")]))


def test_a_trie_opens_branch_by_branch() -> None:
    made = html.tree([Branch("i am", 5, [Branch("<sorry>", 3)]), Branch("oh", 2)])
    assert "<summary>5 × i am</summary>" in made
    assert "<li>3 × &lt;sorry&gt;</li>" in made
    assert "<li>2 × oh</li>" in made
    assert html.tree([]) == "<p>Nothing repeats.</p>"
