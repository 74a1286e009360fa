"""Word-level differences between two renderings."""

from __future__ import annotations

from empathic.probes import differences, factors, rendering, templates
from empathic.probes.differences import Change


def test_texts_differ_where_words_do() -> None:
    assert differences.changes("He is old and tired.", "They are old and very tired.") == [
        Change("He is", "They are"),
        Change("", "very"),
    ]
    assert differences.changes("the same", "the same") == []


def test_changes_are_marked_in_the_second_text() -> None:
    assert differences.marked("He is old.", "She is very old.") == "[-He-]{+She+} is {+very+} old."
    assert differences.marked("a b", "a") == "a [-b-]"
    assert differences.marked("", "") == ""


def test_every_text_of_a_probe_has_its_place() -> None:
    probe = rendering.render(templates.read()[0], factors.read("en"), {})
    texts = differences.texts(probe)
    assert list(texts)[:2] == ["instruction", "context"]
    assert {option.kind for option in probe.options} <= set(texts)
    assert [text for place, text in texts.items() if place.startswith("turn")] == [turn.text for turn in probe.turns]
