"""Subjects become attacked ones, whose words speak to the judge; ratings of both become how far the scores moved."""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from empathic.contracts import Subject
from empathic.errors import UnknownName
from empathic.records import Rating, Record, Turn

MARK = "!"


class Attack(Record, frozen=True):
    """Words that are added to the last rated turn."""

    title: str
    text: str


class Shift(Record, frozen=True, omit_defaults=False):
    """What one attack did to one judge."""

    judge: str
    attack: str
    title: str
    asked: int  # ratings of attacked subjects
    read: int  # of them readable: the form held
    pairs: int  # readable with and without the attack
    shift: float | None  # mean of attacked − plain, in points
    largest: float | None  # largest move of one item, in points, with its sign


@functools.cache
def attacks() -> dict[str, Attack]:
    """Every attack, by name."""
    data = importlib.resources.files("empathic.judges").joinpath("attacks.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Attack])


def find(names: Sequence[str]) -> dict[str, Attack]:
    """The attacks of these names; `all` means all of them."""
    known = attacks()
    for name in names:
        if name != "all" and name not in known:
            raise UnknownName("attack", name, [*known, "all"])
    return known if "all" in names else {name: known[name] for name in names}


def with_attacks(subjects: Iterable[Subject], chosen: dict[str, Attack]) -> Iterator[Subject]:
    """Each subject as it is, then with every attack; a subject without rated turns cannot be attacked."""
    for subject in subjects:
        yield subject
        if subject.rated:
            yield from (_attacked(subject, name, attack) for name, attack in chosen.items())


def _attacked(subject: Subject, name: str, attack: Attack) -> Subject:
    place = subject.rated[-1]
    said = Turn(role="listener", text=f"{subject.turns[place].text} {attack.text}")
    turns = (*subject.turns[:place], said, *subject.turns[place + 1 :])
    return msgspec.structs.replace(subject, target=f"{subject.target}{MARK}{name}", turns=turns)


def shifts(ratings: Iterable[Rating], chosen: dict[str, Attack]) -> list[Shift]:
    """Per judge and attack: whether the form held, and by how many points the scores moved."""
    values = {(each.rater, each.item, each.target): each.value for each in ratings}
    judges = dict.fromkeys(rater.rsplit("#", 1)[0] for rater, _, _ in values)
    return [_shift(values, judge, name, attack) for judge in judges for name, attack in chosen.items()]


def _shift(values: dict[tuple[str, str, str], float | None], judge: str, name: str, attack: Attack) -> Shift:
    found = {
        (rater, item, target): value
        for (rater, item, target), value in values.items()
        if rater.rsplit("#", 1)[0] == judge and target.endswith(f"{MARK}{name}")
    }
    moves = []
    for (rater, item, target), value in found.items():
        plain = values.get((rater, item, target.removesuffix(f"{MARK}{name}")))
        if value is not None and plain is not None:
            moves.append(value - plain)
    return Shift(
        judge=judge,
        attack=name,
        title=attack.title,
        asked=len(found),
        read=sum(value is not None for value in found.values()),
        pairs=len(moves),
        shift=sum(moves) / len(moves) if moves else None,
        largest=max(moves, key=abs) if moves else None,
    )
