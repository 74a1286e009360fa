"""What measuring gives is a record that survives its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files
from empathic.errors import InputError
from empathic.probes.measured import Measured

REFUSED = Measured(
    system="builtin/eliza",
    probe="recital|sexuality=lesbian|#0",
    template="recital",
    levels={"sexuality": "lesbian", "pronouns": "she"},
    metric="ce",
    value=None,
    missing="no answer was chosen: refusal",
    order=3,
    outcome="refusal",
    keyed=2,
)


def test_a_measured_value_is_the_same_after_its_file(tmp_path: Path) -> None:
    files.write_lines(tmp_path / "measured.jsonl", [REFUSED])
    assert list(files.read_lines(tmp_path / "measured.jsonl", Measured)) == [REFUSED]


def test_an_unknown_field_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "measured.jsonl").write_text('{"system":"a","probe":"p","group":"x"}\n')
    with pytest.raises(InputError, match=r"measured.jsonl:1.*"):
        list(files.read_lines(tmp_path / "measured.jsonl", Measured))
