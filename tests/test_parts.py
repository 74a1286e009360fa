from __future__ import annotations

import math

import pytest

from empathic import parts
from empathic.errors import MissingPart


def test_a_part_that_is_there_is_imported() -> None:
    assert parts.need("math") is math
    assert parts.present("math")


def test_a_part_that_is_absent_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PARTS", (parts.Part("not_a_module", "local", "local models"),))
    with pytest.raises(MissingPart, match=r"pip install 'empathic\[local\]'"):
        parts.need("not_a_module")
    assert not parts.present("not_a_module")


def test_a_part_of_no_extra_is_installed_by_its_own_name() -> None:
    assert parts.how_to_install("somewhere") == "pip install somewhere"
