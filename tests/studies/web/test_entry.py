"""Entering: ids come from the link, never from a keyboard; invitations cannot be made up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from empathic.studies import participants, versions
from empathic.studies.design import Plan
from empathic.studies.invitations import invite
from empathic.studies.participants import Identity
from empathic.studies.store import Store
from empathic.studies.web import entry

KEY = b"k" * 32


def test_prolific_s_parameters_are_who_somebody_is(make_plan: Callable[..., Plan]) -> None:
    study = make_plan(platform={"kind": "prolific"}).study
    link = {"PROLIFIC_PID": "5f", "STUDY_ID": "st", "SESSION_ID": "se", "utm": "x"}
    assert entry.identify(study, KEY, link) == Identity(platform="prolific", pid="5f", study="st", submission="se")
    assert entry.given(study, KEY, link) == {"PROLIFIC_PID": "5f", "STUDY_ID": "st", "SESSION_ID": "se"}


def test_any_platform_s_parameter_can_carry_the_id(make_plan: Callable[..., Plan]) -> None:
    study = make_plan(platform={"kind": "url", "parameter": "workerId"}).study
    assert entry.identify(study, KEY, {"workerId": "A1"}) == Identity(platform="url", pid="A1")
    assert entry.given(study, KEY, {"id": "A1"}) is None


@pytest.mark.parametrize("pid", ["", " 5f", "5f ", "a\nb", "a\x00b", "x" * 201, "{{%PROLIFIC_PID%}}"])
def test_what_no_platform_would_send_names_nobody(make_plan: Callable[..., Plan], pid: str) -> None:
    study = make_plan(platform={"kind": "prolific"}).study
    assert entry.identify(study, KEY, {"PROLIFIC_PID": pid}) is None


def test_an_invitation_works_only_in_the_study_that_wrote_it(make_plan: Callable[..., Plan]) -> None:
    study = make_plan().study
    token = invite(KEY, "anna")
    assert entry.identify(study, KEY, {"invite": token}) == Identity(platform="direct", pid="anna")
    for wrong in (token[:-1], token.replace("anna", "ben"), "anna", "", "anna.", ".x", invite(b"z" * 32, "anna")):
        assert entry.identify(study, KEY, {"invite": wrong}) is None


def test_who_comes_without_an_invitation_gets_a_new_one_and_a_forged_one_gets_none(
    make_plan: Callable[..., Plan],
) -> None:
    study = make_plan().study
    one, two = entry.given(study, KEY, {}), entry.given(study, KEY, {})
    assert one is not None
    assert one != two
    assert entry.identify(study, KEY, one) is not None
    assert entry.given(study, KEY, {"invite": "forged.123"}) is None


def test_somebody_is_known_once_they_entered(store: Store, make_plan: Callable[..., Plan]) -> None:
    versions.publish(store, make_plan())
    who = Identity(platform="url", pid="anna")
    assert not entry.known(store, who, "live")
    participants.enter(store, who, "live")
    assert entry.known(store, who, "live")
    assert not entry.known(store, who, "preview")
