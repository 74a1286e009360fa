from __future__ import annotations

from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets import table
from empathic.datasets.formats import Source
from empathic.errors import InputError, SettingError
from empathic.records import Dialogue, Rater, Rating, Response, Turn

ASKED = (Turn(role="speaker", text="My cat died."),)


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_columns_make_responses_and_what_nobody_names_is_metadata(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "id,model,prompt,response,level\nr1,gpt,My cat died.,Oh,2\n,gpt,My cat died.,,\n")
    one, two = datasets.read(path)
    assert one == Response(id="r1", system="gpt", dialogue="r1", turns=ASKED, text="Oh", metadata={"level": "2"})
    assert isinstance(two, Response)
    assert (two.id, two.text, two.missing) == ("row-3", None, "the response is empty")


def test_the_user_maps_columns_and_sets_what_is_the_same_everywhere(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "who\tscore\tpost\na\t2\tp1\nb\t\tp2\n")
    columns = {"rater": "who", "value": "score", "target": "post"}
    constants = {"instrument": "epitome", "item": "ER"}
    records = [item for _, item in table.read(Source(path, columns=columns, constants=constants))]
    assert records == [
        Rating(rater="a", instrument="epitome", item="ER", target="p1", value=2.0),
        Rating(rater="b", instrument="epitome", item="ER", target="p2", value=None, missing="the cell is empty"),
    ]


def test_turns_and_traits_are_json_in_their_cells(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'id,turns\nd,"[{""role"":""speaker"",""text"":""My cat died.""}]"\n')
    assert list(datasets.read(path)) == [Dialogue(id="d", turns=ASKED)]
    path = write(tmp_path / "u.csv", 'id,traits\nhuman:a,"{""age"":30}"\n')
    assert list(datasets.read(path)) == [Rater(id="human:a", traits={"age": 30})]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "t.csv:1: no column is called text (a response)"),
        ("text\nhello\n", "t.csv:2 field 'system': nobody says which system answered; add --system NAME"),
        ("system,text,position\ns,t,one\n", "t.csv:2 field 'position': invalid literal for int()"),
        (
            "rater,instrument,item,target,value\na,i,j,t,nan\n",
            "t.csv:2 field 'value': a number is needed; leave the cell",
        ),
        ("rater,value\na,1\n", "t.csv:2: Object missing required field `instrument`"),
        ("id,turns\nd,[1]\n", "t.csv:2 field 'turns[0]': Expected `object`, got `int`"),
        ("id,turns\nd,[\n", "t.csv:2 field 'turns': "),
        ("id,prompt,polarity\nd,hi,mixed\n", "t.csv:2 field 'polarity': Invalid enum value 'mixed'"),
        ("id,prompt\nd,hi\nd,ho\n", "t.csv:3 field 'id': the id 'd' stands in line 2 already"),
    ],
)
def test_what_does_not_fit_is_one_error_with_its_column(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(write(tmp_path / "t.csv", text)))
    assert message in str(caught.value)


def test_a_mapped_column_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "a,b\n1,2\n")
    with pytest.raises(InputError, match="t.csv:1 field 'c': there is no such column; the file has a, b"):
        list(datasets.read(path, columns={"text": "c"}))


def test_an_error_names_the_column_of_the_file_not_the_field(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "answer,turn_no\nOh,x\n")
    with pytest.raises(InputError, match="t.csv:2 field 'turn_no'"):
        list(datasets.read(path, columns={"text": "answer", "position": "turn_no"}, system="s"))


def test_two_kinds_do_not_fit_into_one_table(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="one kind of record, these are raters and dialogues. Add --only raters"):
        table.write(tmp_path / "t.csv", [Rater(id="a"), Dialogue(id="d", turns=())])
    with pytest.raises(SettingError, match="nothing to write"):
        table.write(tmp_path / "t.csv", [])
    assert list(tmp_path.iterdir()) == []
