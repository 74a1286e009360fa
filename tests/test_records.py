from __future__ import annotations

import msgspec
import pytest

from empathic.records import Dialogue, Estimate, Rating, Response, Turn

RESPONSE = Response(
    id="r1", system="builtin/echo", dialogue="d1", turns=(Turn(role="speaker", text="Hi"),), text=None, missing="empty"
)


def test_a_record_survives_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(RESPONSE), type=Response) == RESPONSE


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        RESPONSE.text = "x"  # type: ignore[misc]


def test_an_unknown_field_is_an_error_that_names_it() -> None:
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.json.decode(b'{"id":"d","turns":[],"colour":1}', type=Dialogue)


def test_a_role_is_speaker_or_listener() -> None:
    with pytest.raises(msgspec.ValidationError, match="enum value 'bot'"):
        msgspec.json.decode(b'{"role":"bot","text":"x"}', type=Turn)


def test_a_missing_value_is_written_as_null_with_its_reason() -> None:
    rating = Rating(rater="human:1", instrument="teq", item="1", target="human:1", value=None, missing="skipped")
    assert b'"value":null,"missing":"skipped"' in msgspec.json.encode(rating)


def test_what_is_at_its_default_is_not_written() -> None:
    assert msgspec.json.encode(Estimate(name="x", value=1.5, method="mean")) == (
        b'{"name":"x","value":1.5,"method":"mean"}'
    )


def test_two_records_do_not_share_their_metadata() -> None:
    one, other = Dialogue(id="1", turns=()), Dialogue(id="2", turns=())
    one.metadata["x"] = 1
    assert other.metadata == {}
