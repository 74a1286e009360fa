from __future__ import annotations

import re
from pathlib import Path

import pytest

from empathic.errors import InputError, UnknownName
from empathic.systems import find_prompt


def paper(shared: Path) -> str:
    return re.sub(r"\s+", " ", next((shared / "papers").glob("002*.txt")).read_text())


def cells(shared: Path) -> tuple[str, str]:
    """The two instructions of Table 1: vanilla in one row, empathy-defined in the rows below it."""
    lines = next((shared / "papers").glob("002*.txt")).read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("GPT-4 (Vanilla):"))
    last = next(i for i, line in enumerate(lines) if line.startswith("Table 1: Different types"))
    rows = [line.split("\t", 1)[1].strip() for line in lines[first:last] if "\t" in line]
    return rows[0], "\n".join(rows[1:])


def test_both_instructions_are_those_of_table_1_word_for_word(shared: Path) -> None:
    vanilla, defined = cells(shared)
    assert find_prompt("vanilla").text == vanilla
    assert find_prompt("empathy-defined").text == defined


def test_both_use_the_parameters_of_appendix_b(shared: Path) -> None:
    words = "temperature=0; top_p=1; frequency_penalty=0; and presence_penalty=0"
    assert words in paper(shared)
    for name in ("vanilla", "empathy-defined"):
        sampling = find_prompt(name).sampling
        values = (sampling.temperature, sampling.top_p, sampling.frequency_penalty, sampling.presence_penalty)
        assert values == (0, 1, 0, 0)
        assert "28 words and a maximum of 97 words" in find_prompt(name).text


def test_the_plain_prompt_says_nothing_of_empathy_and_none_says_nothing_at_all() -> None:
    assert "empath" not in find_prompt("plain").text.lower()
    assert find_prompt("none").text is None


def test_a_prompt_can_be_a_text_file(tmp_path: Path) -> None:
    path = tmp_path / "warm.txt"
    path.write_text("Be warm.\n")
    assert (find_prompt(f"file:{path}").name, find_prompt(f"file:{path}").text) == ("warm", "Be warm.")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        find_prompt(f"file:{path}")
    path.write_text(" ")
    with pytest.raises(InputError, match="is empty"):
        find_prompt(f"file:{path}")
    with pytest.raises(InputError, match="no such file"):
        find_prompt(f"file:{tmp_path / 'none.txt'}")


def test_an_unknown_prompt_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'empathy-defined'?"):
        find_prompt("empathy-define")
