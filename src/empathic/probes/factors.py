"""A language → its factors: race, education, religion, age, … with their levels and how each level is said."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

from empathic.errors import InputError, SettingError, UnknownName
from empathic.probes import pages
from empathic.records import Record

LANGUAGES = Path(__file__).parent / "languages"
PRONOUNS = "pronouns"  # the factor that chooses pronouns, agreement and, where they are matched, names
UNSAID = "unsaid"  # the level of an attribute that the text does not mention


class Level(Record, frozen=True):
    """One attribute: the words for it, by form; the first form is the one `{factor}` stands for."""

    forms: dict[str, str] = {}
    unavailable: str | None = None  # why this language cannot say it
    note: str | None = None


class Factor(Record, frozen=True):
    """One dimension along which people differ, and the level the others are compared with."""

    id: str
    title: str
    reference: str
    levels: dict[str, Level]
    note: str | None = None

    @property
    def available(self) -> tuple[str, ...]:
        """The levels that this language can say, the reference first."""
        said = [name for name, level in self.levels.items() if level.unavailable is None]
        return tuple(sorted(said, key=lambda name: name != self.reference))

    def level(self, name: str) -> Level:
        """One level by name; an unknown or unavailable one is refused with what to do."""
        if name not in self.levels:
            raise UnknownName(f"level of {self.id}", name, self.levels)
        found = self.levels[name]
        if found.unavailable is not None:
            raise SettingError(
                f"The level '{name}' of {self.id} is not available in this language: {found.unavailable}"
            )
        return found


class _File(Record, frozen=True):
    """What stands in languages/LANGUAGE/factors.yaml."""

    factors: dict[str, _Entry]


class _Entry(Record, frozen=True):
    title: str
    levels: dict[str, Level]
    reference: str = ""
    note: str | None = None


def languages() -> tuple[str, ...]:
    """The languages there are files for."""
    return tuple(sorted(path.name for path in LANGUAGES.iterdir() if (path / "factors.yaml").is_file()))


def folder(language: str) -> Path:
    """The folder with a language's files."""
    if language not in languages():
        raise UnknownName("language", language, languages(), hint="See docs/probes.md for how to add one.")
    return LANGUAGES / language


def read(language: str = "en") -> dict[str, Factor]:
    """The factors of a language by name."""
    return dict(_read(folder(language) / "factors.yaml"))


def read_file(path: Path) -> dict[str, Factor]:
    """The factors in a file of your own; the first thing wrong is an InputError with its line."""
    page = pages.read(path)
    found = _from(page)
    for trail, what in problems(found):
        raise InputError(what, path=path, line=page.line(trail), field=".".join(trail))
    return found


def problems(found: Mapping[str, Factor]) -> Iterator[tuple[pages.Trail, str]]:
    """What is wrong with factors: where in their file, and what."""
    for name, factor in found.items():
        here = ("factors", name)
        reference = factor.levels.get(factor.reference)
        if not factor.reference:
            yield (
                here,
                f"'{name}' has no reference level: name under `reference` the level that others are compared with",
            )
        elif reference is None:
            known = ", ".join(factor.levels)
            yield (*here, "reference"), f"the reference level '{factor.reference}' is none of the levels ({known})"
        elif reference.unavailable is not None:
            yield (
                (*here, "reference"),
                f"the reference level '{factor.reference}' is unavailable, so nothing compares with it",
            )
        if len(factor.available) < 2:
            yield here, f"'{name}' has fewer than two levels that can be said"
        if name != PRONOUNS:
            yield from _unworded(here, factor)


def _unworded(here: pages.Trail, factor: Factor) -> Iterator[tuple[pages.Trail, str]]:
    forms = [set(factor.levels[level].forms) for level in factor.available]
    wanted = set.union(*forms) if forms else set()
    for level in factor.available:
        missing = sorted(wanted - set(factor.levels[level].forms)) or ([] if wanted else ["any"])
        if missing:
            yield (*here, "levels", level), f"the level '{level}' has no words for the form '{missing[0]}'"


def _from(page: pages.Page) -> dict[str, Factor]:
    return {name: _factor(name, entry) for name, entry in pages.convert(page, _File).factors.items()}


@functools.cache
def _read(path: Path) -> Mapping[str, Factor]:
    return read_file(path)


def _factor(name: str, entry: _Entry) -> Factor:
    return Factor(id=name, title=entry.title, reference=entry.reference, levels=entry.levels, note=entry.note)
