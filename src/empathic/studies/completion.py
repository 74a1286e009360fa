"""A participant's answers become an outcome with its code, after everything was checked in the same transaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.studies import assignment, events, schema
from empathic.studies.design import Ieval, Outcome, Plan
from empathic.studies.participants import Person, load, move
from empathic.studies.steps import Step, missing
from empathic.studies.store import Store


class Gap(NamedTuple):
    """Something that is still missing, and where."""

    step: Step
    what: str


def finish(store: Store, name: str) -> list[Gap]:
    """End a participant's task; what is missing is returned and nothing changes. Finishing twice is finishing once."""
    with store.write() as connection:
        person = load(connection, name, for_update=True)
        if person.row["state"] != "active":
            return []
        gaps = list(find_gaps(connection, person))
        if gaps:
            return gaps
        now, failed = store.clock(), failed_checks(person)
        outcome: Outcome = "failed" if 0 < person.plan.study.failed_checks <= len(failed) else "complete"
        reason = f"attention checks failed: {', '.join(failed)}" if outcome == "failed" else None
        in_time = assignment.finish(connection, name)
        events.append(connection, person.row, "finished", {"outcome": outcome, "late": not in_time}, now=now)
        move(connection, person, "finished", outcome=outcome, reason=reason, late=not in_time, finished=now)
        return []


def find_gaps(connection: Connection, person: Person) -> Iterator[Gap]:
    """Every required answer that is missing, and every chat that is too short."""
    for step in person.way:
        for field in missing(step, person.answers):
            yield Gap(step, field.label or field.key)
        if step.kind == "chat" and isinstance(person.plan.study, Ieval):
            had = bot_turns(connection, person.row["id"], str(step.thing), str(step.bot))
            if had < person.plan.study.turns:
                yield Gap(step, f"{person.plan.study.turns - had} more answers of the chatbot")


def bot_turns(connection: Connection, person: str, scenario: str, bot: str) -> int:
    """How many answers the bot gave in a chat."""
    chat, turn = schema.chat.c, schema.turn.c
    query = (
        sa.select(sa.func.count())
        .select_from(schema.turn.join(schema.chat, turn.chat == chat.id))
        .where(chat.participant == person, chat.scenario == scenario, chat.bot == bot)
        .where(turn.role == "listener", turn.status == "done")
    )
    return int(connection.scalar(query) or 0)


def failed_checks(person: Person) -> list[str]:
    """The attention checks answered with another point than the instruction says."""
    return [
        check.id
        for check in person.plan.study.checks
        if person.answers.get(f"check.{check.id}", check.expect) != check.expect
    ]


def code(plan: Plan, outcome: str | None) -> str | None:
    """The completion code of an outcome; none before there is one."""
    return None if outcome is None else str(getattr(plan.study.codes, outcome))


def redirect(plan: Plan, outcome: str | None) -> str | None:
    """Where the platform wants the participant back, with the code."""
    given = code(plan, outcome)
    platform = plan.study.platform
    address = platform.redirect or (PROLIFIC if platform.kind == "prolific" else "")
    return address.replace("{code}", given) if given and address else None


PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"
