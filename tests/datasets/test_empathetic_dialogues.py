from __future__ import annotations

from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets import empathetic_dialogues
from empathic.errors import InputError
from empathic.records import Dialogue, Turn

HEAD = "conv_id,utterance_idx,context,prompt,speaker_idx,utterance,selfeval,tags\n"


def write(path: Path, *rows: str) -> Path:
    path.write_text(HEAD + "".join(row + "\n" for row in rows))
    return path


def test_rows_of_one_conversation_are_one_dialogue(tmp_path: Path) -> None:
    path = write(
        tmp_path / "ed.csv",
        'c1,1,sad,My cat_comma_ Mia,12,She said "oh"_comma_ and died.,5|5|5_4|4|4,<HI>',
        "c1,2,sad,My cat_comma_ Mia,9,I am sorry.,5|5|5_4|4|4,",
        "c2,1,proud,A race,3,I won!,,,cand a|cand b",
        "c2,4,proud,A race,3,Twice!,,",
    )
    one, two = datasets.read(path)
    assert one == Dialogue(
        id="c1",
        turns=(Turn(role="speaker", text='She said "oh", and died.'), Turn(role="listener", text="I am sorry.")),
        emotion="sad",
        situation="My cat, Mia",
        metadata={"selfeval": "5|5|5_4|4|4", "tags": "<HI>"},
    )
    assert isinstance(two, Dialogue)
    assert [turn.role for turn in two.turns] == ["speaker", "speaker"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["c1,1,sad,p,1"], "ed.csv:2: the row has 5 cells, 6 to 9 are needed (commas in a text are written _comma_)"),
        (["c1,one,sad,p,1,hi"], "ed.csv:2 field 'utterance_idx': a number is needed, not 'one'"),
        (
            ["c1,1,sad,p,1,hi", "c1,1,sad,p,2,ho"],
            "ed.csv:3 field 'utterance_idx': the utterances of 'c1' are not in order",
        ),
        ([f"c1,{n},sad,p,{n},hi" for n in (1, 2, 3)], "ed.csv:2 field 'speaker_idx': more than two people speak"),
        (
            ["c1,1,sad,p,1,hi", "c2,1,sad,p,1,hi", "c1,2,sad,p,2,ho"],
            "ed.csv:4 field 'id': the id 'c1' stands in line 2",
        ),
    ],
)
def test_rows_that_do_not_fit_are_one_error(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(write(tmp_path / "ed.csv", *rows)))
    assert message in str(caught.value)


def test_a_wrong_head_names_the_column(tmp_path: Path) -> None:
    path = tmp_path / "ed.csv"
    path.write_text("conv_id,utterance_idx,context,text\n")
    with pytest.raises(InputError, match="ed.csv:1 field 'prompt': this column is needed here, not 'text'"):
        list(datasets.read(path, "empathetic-dialogues"))


def test_a_dialogue_that_the_listener_begins_does_not_fit(tmp_path: Path) -> None:
    dialogue = Dialogue(id="d", turns=(Turn(role="listener", text="Hi"),))
    with pytest.raises(InputError, match="the listener speaks first in dialogue 'd'"):
        empathetic_dialogues.write(tmp_path / "ed.csv", [dialogue])
    assert list(tmp_path.iterdir()) == []


def test_commas_and_line_breaks_are_written_as_the_format_has_them(tmp_path: Path) -> None:
    path = tmp_path / "ed.csv"
    dialogue = Dialogue(id="c,1", turns=(Turn(role="speaker", text="a,\nb"), Turn(role="listener", text="c")))
    assert empathetic_dialogues.write(path, [dialogue]) == 1
    assert path.read_text().splitlines()[1:] == ["c_comma_1,1,,,0,a_comma_ b,,", "c_comma_1,2,,,1,c,,"]
