"""The fourteen flaws of the original between-groups app, each made impossible (shared reference, studies §4)."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

import empathic.studies.web
from empathic.studies import completion, events, participants, schema, versions, withdrawal
from empathic.studies.design import Plan
from empathic.studies.export import export
from empathic.studies.participants import Identity
from empathic.studies.store import Store, open_store
from empathic.studies.web.app import create_app

STATIC = Path(empathic.studies.web.__file__).parent / "static"


def places(store: Store) -> Counter[int]:
    with store.read() as connection:
        query = sa.select(schema.lease.c.place).where(schema.lease.c.state.in_(("live", "finished")))
        return Counter(connection.execute(query).scalars())


def test_flaw_1_two_hundred_arrivals_at_once_share_no_batch(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]
) -> None:
    versions.publish(store, make_plan(count=100, batch=1))
    threads = [
        threading.Thread(target=lambda n=n: [begin(store, f"{n}-{each}") for each in range(25)]) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(places(store)) == 200
    assert set(places(store).values()) == {1}


def test_flaw_2_an_abandoned_batch_is_free_again(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], state: Callable[..., Any], clock: Any
) -> None:
    versions.publish(store, make_plan(count=2, conditions=["human"]))
    begin(store, "abandons")
    clock.now += 24 * 3600
    assert state(store, begin(store, "next"))["state"] == "active"


def test_flaw_3_who_comes_back_gets_no_second_batch(
    store: Store, make_plan: Callable[..., Plan], complete: Callable[..., str], begin: Callable[..., str]
) -> None:
    versions.publish(store, make_plan(count=8))
    first = begin(store, "leaves")
    done = complete(store, "anna")
    withdrawal.withdraw(store, first)
    before = places(store)
    assert begin_again(store, "anna") == done
    assert places(store) == before


def begin_again(store: Store, pid: str) -> str:
    name = participants.enter(store, Identity(platform="url", pid=pid), "live")
    participants.consent(store, name, agreed=True)
    with pytest.raises(participants.WrongMoment):
        participants.save(store, name, {"about.gender": "female", "about.age": 30}, submit="about")
    return name


def test_flaw_4_a_refresh_or_crash_loses_no_answer(
    published: Store, open_at: Callable[[], Store], begin: Callable[..., str]
) -> None:
    name = begin(published, "anna")
    participants.save(published, name, {}, submit="tutorial")
    participants.save(published, name, {"self.teq.1": 4}, key="k1")
    published.close()
    with open_at().read() as connection:
        person = participants.load(connection, name)
    assert person.answers["self.teq.1"] == 4.0
    assert person.step.id == "teq"


def test_flaw_5_what_is_not_acknowledged_is_sent_until_it_is(published: Store, begin: Callable[..., str]) -> None:
    """The page keeps what it sends (the browser tests show it); here: every repetition is acknowledged as the first."""
    name = begin(published, "anna")
    participants.save(published, name, {}, submit="tutorial")
    for _ in range(5):
        assert participants.save(published, name, {"self.teq.1": 4}, key="k1").refused == []
    with published.read() as connection:
        query = sa.select(sa.func.count()).where(schema.event.c.client_key == "k1")
        assert connection.scalar(query.select_from(schema.event)) == 1
    assert "localStorage" in (STATIC / "outbox.js").read_text()


def test_flaw_6_concurrent_saves_overwrite_nothing(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    participants.save(published, name, {}, submit="tutorial")
    threads = [
        threading.Thread(
            target=participants.save, args=(published, name, {f"self.teq.{n}": 1}), kwargs={"key": f"k{n}"}
        )
        for n in range(1, 17)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with published.read() as connection:
        assert sum(key.startswith("self.") for key in events.answers(connection, name)) == 16
        assert events.broken_links(connection, name) == []


def test_flaw_7_after_a_restart_everybody_is_still_known(
    published: Store, open_at: Callable[[], Store], complete: Callable[..., str]
) -> None:
    name = complete(published, "anna")
    published.close()
    again = open_at()
    assert participants.enter(again, Identity(platform="url", pid="anna"), "live") == name
    assert [rater.id for rater in export(again).raters] == [f"human:{name}"]


def test_flaw_8_two_people_at_once_never_get_each_other_s_identity(
    store: Store, make_plan: Callable[..., Plan]
) -> None:
    versions.publish(store, make_plan(platform={"kind": "url", "parameter": "id"}, questions=[]))
    app = create_app(store)
    clients = {pid: TestClient(app) for pid in ("anna", "ben")}
    for pid, client in clients.items():
        client.get(f"/?id={pid}")
        client.post("/start", data={"id": pid})
    for client in clients.values():
        page = client.get("/study").text
        token = re.search(r'name="csrf" value="([^"]+)"', page)[1]  # type: ignore[index]
        client.post("/study/consent", data={"csrf": token, "agree": "yes"})
    with store.read() as connection:
        query = sa.select(schema.identity.c.pid, schema.participant.c.consent_version)
        joined = query.join_from(schema.identity, schema.participant)
        assert sorted(connection.execute(joined).all()) == [("anna", "1"), ("ben", "1")]


def test_flaw_9_reading_and_writing_do_not_depend_on_the_working_folder(
    tmp_path: Path, make_plan: Callable[..., Plan], begin: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'study.db'}"
    first = open_store(address)
    versions.publish(first, make_plan())
    name = begin(first, "anna")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    second = open_store(address)
    assert participants.enter(second, Identity(platform="url", pid="anna"), "live") == name
    assert len(places(second)) == 1
    for store in (first, second):
        store.close()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_flaw_10_one_bad_request_stops_nobody_else(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    for raw in ({"part": 999}, {"rate.999.empathy": 1}, {"": None}, {"rate.-1.x": [1]}, {"x" * 9999: "y"}):
        assert participants.save(published, name, raw).refused
    assert begin(published, "ben") != name
    with published.read() as connection:
        assert set(events.answers(connection, name)) == {"about.gender", "about.age"}


def test_flaw_11_no_name_becomes_a_path(
    tmp_path: Path, store: Store, make_plan: Callable[..., Plan], complete: Callable[..., str]
) -> None:
    versions.publish(store, make_plan())
    before = {path for path in tmp_path.rglob("*") if "study" not in path.name}
    complete(store, "../../escaped")
    after = {path for path in tmp_path.rglob("*") if "study" not in path.name}
    assert {path for path in after - before if "escaped" in path.name} == set()
    assert not (tmp_path.parent / "escaped").exists()


def test_flaw_12_no_address_lists_participants_or_shows_an_id(
    store: Store, make_plan: Callable[..., Plan], complete: Callable[..., str]
) -> None:
    versions.publish(store, make_plan())
    complete(store, "5f3c9a-anna")
    client = TestClient(create_app(store))
    for path in ("/", "/files", "/data", "/accepted", "/api", "/api/participants", "/study", "/static/", "/health"):
        assert "5f3c9a-anna" not in client.get(path).text
    assert "5f3c9a-anna" not in str(export(store))


def test_flaw_13_no_code_is_in_anything_served_before_the_end(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], answer_all: Callable[..., None]
) -> None:
    plan = make_plan()
    versions.publish(store, plan)
    codes = ("DONE-1", "FULL-2", "CHECK-3", "LEFT-4")
    texts = [path.read_text() for path in STATIC.iterdir()] + [TestClient(create_app(store)).get("/").text]
    assert not [text for text in texts if any(code in text for code in codes)]
    name = begin(store, "anna")
    answer_all(store, name)
    with store.read() as connection:
        assert completion.code(plan, participants.load(connection, name).row["outcome"]) is None
    completion.finish(store, name)
    with store.read() as connection:
        assert completion.code(plan, participants.load(connection, name).row["outcome"]) == "DONE-1"
    assert len(set(codes)) == 4


def test_flaw_14_no_page_asks_for_an_id(store: Store, make_plan: Callable[..., Plan]) -> None:
    for kind in ("prolific", "url", "direct"):
        versions.publish(store, make_plan(platform={"kind": kind}))
        client = TestClient(create_app(store))
        for query in ("", "?PROLIFIC_PID=abc", "?id=abc"):
            page = client.get(f"/{query}").text
            assert 'type="text"' not in page
            assert "<textarea" not in page
