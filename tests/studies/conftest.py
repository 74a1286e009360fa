"""What the tests of studies share: a clock that is set, stores on both databases, small plans, people who answer."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from empathic import files, registry
from empathic.records import Dialogue, Response, Turn
from empathic.studies import completion, participants, plan, versions
from empathic.studies.design import Plan
from empathic.studies.participants import Identity
from empathic.studies.store import Store, open_store

BASE: dict[str, Any] = {
    "title": "Test study",
    "description": "We ask how empathic answers are.",
    "consent": {"version": "1", "text": "I take part of my own will."},
    "codes": {"complete": "DONE-1", "screened_out": "FULL-2", "failed": "CHECK-3", "withdrawn": "LEFT-4"},
    "help": "Call 116 123.",
    "debrief": "The answers were written by people and by systems.",
    "questions": [
        {"id": "gender", "text": "Your gender", "options": ["female", "male", "other"]},
        {"id": "age", "text": "Your age", "kind": "number", "low": 18, "high": 110},
    ],
    "tutorial": "Empathy is understanding and sharing feelings.",
    "comment": "Anything else?",
}
DESIGNS: dict[str, dict[str, Any]] = {
    "between": {"responses": "responses.jsonl", "batch": 2, "about_rater": ["teq"]},
    "ieval": {
        "bots": [{"name": name, "system": name} for name in ("ada", "bob", "cy")],
        "scenarios": "dialogues.jsonl",
    },
    "observer": {"transcripts": "dialogues.jsonl", "instrument": "eshcc", "per_rater": 3, "raters": 3},
}


class Clock:
    """A time that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def _as_postgres(command: list[str]) -> None:
    """Debian's server refuses to run as root; as anybody else it runs as that user."""
    user = {"user": "postgres"} if os.getuid() == 0 else {}
    subprocess.run(command, check=True, capture_output=True, cwd="/", **user)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of its own on a socket; skipped where there is none."""
    initdb = shutil.which("initdb") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), None)
    if initdb is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="empathic-pg-"))
    if os.getuid() == 0:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    pg_ctl, data = str(Path(initdb).with_name("pg_ctl")), str(folder / "data")
    pg_ctl = str(Path(initdb).resolve().with_name("pg_ctl"))
    _as_postgres([initdb, "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"])
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=200"
    _as_postgres([pg_ctl, "-D", data, "-o", options, "-w", "-l", str(folder / "log"), "start"])
    try:
        yield f"postgresql+psycopg://postgres@/%s?host={folder}"
    finally:
        _as_postgres([pg_ctl, "-D", data, "-m", "immediate", "-w", "stop"])
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that each test copies."""
    path = tmp_path_factory.mktemp("template") / "study.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres: str) -> str:
    """A migrated PostgreSQL database that each test copies."""
    with contextlib.closing(_admin(postgres)) as admin:
        admin.exec_driver_sql("CREATE DATABASE template_study")
    open_store(postgres % "template_study").close()
    return "template_study"


