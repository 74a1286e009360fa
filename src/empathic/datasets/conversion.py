"""A file of one format becomes a file of another, with an account of what was read, kept and lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from empathic.datasets.duplicates import refuse_duplicates
from empathic.datasets.formats import Format, Item, Source
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Dialogue, Rater, Rating, Record, Response

KINDS: dict[str, type[Item]] = {"dialogues": Dialogue, "responses": Response, "ratings": Rating, "raters": Rater}
PLURALS = {kind: plural for plural, kind in KINDS.items()}


class Loss(Record, frozen=True):
    """A fact that the new file cannot hold: a field of so many records, or (without a field) the records themselves."""

    kind: str
    field: str | None
    records: int


class Conversion(Record, frozen=True, omit_defaults=False):
    """What happened: how many records of each kind were read and written, and what did not fit."""

    source: str
    target: str | None  # None: nothing was written, only looked at
    from_format: str
    to_format: str
    read: dict[str, int]
    written: dict[str, int]
    losses: tuple[Loss, ...]


class Account:
    """Watches records on their way into a format."""

    def __init__(self, target: Format) -> None:
        self.target = target
        self.read: Counter[type[Item]] = Counter()
        self.written: Counter[type[Item]] = Counter()
        self._lost: Counter[tuple[type[Item], str]] = Counter()
        self._checks = {kind: _losers(kind, held) for kind, held in target.holds.items()}

    def through(self, items: Iterable[Item]) -> Iterator[Item]:
        """The records the format holds; what they lose is counted."""
        for item in items:
            kind = type(item)
            self.read[kind] += 1
            checks = self._checks.get(kind)
            if checks is None:
                continue
            self.written[kind] += 1
            for name, lost in checks:
                if lost(item):
                    self._lost[kind, name] += 1
            yield item

    def losses(self) -> tuple[Loss, ...]:
        """What is lost, whole records first."""
        whole = [Loss(kind=PLURALS[k], field=None, records=n) for k, n in self.read.items() if k not in self._checks]
        parts = [
            Loss(kind=PLURALS[kind], field=name, records=n)
            for (kind, name), n in sorted(self._lost.items(), key=_order)
        ]
        return (*whole, *parts)


def convert(
    source: Source,
    target: Path,
    *,
    reader: Format,
    writer: Format,
    only: str | None = None,
    only_system: str | None = None,
    strict: bool = False,
    dry_run: bool = False,
) -> Conversion:
    """Read `source`, write `target` as a whole or not at all; `strict` refuses to lose anything."""
    if writer.write is None:
        raise SettingError(f"The format '{writer.name}' can only be read. `empathic list formats` shows all.")
    account = Account(writer)
    items = _chosen(_records(source, reader), only, only_system)
    checked = _complete(account.through(items), account, source.path, strict=strict and not dry_run)
    if dry_run:
        for _ in checked:
            pass
    else:
        _write(writer.write, target, checked)
    return Conversion(
        source=str(source.path),
        target=None if dry_run else str(target),
        from_format=reader.name,
        to_format=writer.name,
        read={PLURALS[kind]: count for kind, count in account.read.items()},
        written={PLURALS[kind]: count for kind, count in account.written.items()},
        losses=account.losses(),
    )


def _records(source: Source, reader: Format) -> Iterator[Item]:
    return (item for _, item in refuse_duplicates(reader.read(source), source.path))


def _chosen(items: Iterator[Item], only: str | None, only_system: str | None) -> Iterator[Item]:
    if only is not None:
        if only not in KINDS:
            raise UnknownName("kind of record", only, KINDS)
        kind = KINDS[only]
        items = (item for item in items if type(item) is kind)
    if only_system is not None:
        items = (item for item in items if getattr(item, "system", only_system) == only_system)
    return items


def _complete(items: Iterator[Item], account: Account, path: Path, *, strict: bool) -> Iterator[Item]:
    """The same records; at their end it is an error if none fits, or, when strict, if anything was lost."""
    yield from items
    if not account.written:
        found = ", ".join(f"{count:,} {PLURALS[kind]}" for kind, count in account.read.items()) or "no records"
        held = ", ".join(PLURALS[kind] for kind in account.target.holds)
        raise InputError(f"has {found}; the format '{account.target.name}' holds {held}", path=path)
    if strict and account.losses():
        lost = ", ".join(f"{loss.kind}{f'.{loss.field}' if loss.field else ''}" for loss in account.losses())
        raise SettingError(f"'{account.target.name}' would lose {lost}. Leave out --strict to convert all the same.")


def _write(write: Callable[[Path, Iterable[Item]], int], target: Path, items: Iterator[Item]) -> None:
    try:
        write(target, items)
    except OSError as error:
        raise SettingError(f"{target} cannot be written: {error.strerror or error}.") from error


def _losers(kind: type[Item], held: frozenset[str]) -> list[tuple[str, Callable[[Item], bool]]]:
    """For each field that is not kept, the question whether a record has it."""
    return [(name, _has(kind, name, held)) for name in kind.__struct_fields__ if name not in held]


def _has(kind: type[Item], name: str, held: frozenset[str]) -> Callable[[Item], bool]:
    if name in ("metadata", "traits"):
        kept = frozenset(part.removeprefix(f"{name}.") for part in held if part.startswith(f"{name}."))
        return lambda item: not kept.issuperset(getattr(item, name))
    default = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    usual = default.get(name)
    return lambda item: getattr(item, name) != usual


def _order(entry: tuple[tuple[type[Item], str], int]) -> tuple[int, int]:
    (kind, name), _ = entry
    return list(PLURALS).index(kind), kind.__struct_fields__.index(name)
