"""A Plan becomes what a researcher wants to know before a euro is spent: places, balance, time, cost, reading level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from empathic.records import Record
from empathic.studies.assignment import arrangements
from empathic.studies.blocks import concurrence
from empathic.studies.design import AnyStudy, Between, Ieval, Observer, Plan, Seat
from empathic.studies.plan import conditions, targets
from empathic.studies.steps import Step, steps

WORDS_PER_MINUTE = 200.0
SECONDS_PER_ANSWER, SECONDS_PER_TURN = 4.0, 35.0
HARD_TO_READ = 10.0
FEWEST_WORDS = {"consent.text": 40, "description": 20, "debrief": 10, "help": 5}


class Finding(Record, frozen=True):
    """Something that should be looked at (`warning`) or must be changed (`problem`) before people come."""

    level: Literal["problem", "warning"]
    about: str
    text: str


class Checked(Record, frozen=True):
    """The numbers of a study and what was found."""

    numbers: dict[str, Any]
    findings: tuple[Finding, ...]


def check(plan: Plan) -> Checked:
    """Everything there is to say about a plan before it is served."""
    numbers = _numbers(plan)
    return Checked(numbers=numbers, findings=tuple(_findings(plan, numbers)))


def _numbers(plan: Plan) -> dict[str, Any]:
    people, minutes = plan.copies * len(plan.batches), expected_minutes(plan)
    found: dict[str, Any] = {
        "design": plan.study.__struct_config__.tag,
        "conditions": conditions(plan),
        "participants": people,
        "cells": len(targets(plan)),
        "target_per_cell": sorted(set(targets(plan).values())),
        "orders": arrangements(plan),
        "minutes": round(minutes, 1),
        "reading_grade": round(reading_grade(_texts(plan.study)), 1),
    }
    if plan.study.payment is not None:
        pay = plan.study.payment
        found |= {"cost": round(pay.amount * people, 2), "currency": pay.currency}
        found["pay_per_hour"] = round(pay.amount / minutes * 60, 2)
    if isinstance(plan.study, Observer):
        pairs = _pairs(plan)
        found["raters_per_pair"] = {"fewest": min(pairs, default=0), "most": max(pairs, default=0)}
    return found


def _findings(plan: Plan, numbers: dict[str, Any]) -> Iterator[Finding]:
    study = plan.study
    yield from _text_findings(study)
    if numbers["reading_grade"] > HARD_TO_READ:
        text = f"the texts need {numbers['reading_grade']} years of school to be read; shorter sentences help"
        yield Finding(level="warning", about="description, consent, tutorial", text=text)
    if numbers["participants"] % numbers["orders"]:
        text = f"{numbers['participants']} participants cannot be divided evenly over {numbers['orders']} orders"
        yield Finding(level="warning", about="raters", text=text)
    yield from _payment_findings(study, numbers["minutes"])
    yield from _check_findings(plan)
    if study.balance.gender and not study.balance.others:
        text = "people of no listed group are screened out (and paid); `others` keeps places for them"
        yield Finding(level="warning", about="balance", text=text)


def _text_findings(study: AnyStudy) -> Iterator[Finding]:
    for name, fewest in FEWEST_WORDS.items():
        text = study.consent.text if name == "consent.text" else getattr(study, name)
        words = len(text.split())
        if words == 0:
            yield Finding(level="problem", about=name, text="is empty")
        elif words < fewest:
            yield Finding(level="warning", about=name, text=f"has only {words} words")
    for outcome in ("complete", "screened_out", "failed", "withdrawn"):
        if len(getattr(study.codes, outcome)) < 6:
            yield Finding(level="warning", about=f"codes.{outcome}", text="is short enough to be guessed")
    if study.platform.kind == "url" and "{code}" not in study.platform.redirect and study.platform.redirect:
        yield Finding(level="problem", about="platform.redirect", text="has no {code}: the platform gets no code")


def _payment_findings(study: AnyStudy, minutes: float) -> Iterator[Finding]:
    if study.payment is None:
        return
    if minutes > 1.5 * study.payment.minutes:
        text = f"says {study.payment.minutes:g} minutes, but reading and answering take about {minutes:.0f}"
        yield Finding(level="warning", about="payment.minutes", text=text)
    if study.lease_minutes < study.payment.minutes:
        text = f"a place waits {study.lease_minutes:g} minutes, less than the study is said to take"
        yield Finding(level="warning", about="lease_minutes", text=text)


def _check_findings(plan: Plan) -> Iterator[Finding]:
    pages = [step for step in steps(plan, _first_seat(plan)) if step.kind in ("rate", "likert")]
    for each in plan.study.checks:
        if each.page >= len(pages):
            text = f"stands on page {each.page}, but there are only {len(pages)} (from 0): it is never shown"
            yield Finding(level="problem", about=f"checks.{each.id}", text=text)
        elif each.expect not in {point.value for field in pages[each.page].fields for point in field.points}:
            yield Finding(level="problem", about=f"checks.{each.id}", text=f"{each.expect:g} is no point of the scale")


def _first_seat(plan: Plan) -> Seat:
    batch = plan.batches[0]
    bots = tuple(bot.name for bot in plan.study.bots) if isinstance(plan.study, Ieval) else ()
    return Seat(
        condition=batch.condition, batch=batch.name, things=batch.things, bots=bots, colours={bot: bot for bot in bots}
    )


def expected_minutes(plan: Plan) -> float:
    """How long reading (200 words a minute), answering and chatting take somebody on the first batch."""
    way = steps(plan, _first_seat(plan))
    words = len(f"{_texts(plan.study)} {plan.study.debrief}".split())
    seconds = sum(_seconds(plan, step) for step in way)
    return words / WORDS_PER_MINUTE + seconds / 60


def _seconds(plan: Plan, step: Step) -> float:
    words = sum(len(f"{field.label} {field.help}".split()) for field in step.fields)
    if step.kind == "rate" and step.thing:
        shown = plan.things[step.thing]
        words += sum(len(turn.text.split()) for turn in shown.turns) + len((shown.situation or "").split())
    chatting = plan.study.turns * SECONDS_PER_TURN if step.kind == "chat" and isinstance(plan.study, Ieval) else 0.0
    return 60 * words / WORDS_PER_MINUTE + SECONDS_PER_ANSWER * len(step.fields) + chatting


def _texts(study: AnyStudy) -> str:
    return f"{study.description} {study.consent.text} {study.tutorial}"


def reading_grade(text: str) -> float:
    """Years of school needed to read an English text (Flesch–Kincaid grade level, Kincaid et al. 1975).

    0.39 · words / sentences + 11.8 · syllables / words − 15.59
    """
    words = re.findall(r"[A-Za-z']+", text)
    sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$)", text)))
    if not words:
        return 0.0
    syllables = sum(_syllables(word) for word in words)
    return 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59


def _syllables(word: str) -> int:
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = word.lower().endswith("e") and not word.lower().endswith("le") and groups > 1
    return max(1, groups - silent)


def _pairs(plan: Plan) -> list[int]:
    """How many raters have each pair of transcripts in common."""
    numbers = {name: number for number, name in enumerate(plan.things)}
    blocks = [tuple(numbers[name] for name in batch.things) for batch in plan.batches]
    return list(concurrence(blocks, len(numbers)).values())


def conditions_line(plan: Plan) -> str:
    """What is compared, for a person to read."""
    if isinstance(plan.study, Between):
        return f"{len(plan.things)} responses of {', '.join(conditions(plan))}"
    if isinstance(plan.study, Ieval):
        return f"{len(plan.study.bots)} chatbots in {len(plan.things)} scenarios"
    return f"{len(plan.things)} transcripts, each rated by {plan.study.raters}"