@pytest.fixture
def fresh(
    request: pytest.FixtureRequest, tmp_path: Path, template: Path
) -> Callable[[str], contextlib.AbstractContextManager[str]]:
    """Gives the address of a database of a kind without a study in it, for as long as it is wanted."""

    @contextlib.contextmanager
    def database(kind: str) -> Iterator[str]:
        name = f"t{uuid.uuid4().hex}"
        if kind == "sqlite":
            shutil.copy(template, tmp_path / f"{name}.db")
            yield f"sqlite:///{tmp_path}/{name}.db"
            return
        pattern: str = request.getfixturevalue("postgres")
        source: str = request.getfixturevalue("postgres_template")
        with contextlib.closing(_admin(pattern)) as admin:
            admin.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY file_copy")
            yield pattern % name
            admin.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")

    return database


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database: both, unless a test says otherwise."""
    return str(request.param)


@pytest.fixture
def url(kind: str, fresh: Callable[[str], contextlib.AbstractContextManager[str]]) -> Iterator[str]:
    """The address of an empty database, on each kind of database."""
    with fresh(kind) as address:
        yield address


def _admin(pattern: str) -> sa.Connection:
    engine = sa.create_engine(pattern % "postgres", isolation_level="AUTOCOMMIT", poolclass=sa.pool.NullPool)
    return engine.connect()


@pytest.fixture
def open_at(url: str, clock: Clock) -> Iterator[Callable[[], Store]]:
    """Opens the same database again, as another process would; all are closed at the end."""
    with contextlib.ExitStack() as stack:

        def opened() -> Store:
            store = open_store(url, clock)
            stack.callback(store.close)
            return store

        yield opened


@pytest.fixture
def store(open_at: Callable[[], Store]) -> Store:
    return open_at()


def dialogues(count: int = 8) -> list[Dialogue]:
    return [
        Dialogue(
            id=f"d{number}",
            turns=(
                Turn(role="speaker", text=f"Something happened, number {number}."),
                Turn(role="listener", text=f"Tell me more of {number}."),
            ),
            emotion="joyful" if number % 2 else "sad",
            polarity="positive" if number % 2 else "negative",
            situation=f"It was day {number}.",
            metadata={"system": "ada" if number % 3 else "bob"},
        )
        for number in range(count)
    ]


def responses(count: int = 4, systems: tuple[str, ...] = ("human", "model")) -> list[Response]:
    return [
        Response(
            id=f"{each.id}#{system}",
            system=system,
            dialogue=each.id,
            turns=each.turns[:1],
            text=f"{system.upper()[:1]} answers to {each.id}",
            emotion=each.emotion,
            polarity=each.polarity,
            situation=each.situation,
        )
        for each in dialogues(count)
        for system in systems
    ]


@pytest.fixture
def instruments() -> dict[str, Any]:
    return {entry.name: entry.thing for entry in registry.entries("instrument")}


@pytest.fixture
def make_plan(tmp_path: Path, instruments: dict[str, Any]) -> Callable[..., Plan]:
    """A plan of a design on small data; keywords change the study file."""

    def make(design: str = "between", *, count: int = 4, **changes: Any) -> Plan:
        folder = tmp_path / uuid.uuid4().hex
        files.write_lines(folder / "responses.jsonl", responses(count))
        files.write_lines(folder / "dialogues.jsonl", dialogues(2 * count))
        content = {**BASE, "design": design, **DESIGNS[design], **changes}
        study = msgspec.convert(content, plan.AnyStudy)
        return plan.build(study, folder, instruments)

    return make


@pytest.fixture
def begin() -> Callable[..., str]:
    """Somebody enters, consents and says who they are: returns the participant."""

    def start(store: Store, pid: str, gender: str = "female", age: float = 30, mode: Any = "live") -> str:
        name = participants.enter(store, Identity(platform="url", pid=pid), mode)
        participants.consent(store, name, agreed=True)
        participants.save(store, name, {"about.gender": gender, "about.age": age}, submit="about")
        return name

    return start


@pytest.fixture
def answer_all() -> Callable[..., None]:
    """Answers every step that is left with the given point, or the lowest; not for chats."""

    def answer(store: Store, name: str, choose: Callable[[Any], float] | None = None) -> None:
        for _ in range(100):
            with store.read() as connection:
                step = participants.load(connection, name).step
            if step.kind == "finish":
                return
            points = [field for field in step.fields if field.kind == "point"]
            raw = {field.key: choose(field) if choose else field.points[0].value for field in points}
            participants.save(store, name, raw, submit=step.id)

    return answer


@pytest.fixture
def complete(begin: Callable[..., str], answer_all: Callable[..., None]) -> Callable[..., str]:
    """Somebody takes the whole study."""

    def whole(store: Store, pid: str, **who: Any) -> str:
        name = begin(store, pid, **who)
        with store.read() as connection:
            active = participants.load(connection, name).row["state"] == "active"
        if active:
            answer_all(store, name)
            assert completion.finish(store, name) == []
        return name

    return whole


@pytest.fixture
def state() -> Callable[[Store, str], Any]:
    def read(store: Store, name: str) -> Any:
        with store.read() as connection:
            return participants.load(connection, name).row

    return read


@pytest.fixture
def published(store: Store, make_plan: Callable[..., Plan]) -> Store:
    """A store with the small between-groups study."""
    versions.publish(store, make_plan())
    return store
