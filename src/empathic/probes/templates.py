"""A template's file (YAML, or the text format of JaEm-ST) → a Template: a scene with masks, five answers, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args

from empathic.errors import InputError
from empathic.probes import factors as factor_files
from empathic.probes import pages, released
from empathic.probes.pages import Page, Trail
from empathic.probes.probe import Kind, Option
from empathic.records import Polarity, Record, Role, Turn

BUILTIN = Path(__file__).parent / "builtin"
KINDS: tuple[Kind, ...] = get_args(Kind)
SUFFIXES = (".yaml", ".yml", ".txt")
Invariance = Literal["assumed", "not assumed", "expected"]


class Incompatible(Record, frozen=True):
    """Levels that contradict the scene when they come together, and why."""

    levels: dict[str, tuple[str, ...]]
    reason: str

    def holds(self, levels: Mapping[str, str]) -> bool:
        """Whether all of its levels are among these."""
        return all(levels.get(factor) in named for factor, named in self.levels.items())


class Template(Record, frozen=True):
    """A scene told with masks, as its file says it."""

    id: str
    language: str
    title: str
    emotion: str
    polarity: Polarity | None  # None: the file does not say (released templates)
    cause: tuple[str, ...]  # the causal tuple: what led to the state, step by step; never shown to a system
    names: dict[str, str]  # pronoun level → the speaker's name; "any" → a name that fits all
    listener: str
    factors: tuple[str, ...]  # what the text can say
    instruction: str | None  # None: the language's own
    portrait: tuple[str, ...]  # the sentences that say attributes
    context: str
    turns: tuple[Turn, ...]
    answers: tuple[Option, ...]
    evidence: tuple[str, ...]  # words of the visible text that the keyed answer rests on
    explanation: str  # why the keyed answer shows the deepest understanding
    invariance: dict[str, Invariance] = {}  # by factor; what is not named is assumed
    incompatible: tuple[Incompatible, ...] = ()
    source: str = ""

    def name_for(self, pronouns: str) -> str:
        """The speaker's name that goes with a pronoun set."""
        name = self.names.get(pronouns) or self.names.get("any")
        if name is None:
            raise InputError(
                f"no name goes with the pronouns '{pronouns}'; give one, or a neutral one", path=self.source
            )
        return name

    def contradiction(self, levels: Mapping[str, str]) -> str | None:
        """Why these levels contradict the scene, or None."""
        return next((rule.reason for rule in self.incompatible if rule.holds(levels)), None)


class _Rule(Record, frozen=True):
    levels: dict[str, tuple[str, ...] | str]
    reason: str


class _File(Record, frozen=True):
    """What stands in a template's YAML file."""

    id: str
    language: str
    title: str
    emotion: str
    polarity: Polarity
    cause: tuple[str, ...]
    name: str | dict[str, str]
    listener: str
    factors: tuple[str, ...]
    portrait: tuple[str, ...]
    context: str
    conversation: tuple[dict[Role, str], ...]
    answers: tuple[dict[Kind, str], ...]
    evidence: tuple[str, ...]
    explanation: str
    instruction: str | None = None
    invariance: dict[str, Invariance] = {}
    incompatible: tuple[_Rule, ...] = ()


def read(source: str | Path = "builtin", *, language: str = "en") -> tuple[Template, ...]:
    """The templates of a file, a folder, or the built-in ones of a language, in the order of their ids."""
    found = [read_file(path) for path in paths(source, language=language)]
    for name, count in Counter(template.id for template in found).items():
        if count > 1:
            twins = [template.source for template in found if template.id == name]
            raise InputError(f"the id '{name}' is also that of {twins[0]}; rename one of them", path=twins[1])
    if not found:
        raise InputError("there is no template here (a .yaml file, or a .txt file of JaEm-ST)", path=source)
    return tuple(sorted(found, key=lambda template: template.id))


def paths(source: str | Path, *, language: str = "en") -> list[Path]:
    """The files a source stands for."""
    if str(source) == "builtin":
        factor_files.folder(language)
        source = BUILTIN / language
    place = Path(source)
    if place.is_dir():
        return sorted(path for path in place.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return [place]


def read_file(path: Path) -> Template:
    """The template in one file."""
    if path.suffix == ".txt":
        return _from_released(released.read(path), path)
    return from_page(pages.read(path))


def from_page(page: Page) -> Template:
    """The template a YAML page describes; what does not fit is an InputError with its line."""
    if not isinstance(page.content, dict):
        raise InputError("a template is a list of `key: value`; see docs/probes.md", path=page.path, line=1)
    file = pages.convert(page, _File)
    for trail, what in _problems(file):
        raise InputError(what, path=page.path, line=page.line(trail), field=".".join(trail))
    return Template(
        id=file.id,
        language=file.language,
        title=file.title,
        emotion=file.emotion,
        polarity=file.polarity,
        cause=file.cause,
        names={"any": file.name} if isinstance(file.name, str) else file.name,
        listener=file.listener,
        factors=file.factors,
        instruction=_flat(file.instruction) if file.instruction else None,
        portrait=tuple(map(_flat, file.portrait)),
        context=_flat(file.context),
        turns=tuple(Turn(role=role, text=_flat(text)) for turn in file.conversation for role, text in turn.items()),
        answers=tuple(Option(kind=kind, text=_flat(text)) for each in file.answers for kind, text in each.items()),
        evidence=tuple(map(_flat, file.evidence)),
        explanation=_flat(file.explanation),
        invariance=file.invariance,
        incompatible=tuple(map(_rule, file.incompatible)),
        source=str(page.path),
    )


def _problems(file: _File) -> Iterator[tuple[Trail, str]]:
    """What makes a file no template at all; what makes it a bad one is for `checking`."""
    if file.language not in factor_files.languages():
        known = ", ".join(factor_files.languages())
        yield ("language",), f"no language is called '{file.language}'; there are files for {known}"
    for field in ("cause", "conversation", "answers", "evidence", "factors"):
        if not getattr(file, field):
            yield (field,), f"`{field}` is empty; a template needs it"
    for field in ("conversation", "answers"):
        for number, entry in enumerate(getattr(file, field)):
            if len(entry) != 1:
                yield (field, str(number)), "each entry is one `who: text`; begin a new entry with `- `"


def _rule(rule: _Rule) -> Incompatible:
    levels = {name: (named,) if isinstance(named, str) else named for name, named in rule.levels.items()}
    return Incompatible(levels=levels, reason=rule.reason)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _from_released(scene: released.Scene, path: Path) -> Template:
    """A released template with its masks under our names; its polarity and its reasons were never written down."""
    return Template(
        id=path.stem,
        language="en",
        title=path.stem.replace("_", " "),
        emotion="",
        polarity=None,
        cause=scene.cause,
        names={"any": scene.speaker},
        listener=scene.listener,
        factors=scene.factors,
        instruction=None,
        portrait=(),
        context=scene.context,
        turns=scene.turns,
        answers=scene.answers,
        evidence=(),
        explanation="",
        source=str(path),
    )
