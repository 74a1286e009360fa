"""A participant's message becomes a committed turn and a waiting answer; a worker of any process fills it in.

The person's turn and the empty turn of the bot are written in one transaction. Whoever claims the waiting turn calls
the system and appends what it says in chunks; the browser only follows the database. So a closed tab, a second tab or
a killed server neither loses nor doubles a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.contracts import Reply, Request
from empathic.records import Turn
from empathic.studies import assignment, events, schema
from empathic.studies.completion import bot_turns
from empathic.studies.design import Ieval
from empathic.studies.participants import Person, WrongMoment, load
from empathic.studies.steps import Step, Value
from empathic.studies.store import Store

WORKER_SECONDS = 10.0  # how long a worker may be silent before another takes the turn
chat, turn, chunk = schema.chat, schema.turn, schema.chunk


class Work(NamedTuple):
    """A waiting turn that was claimed: what to ask of which bot."""

    turn: int
    attempt: int
    bot: str
    request: Request


class Line(NamedTuple):
    """One turn as it is shown."""

    n: int
    role: str
    text: str
    status: str


def say(store: Store, name: str, place: int, text: str | None, *, key: str | None = None) -> bool:
    """Store the participant's message (None: the given first one) and a waiting turn of the bot.

    False if the key was stored before, or the first message is already there.
    """
    with store.write() as connection:
        person, now = load(connection, name, for_update=True), store.clock()
        if key is not None and events.known(connection, name, key):
            return False
        step, number = _open_chat(connection, person, place, now)
        turns = _turns(connection, number)
        if text is None and turns:
            return False
        _refuse_out_of_turn(person, turns, text)
        said = person.plan.things[str(step.thing)].turns[0].text if text is None else _checked(person, text)
        events.append(connection, person.row, "say", {"chat": place, "text": said}, now=now, key=key)
        _add(connection, number, len(turns), "speaker", said, "done", now)
        _add(connection, number, len(turns) + 1, "listener", None, "waiting", now)
        assignment.renew(connection, name, person.plan, now=now)
        return True


def retry(store: Store, name: str, place: int) -> bool:
    """Ask again for an answer that failed; the failure stays in the data."""
    with store.write() as connection:
        person = load(connection, name, for_update=True)
        _, number = _open_chat(connection, person, place, store.clock())
        here = (turn.c.chat == number, turn.c.status == "failed")
        failed = connection.execute(sa.select(turn.c.id, turn.c.n, turn.c.missing).where(*here)).mappings().first()
        if failed is None:
            return False
        waiting = {"status": "waiting", "missing": None, "worker_until": 0.0}
        connection.execute(turn.update().where(turn.c.id == failed["id"]).values(**waiting))
        told = {"chat": place, "turn": failed["n"], "missing": failed["missing"]}
        events.append(connection, person.row, "retry", told, now=store.clock())
        return True


def close(store: Store, name: str, place: int) -> int:
    """End a chat; returns how many answers of the bot are still needed (0: it is ended)."""
    with store.write() as connection:
        person, now = load(connection, name, for_update=True), store.clock()
        step = _step(person, place)
        if f"chat.{place}" in person.answers:
            return 0
        had = bot_turns(connection, name, str(step.thing), str(step.bot))
        wanted = person.plan.study.turns if isinstance(person.plan.study, Ieval) else 0
        if had < wanted:
            return wanted - had
        done: dict[str, Value] = {f"chat.{place}": True}
        events.save(connection, person.row, done, now=now)
        assignment.renew(connection, name, person.plan, now=now)
        return 0


def lines(connection: Connection, person: Person, place: int) -> list[Line]:
    """The chat as it stands, the chunks of a waiting answer included."""
    step = _step(person, place)
    query = sa.select(chat.c.id).where(
        chat.c.participant == person.row["id"], chat.c.scenario == step.thing, chat.c.bot == step.bot
    )
    number = connection.scalar(query)
    return [] if number is None else [_line(connection, row) for row in _turns(connection, number)]


def _line(connection: Connection, row: RowMapping) -> Line:
    if row["status"] == "waiting":
        return Line(row["n"], row["role"], "".join(chunks(connection, row["id"], row["attempts"])), "waiting")
    return Line(row["n"], row["role"], row["text"] or "", row["status"])


def chunks(connection: Connection, number: int, attempt: int) -> list[str]:
    """What an attempt has said so far."""
    query = sa.select(chunk.c.text).where(chunk.c.turn == number, chunk.c.attempt == attempt).order_by(chunk.c.seq)
    return [text for (text,) in connection.execute(query)]


def claim_work(store: Store, limit: int) -> list[Work]:
    """Take waiting turns nobody works on; each is given to one worker."""
    with store.read() as connection:
        waiting = sa.select(turn.c.id).where(turn.c.status == "waiting", turn.c.worker_until < store.clock())
        found = [number for (number,) in connection.execute(waiting.order_by(turn.c.id).limit(limit))]
    claimed = [_claim(store, number) for number in found]
    return [work for work in claimed if work is not None]


def _claim(store: Store, number: int) -> Work | None:
    with store.write() as connection:
        now = store.clock()
        free = turn.update().where(turn.c.id == number, turn.c.status == "waiting", turn.c.worker_until < now)
        taken = free.values(worker_until=now + WORKER_SECONDS, attempts=turn.c.attempts + 1)
        if connection.execute(taken).rowcount == 0:
            return None
        row = connection.execute(sa.select(turn).where(turn.c.id == number)).mappings().one()
        return _work(connection, row)


def _work(connection: Connection, row: RowMapping) -> Work:
    talk = connection.execute(sa.select(chat).where(chat.c.id == row["chat"])).mappings().one()
    scenario = load(connection, talk["participant"]).plan.things[talk["scenario"]]
    said = [each for each in _turns(connection, row["chat"]) if each["n"] < row["n"]]
    request = Request(
        dialogue=f"{talk['scenario']}#{talk['participant']}",
        position=row["n"] // 2,
        turns=tuple(Turn(role=each["role"], text=each["text"] or "") for each in said),
        situation=scenario.situation,
        emotion=scenario.emotion,
    )
    return Work(row["id"], row["attempts"], talk["bot"], request)


def add_chunk(store: Store, work: Work, seq: int, text: str) -> bool:
    """Append to an answer and keep the claim; False if another worker has taken the turn over."""
    with store.write() as connection:
        mine = turn.update().where(turn.c.id == work.turn, turn.c.status == "waiting", turn.c.attempts == work.attempt)
        if connection.execute(mine.values(worker_until=store.clock() + WORKER_SECONDS)).rowcount == 0:
            return False
        clean = text.replace("\x00", "")
        connection.execute(chunk.insert().values(turn=work.turn, attempt=work.attempt, seq=seq, text=clean))
        return True


def settle(store: Store, work: Work, reply: Reply) -> bool:
    """Write the whole answer, or why there is none; False if another worker has taken the turn over."""
    with store.write() as connection:
        mine = turn.update().where(turn.c.id == work.turn, turn.c.status == "waiting", turn.c.attempts == work.attempt)
        values = {
            "text": None if reply.text is None else reply.text.replace("\x00", ""),
            "missing": reply.missing,
            "status": "done" if reply.text else "failed",
            "generation": msgspec.json.encode(reply.generation).decode(),
            "time": store.clock(),
        }
        return connection.execute(mine.values(**values)).rowcount == 1


def release(store: Store, work: Work) -> None:
    """Give a turn back, for this server stops: another may take it at once."""
    with store.write() as connection:
        mine = turn.update().where(turn.c.id == work.turn, turn.c.status == "waiting", turn.c.attempts == work.attempt)
        connection.execute(mine.values(worker_until=0.0))


def release_all(store: Store) -> int:
    """Give every turn back, for whoever had taken one is dead; returns how many."""
    with store.write() as connection:
        left = turn.update().where(turn.c.status == "waiting", turn.c.worker_until > 0.0)
        return connection.execute(left.values(worker_until=0.0)).rowcount


def keep(store: Store, work: Work) -> bool:
    """Say that a slow system is still being waited for."""
    with store.write() as connection:
        mine = turn.update().where(turn.c.id == work.turn, turn.c.status == "waiting", turn.c.attempts == work.attempt)
        return connection.execute(mine.values(worker_until=store.clock() + WORKER_SECONDS)).rowcount == 1


def _step(person: Person, place: int) -> Step:
    step = next((step for step in person.way if step.kind == "chat" and step.place == place), None)
    if step is None or person.way.index(step) > person.way.index(person.step):
        raise WrongMoment("This chat is not open.")
    return step


def _open_chat(connection: Connection, person: Person, place: int, now: float) -> tuple[Step, int]:
    step = _step(person, place)
    if person.row["state"] != "active" or f"chat.{place}" in person.answers:
        raise WrongMoment("This chat is ended.")
    key = {"participant": person.row["id"], "scenario": step.thing, "bot": step.bot}
    query = sa.select(chat.c.id).where(*(chat.c[name] == value for name, value in key.items()))
    found = connection.scalar(query)
    if found is None:
        connection.execute(chat.insert().values(**key, created=now))
        found = connection.scalar(query)
    return step, int(found or 0)


def _turns(connection: Connection, number: int) -> Sequence[RowMapping]:
    return connection.execute(sa.select(turn).where(turn.c.chat == number).order_by(turn.c.n)).mappings().all()


def _refuse_out_of_turn(person: Person, turns: Sequence[RowMapping], text: str | None) -> None:
    if isinstance(person.plan.study, Ieval) and len(turns) >= 2 * person.plan.study.most_turns:
        raise WrongMoment("This chat is long enough; please end it and continue.")
    if text is not None and not turns:
        raise WrongMoment("The chat begins with the message that is given.")
    if turns and turns[-1]["status"] != "done":
        raise WrongMoment("The chatbot has not answered yet.")


def _checked(person: Person, text: str) -> str:
    longest = person.plan.study.longest if isinstance(person.plan.study, Ieval) else 0
    said = text.replace("\x00", "").strip()
    if not said:
        raise WrongMoment("Please write a message first.")
    if len(said) > longest:
        raise WrongMoment(f"A message can have {longest} characters, this one has {len(said)}.")
    return said


def _add(connection: Connection, number: int, n: int, role: str, text: str | None, status: str, now: float) -> None:
    row = {"chat": number, "n": n, "role": role, "text": text, "status": status, "time": now}
    connection.execute(turn.insert().values(**row, attempts=0, worker_until=0.0))
