"""What the platform says: read from its CSV or its webhook, kept, and places freed."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.errors import InputError
from empathic.studies import participants, platforms, schema
from empathic.studies.participants import Identity
from empathic.studies.platforms import Said
from empathic.studies.store import Store


@pytest.fixture
def submitted(published: Store) -> str:
    who = Identity(platform="prolific", pid="p1", study="st", submission="s1")
    name = participants.enter(published, who, "live")
    participants.consent(published, name, agreed=True)
    participants.save(published, name, {"about.gender": "male", "about.age": 20}, submit="about")
    return name


def lease(store: Store) -> str | None:
    with store.read() as connection:
        return connection.scalar(sa.select(schema.lease.c.state))


@pytest.mark.parametrize("said", [Said("RETURNED", "s1"), Said("TIMED-OUT", None, "p1"), Said("RETURNED", "s9", "p1")])
def test_a_returned_submission_frees_the_place(
    published: Store, submitted: str, state: Callable[..., Any], said: Said
) -> None:
    assert platforms.note(published, [said, Said("APPROVED", "other")]) == platforms.Noted(known=1, unknown=("other",))
    assert state(published, submitted)["platform_state"] == said.status
    assert lease(published) == "freed"


def test_an_approved_submission_keeps_it(published: Store, submitted: str) -> None:
    platforms.note(published, [Said("APPROVED", "s1")])
    assert lease(published) == "live"


def test_the_newest_submission_of_a_person_is_the_one_the_platform_speaks_of(published: Store, submitted: str) -> None:
    again = Identity(platform="prolific", pid="p1", study="st", submission="s2")
    assert participants.enter(published, again, "live") == submitted
    assert platforms.note(published, [Said("RETURNED", "s2")]).known == 1


def test_prolific_s_export_is_read_by_its_column_names(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("\ufeffSubmission id,Participant id,Status,Age\ns1,p1,RETURNED,30\ns2,p2,Timed_Out,\n,,ACTIVE,\n")
    assert platforms.read_csv(path) == [Said("RETURNED", "s1", "p1"), Said("TIMED-OUT", "s2", "p2")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "it has: a, b"),
        ("", "it has: none"),
        ("Participant id,Status\np1,GONE\n", ":2: 'GONE' is no state"),
    ],
)
def test_what_is_no_export_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "export.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        platforms.read_csv(path)


def test_only_who_has_the_secret_can_sign() -> None:
    signed = base64.b64encode(hmac.new(b"secret", b"1700{}", hashlib.sha256).digest()).decode()
    assert platforms.signature_fits("secret", "1700", b"{}", signed)
    for secret, stamp, body in (("other", "1700", b"{}"), ("secret", "1701", b"{}"), ("secret", "1700", b"[]")):
        assert not platforms.signature_fits(secret, stamp, body, signed)
