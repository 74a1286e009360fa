"""Masks: what stands in braces and brackets, and what makes no sense there."""

from __future__ import annotations

import pytest

from empathic.probes.slots import Agreeing, Group, Part, Slot, SlotError, Words, parse, simple


def test_words_slots_and_agreeing_forms_are_told_apart() -> None:
    assert parse("{Subj} {were|was} at {poss} desk.") == (
        Slot("subj", None, True),
        Words(" "),
        Agreeing(("were", "was")),
        Words(" at "),
        Slot("poss", None, False),
        Words(" desk."),
    )


def test_a_slot_may_ask_for_a_form() -> None:
    assert parse("{Name.voc}") == (Slot("name", "voc", True),)
    assert str(Slot("name", "voc", True)) == "{Name.voc}"


def test_a_group_has_parts_with_their_masks() -> None:
    assert parse("is [{age}; of {race} origin].") == (
        Words("is "),
        Group((Part((Slot("age", None, False),)), Part((Words("of "), Slot("race", None, False), Words(" origin"))))),
        Words("."),
    )


def test_a_part_may_name_the_levels_it_is_said_at() -> None:
    (group,) = parse("[religion=none,jewish? does not sing]")
    assert group == Group((Part((Words("does not sing"),), "religion", ("none", "jewish")),))


def test_pieces_within_groups_are_seen_too() -> None:
    assert [
        str(piece) for piece in simple(parse("[{age}; {have|has} {education}]")) if not isinstance(piece, Words)
    ] == [
        "{age}",
        "{have|has}",
        "{education}",
    ]


@pytest.mark.parametrize("text", ["{subj", "subj}", "[{age}", "{age}]", "{}", "{1}", "{a b}", "{x{y}}", "[]", "[ ; ]"])
def test_braces_and_brackets_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(SlotError) as caught:
        parse(text)
    assert caught.value.words
