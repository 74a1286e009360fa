"""Invitations: signed by the study, worthless elsewhere."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from empathic.studies.invitations import anyone, invite, invited


@given(st.text(min_size=1, max_size=30), st.binary(min_size=16, max_size=32))
def test_an_invitation_says_its_name_to_the_study_that_signed_it_only(name: str, key: bytes) -> None:
    token = invite(key, name)
    assert invited(key, token) == name
    assert invited(key + b"!", token) is None
    assert invited(key, f"x{token}") is None


def test_everybody_without_an_invitation_gets_another_name() -> None:
    assert len({anyone() for _ in range(100)}) == 100
