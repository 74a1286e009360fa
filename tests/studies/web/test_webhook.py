"""The webhook: only signed messages count, and only where a secret is set."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.studies import schema
from empathic.studies.store import Store
from empathic.studies.web.webhook import SECRET

PROLIFIC = {"kind": "prolific"}


def send(browser: Any, content: Any, secret: str = "s3cret") -> Any:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    signed = base64.b64encode(hmac.new(secret.encode(), b"1700" + body, hashlib.sha256).digest()).decode()
    headers = {"X-Prolific-Request-Timestamp": "1700", "X-Prolific-Request-Signature": signed}
    return browser.client.post("/platform/prolific", content=body, headers=headers)


def test_a_signed_message_frees_the_place(served: Any, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "s3cret")
    browser = served(platform=PROLIFIC)()
    browser.begin("?PROLIFIC_PID=p1&STUDY_ID=st&SESSION_ID=s1")
    event = {"event_type": "submission.status.change", "resource_id": "s1", "status": "RETURNED"}
    assert send(browser, event, "wrong").status_code == 403
    with store.read() as connection:
        assert connection.scalar(sa.select(schema.lease.c.state)) == "live"
    assert send(browser, event).json() == {"known": 1}
    with store.read() as connection:
        assert connection.scalar(sa.select(schema.lease.c.state)) == "freed"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", {}, {"resource_id": "s1", "status": "GONE"}, []])
def test_a_signed_message_that_says_nothing_is_refused(
    served: Any, monkeypatch: pytest.MonkeyPatch, content: Any
) -> None:
    monkeypatch.setenv(SECRET, "s3cret")
    assert send(served()(), content).status_code == 422


def test_without_a_secret_there_is_no_webhook(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SECRET, raising=False)
    assert send(served()(), {"resource_id": "s1", "status": "RETURNED"}, "").status_code == 404


def kept(store: Store) -> Any:
    with store.read() as connection:
        return connection.scalar(sa.select(schema.participant.c.platform_state))


def test_messages_may_come_twice_and_in_any_order(served: Any, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "s3cret")
    browser = served(platform=PROLIFIC)()
    browser.begin("?PROLIFIC_PID=p1&STUDY_ID=st&SESSION_ID=s1")
    for status, state in (
        ("AWAITING REVIEW",) * 2,
        ("ACTIVE", "AWAITING REVIEW"),
        ("APPROVED",) * 2,
        ("APPROVED",) * 2,
    ):
        assert send(browser, {"resource_id": "s1", "status": status}).json() == {"known": 1}
        assert kept(store) == state


def test_a_person_whose_submission_is_not_known_is_found_by_their_id(
    served: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET, "s3cret")
    browser = served(platform=PROLIFIC)()
    browser.begin("?PROLIFIC_PID=p1&STUDY_ID=st")
    assert send(browser, {"resource_id": "s9", "status": "RETURNED", "participant_id": "p1"}).json() == {"known": 1}
    assert kept(store) == "RETURNED"


def test_messages_about_something_else_are_acknowledged(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused ones would be sent again and again, until the platform gives up on all of them."""
    monkeypatch.setenv(SECRET, "s3cret")
    for event in ({"event_type": "study.status.change", "status": "PAUSED"}, {"event_type": "study.progress.change"}):
        answer = send(served()(), {"resource_id": "st", **event})
        assert (answer.status_code, answer.json()) == (200, {"known": 0})
