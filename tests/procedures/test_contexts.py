from __future__ import annotations

from empathic.procedures.contexts import contexts
from empathic.records import Dialogue, Turn


def dialogue(roles: str, reference: str | None = None) -> Dialogue:
    names = {"s": "speaker", "l": "listener"}
    turns = tuple(Turn(role=names[role], text=f"{role}{i}") for i, role in enumerate(roles))
    return Dialogue(id="d", turns=turns, reference=reference, situation="It rained.", emotion="sad")


def test_each_place_has_the_prefix_before_it_and_what_a_person_answered() -> None:
    found = [([turn.text for turn in r.turns], r.reference, r.position) for r in contexts(dialogue("slsl"))]
    assert found == [(["s0"], "l1", 0), (["s0", "l1", "s2"], "l3", 1)]


def test_the_reference_of_the_dialogue_belongs_to_its_last_speaker_turn_only() -> None:
    assert [r.reference for r in contexts(dialogue("sls", reference="R"))] == ["l1", "R"]
    assert [r.reference for r in contexts(dialogue("sl", reference="R"))] == ["l1"]


def test_several_speaker_turns_in_a_row_are_answered_once() -> None:
    assert [len(r.turns) for r in contexts(dialogue("ssl"))] == [2]


def test_a_dialogue_that_the_listener_opens_keeps_that_turn_in_the_context() -> None:
    assert [[turn.text for turn in r.turns] for r in contexts(dialogue("lsl"))] == [["l0", "s1"]]


def test_a_dialogue_without_speaker_turns_has_no_place_to_answer() -> None:
    assert list(contexts(dialogue("l"))) == []
    assert list(contexts(dialogue(""))) == []
