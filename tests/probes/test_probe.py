"""Probes: what a template and its attributes become."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from empathic.probes.probe import KEYED, Kind, Option, Probe
from empathic.records import Turn


def probe() -> Probe:
    return Probe(
        id="key/she/catholic",
        template="key",
        language="en",
        levels={"pronoun": "she", "religion": "catholic"},
        instruction="Answer as a friend.",
        context="Robin gave back the key today.",
        turns=(Turn(role="speaker", text="My hand keeps going to the empty hook."),),
        options=tuple(Option(kind=kind, text=f"An answer of the kind {kind}.") for kind in get_args(Kind)),
    )


def test_a_probe_comes_back_from_json_as_it_went() -> None:
    assert msgspec.json.decode(msgspec.json.encode(probe()), type=Probe) == probe()


def test_the_keyed_answer_is_one_of_the_kinds() -> None:
    assert KEYED in get_args(Kind)


def test_a_kind_nobody_defined_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="kind"):
        msgspec.json.decode(b'{"kind": "kind", "text": "x"}', type=Option)
