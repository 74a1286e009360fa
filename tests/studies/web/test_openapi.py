"""The JSON interface against its own description: whatever is sent, no server error and nothing undocumented."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from browsing import Study
from empathic.studies.store import open_store
from empathic.studies.web.app import create_app

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
OPERATIONS = [
    ("/api/answers", "POST"),
    ("/api/heartbeat", "POST"),
    ("/api/chats/{place}/messages", "POST"),
    ("/api/chats/{place}/events", "GET"),
]
MOMENTS = ["stranger", "consent", "questions", "chat", "forged"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    load = ("--load", str(Path(__file__).parents[2] / "browser" / "bots.py"))
    bots = [{"name": name, "system": "words"} for name in ("ada", "bob", "cy")]
    made = Study("ieval", tmp_path_factory.mktemp("openapi") / "study", *load, bots=bots)
    made.start()
    yield made
    made.end(signal.SIGINT)


@pytest.fixture(scope="module")
def described(study: Study) -> Any:
    """The description of the interface, which the server itself does not give away."""
    assert requests.get(f"{study.address}/openapi.json", timeout=10).status_code == 404
    store = open_store(f"sqlite:///{study.folder / 'study.db'}")
    found = create_app(store).openapi()
    store.close()
    return schemathesis.openapi.from_dict(found)


def come(study: Study, moment: str) -> tuple[requests.Session, dict[str, str]]:
    """A session of somebody at a moment of the study, and the header its pages send."""
    session = requests.Session()
    if moment == "stranger":
        return session, {}
    fields = dict(re.findall(r'name="(invite)" value="([^"]*)"', session.get(study.address, timeout=10).text))
    page = session.post(f"{study.address}/start", data=fields, timeout=10).text
    token = re.search(r'data-csrf="([^"]+)"', page)[1]  # type: ignore[index]
    steps = {
        "questions": [("consent", {"agree": "yes"})],
        "chat": [
            ("consent", {"agree": "yes"}),
            ("about", {"about.gender": "female", "about.age": "30"}),
            ("chat-1", {"action": "begin"}),
        ],
    }
    for step, data in steps.get(moment, []):
        session.post(f"{study.address}/study/{step}", data={"csrf": token, **data}, timeout=10).raise_for_status()
    return session, {} if moment == "forged" else {"X-CSRF-Token": token}


def try_out(study: Study, described: Any, place: tuple[str, str], moment: str, examples: int) -> set[int]:
    """Send what the description allows and what it forbids; returns the kinds of answers that came."""
    session, headers = come(study, moment)
    seen: set[int] = set()

    def send(case: Any) -> None:
        if headers:
            case.headers = {**(case.headers or {}), **headers}
        answer = case.call(base_url=study.address, session=session, timeout=30)
        seen.add(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    operation = described[place[0]][place[1]]
    for mode in schemathesis.GenerationMode:
        limits = hypothesis.settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        try:
            strategy = operation.as_strategy(generation_mode=mode)
            limits(hypothesis.given(strategy)(lambda case: send(case)))()
        except hypothesis.errors.Unsatisfiable:
            assert mode is schemathesis.GenerationMode.NEGATIVE  # nothing about it can be wrong
    return seen


@pytest.mark.parametrize("place", OPERATIONS, ids=" ".join)
@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_that_is_sent_breaks_the_server(
    study: Study, described: Any, place: tuple[str, str], moment: str
) -> None:
    seen = try_out(study, described, place, moment, 10)
    assert seen
    assert all(status < 500 for status in seen)
    if moment == "stranger":
        assert seen <= {400, 401, 422}
    assert "Traceback" not in (study.folder / "server.log").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("place", OPERATIONS, ids=" ".join)
@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_that_is_sent_for_long_breaks_the_server(
    study: Study, described: Any, place: tuple[str, str], moment: str
) -> None:
    try_out(study, described, place, moment, 100)
    assert "Traceback" not in (study.folder / "server.log").read_text()


def test_the_events_of_a_chat_are_as_described(study: Study, described: Any) -> None:
    session, _ = come(study, "chat")
    case = described["/api/chats/{place}/events"]["GET"].Case(path_parameters={"place": 0})
    answer = case.call(base_url=study.address, session=session, timeout=30)
    assert answer.status_code == 200
    case.validate_response(answer, checks=CHECKS[:-1])


def test_the_description_itself_is_valid(described: Any) -> None:
    described.validate()
