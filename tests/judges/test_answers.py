"""What a judge writes is read strictly: a table of what models really send, with the outcome for each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic import registry
from empathic.judges import answers
from empathic.records import Instrument

GOOD = {"er": 2, "ip": 0, "ex": 1}
READ = [2.0, 0.0, 1.0]


def item(score: object, **other: object) -> dict[str, object]:
    return {"quote": "sorry", "reason": "it is named", "score": score, **other}


def sheet(**scores: object) -> str:
    return json.dumps({key: item(value) for key, value in {**GOOD, **scores}.items()}, ensure_ascii=False)


CLEAN = sheet()
# (kind, text, values of er/ip/ex, why the first missing one is missing)
READABLE: list[tuple[str, str]] = [
    ("clean JSON", CLEAN),
    ("indented JSON", json.dumps(json.loads(CLEAN), indent=4)),
    ("white space around", f"\n\n  {CLEAN}\t\n"),
    ("a byte order mark", f"\ufeff{CLEAN}"),
    ("a code fence", f"```json\n{CLEAN}\n```"),
    ("prose before", f"Here is my assessment of the answer:\n{CLEAN}"),
    ("prose after", f"{CLEAN}\nI hope this helps!"),
    ("thinking before", f"<think>The answer names a feeling, so er is 2.</think>\n{CLEAN}"),
    ("items in another order", json.dumps({key: item(GOOD[key]) for key in ("ex", "er", "ip")})),
    ("floats that are points", sheet(er=2.0, ip=0.0, ex=1.0)),
    ("bare numbers instead of objects", json.dumps(GOOD)),
    ("no reasons", json.dumps({key: {"score": value} for key, value in GOOD.items()})),
    ("a reason that is no text", json.dumps({key: item(value, reason=7) for key, value in GOOD.items()})),
    ("braces inside a reason", json.dumps({key: item(value, reason="{2}") for key, value in GOOD.items()})),
]
WHOLE: list[tuple[str, str | None, str]] = [
    ("nothing", None, "empty"),
    ("empty", "", "empty"),
    ("only white space", " \n\t ", "empty"),
    ("a refusal", "I'm sorry, but I can't rate this conversation.", "holds no JSON"),
    ("a refusal in JSON", '{"error": "I cannot help with that"}', "names none of the items"),
    ("prose only", "The answer shows strong empathy: 2, 0 and 1.", "holds no JSON"),
    ("a lone number", "2", "holds no JSON"),
    ("lines of item: number", "er: 2\nip: 0\nex: 1", "holds no JSON"),
    ("a Markdown table", "| er | ip | ex |\n|---|---|---|\n| 2 | 0 | 1 |", "holds no JSON"),
    ("XML", "<er>2</er><ip>0</ip><ex>1</ex>", "holds no JSON"),
    ("the schema's echo", '{"type": "object", "properties": {}}', "names none of the items"),
    ("truncated", CLEAN[:-20], "no valid JSON"),
    ("truncated after the brace", "{", "no valid JSON"),
    ("a trailing comma", CLEAN[:-1] + ",}", "no valid JSON"),
    ("single quotes", str(json.loads(CLEAN)), "no valid JSON"),
    ("keys without quotes", "{er: 2, ip: 0, ex: 1}", "no valid JSON"),
    ("comments", '{"er": 2, // strong\n "ip": 0, "ex": 1}', "no valid JSON"),
    ("an unescaped line break", '{"er": {"reason": "a\nb", "score": 2}}', "no valid JSON"),
    ("a missing comma", '{"er": 2 "ip": 0, "ex": 1}', "no valid JSON"),
    ("Python's True", '{"er": True, "ip": 0, "ex": 1}', "no valid JSON"),
    ("a template brace in prose", f"In the form {{item: score}}: {CLEAN}", "no valid JSON"),
    ("NaN", '{"er": NaN, "ip": 0, "ex": 1}', "NaN is no number"),
    ("Infinity", '{"er": -Infinity, "ip": 0, "ex": 1}', "-Infinity is no number"),
    ("two answers", f"{CLEAN}\n{sheet(er=0)}", "2 JSON objects"),
    ("the same answer twice", f"{CLEAN} {CLEAN}", "2 JSON objects"),
    ("an answer and its correction", f"{CLEAN}\nOn second thoughts:\n{sheet(ex=2)}", "2 JSON objects"),
    ("a list of answers", f"[{CLEAN}]", "is a list"),
    ("a list of numbers", "[2, 0, 1]", "holds no JSON object"),
    ("an item twice", '{"er": 2, "er": 0, "ip": 0, "ex": 1}', "'er' is answered 2 times"),
    ("an extra item", json.dumps({**GOOD, "humour": 2}), "'humour' is no item"),
    ("an extra total", json.dumps({**GOOD, "total": 3}), "'total' is no item"),
    ("wrapped in another key", json.dumps({"ratings": GOOD}), "names none of the items"),
    ("keys in another language", '{"emotionale_reaktion": 2, "deutung": 0}', "names none of the items"),
    ("keys in another case", '{"ER": 2, "IP": 0, "EX": 1}', "names none of the items"),
    ("titles instead of ids", '{"Emotional reactions": 2, "Interpretations": 0}', "names none of the items"),
    ("an empty object", "{}", "names none of the items"),
    ("nested without end", '{"er":' * 100_000, "no valid JSON"),
]
ONE_ITEM: list[tuple[str, object, str]] = [
    ("a number in quotes", "2", '"2" is no number'),
    ("a fraction in words", "2/2", '"2/2" is no number'),
    ("a word for a number", "two", '"two" is no number'),
    ("the point's label", "strong", '"strong" is no number'),
    ("another language's word", "zwei", '"zwei" is no number'),
    ("a range", "1-2", '"1-2" is no number'),
    ("a percentage", "100%", '"100%" is no number'),
    ("above the scale", 3, "3 is no point of the scale (0, 1, 2)"),
    ("far above the scale", 10**30, "1e+30 is no point"),
    ("below the scale", -1, "-1 is no point"),
    ("between two points", 1.5, "1.5 is no point"),
    ("true", True, "true is no number"),
    ("null", None, "null is no number"),
    ("a list", [2], "[2] is no number"),
    ("an object", {"value": 2}, '{"value": 2} is no number'),
    ("empty text", "", '"" is no number'),
]
ODD_ITEM: list[tuple[str, object, str]] = [
    ("no score", {"quote": "", "reason": "strong"}, "there is no score"),
    ("another key for the score", {"rating": 2}, "'rating' is no part of an answer"),
    ("two scores", {"score": 2, "final_score": 0}, "'final_score' is no part of an answer"),
    ("an empty object", {}, "there is no score"),
]


@pytest.fixture(scope="module")
def epitome() -> Instrument:
    found: Instrument = registry.find("instrument", "epitome").thing
    return found


@pytest.mark.parametrize(("kind", "text"), READABLE, ids=[row[0] for row in READABLE])
def test_what_is_one_json_object_is_read(kind: str, text: str, epitome: Instrument) -> None:
    found = answers.read(text, epitome)
    assert [found.answers[key].value for key in GOOD] == READ
    assert found.complete and found.read == 3


@pytest.mark.parametrize(("kind", "text", "why"), WHOLE, ids=[row[0] for row in WHOLE])
def test_what_is_not_one_answer_is_missing_as_a_whole(
    kind: str, text: str | None, why: str, epitome: Instrument
) -> None:
    found = answers.read(text, epitome)
    assert found.missing is not None and why in found.missing
    assert {answer.value for answer in found.answers.values()} == {None}
    assert all(answer.missing == found.missing for answer in found.answers.values())


@pytest.mark.parametrize(("kind", "score", "why"), ONE_ITEM, ids=[row[0] for row in ONE_ITEM])
def test_a_score_that_is_no_point_is_missing_and_the_others_are_kept(
    kind: str, score: object, why: str, epitome: Instrument
) -> None:
    found = answers.read(sheet(ip=score), epitome)
    assert found.answers["ip"].value is None and why in (found.answers["ip"].missing or "")
    assert (found.answers["er"].value, found.answers["ex"].value) == (2.0, 1.0)
    assert found.missing is None and not found.complete and found.read == 2


@pytest.mark.parametrize(("kind", "given_", "why"), ODD_ITEM, ids=[row[0] for row in ODD_ITEM])
def test_an_item_that_is_no_answer_is_missing(kind: str, given_: object, why: str, epitome: Instrument) -> None:
    found = answers.read(json.dumps({**GOOD, "ip": given_}), epitome)
    assert found.answers["ip"].value is None and why in (found.answers["ip"].missing or "")


def test_an_item_left_out_is_missing_and_the_others_are_kept(epitome: Instrument) -> None:
    found = answers.read('{"er": 2, "ex": 1}', epitome)
    assert found.answers["ip"].missing == "the item is not answered"
    assert found.read == 2


def test_the_table_has_more_than_thirty_kinds_of_malformed_answers() -> None:
    assert len({row[0] for row in WHOLE + ONE_ITEM + ODD_ITEM}) >= 30


@given(st.text(max_size=300))
def test_no_text_at_all_breaks_the_reader_or_becomes_a_default(text: str) -> None:
    found = answers.read(text, registry.find("instrument", "epitome").thing)
    assert set(found.answers) == {"er", "ip", "ex"}
    assert all((answer.value is None) == (answer.missing is not None) for answer in found.answers.values())


def test_the_schema_has_the_items_in_the_order_shown_and_the_scale_in_its_own_points(epitome: Instrument) -> None:
    shown = tuple(reversed(epitome.items))
    found = answers.schema(epitome, shown)
    assert list(found["properties"]) == found["required"] == ["ex", "ip", "er"]
    assert found["additionalProperties"] is False
    first = found["properties"]["ex"]
    assert first["properties"]["score"] == {"type": "integer", "enum": [0, 1, 2]}
    assert list(first["properties"]) == ["quote", "reason", "score"]  # the reason comes before the score it leads to


def test_the_schema_of_a_nominal_item_has_its_own_points() -> None:
    turn: Instrument = registry.find("instrument", "eshcc-turn").thing
    found = answers.schema(turn, turn.items)
    assert found["properties"]["opportunity"]["properties"]["score"] == {"type": "integer", "enum": [0, 1, 2, 3]}
    assert found["properties"]["warmth"]["properties"]["score"] == {"type": "integer", "enum": [1, 2, 3, 4, 5, 6, 7]}
