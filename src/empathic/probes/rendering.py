"""A template, its language's factors and one level of each → a probe: the scene told of one person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, get_args

from empathic.errors import InputError, SettingError, UnknownName
from empathic.probes import language as languages
from empathic.probes.factors import PRONOUNS, UNSAID, Factor, Level
from empathic.probes.language import Language, Pronouns
from empathic.probes.probe import Option, Probe
from empathic.probes.slots import Agreeing, Group, Part, Piece, Simple, Slot, SlotError, Words, parse, simple
from empathic.probes.templates import Template
from empathic.records import Turn

Control = Literal["no attribute", "irrelevant attribute"]
CONTROLS: tuple[Control, ...] = get_args(Control)
IRRELEVANT = "irrelevant"  # under this name a probe's levels say which irrelevant attribute was mentioned


class Person(NamedTuple):
    """Whom the scene is told of, in words: everything a mask can be filled with."""

    language: Language
    pronouns: Pronouns
    name: dict[str, str]  # the cases of the name; "" is the one `{name}` stands for
    listener: str
    said: dict[str, tuple[str, Level]]  # factor → level and its words


class Unfilled(Exception):
    """A mask that nothing fills."""


def render(
    template: Template,
    factors: Mapping[str, Factor],
    levels: Mapping[str, str],
    *,
    repeat: int = 0,
    control: str | None = None,
) -> Probe:
    """The probe of a template at these levels; a factor that is not among them is not mentioned.

    Controls: "no attribute" mentions none; "irrelevant attribute" mentions one that says nothing of a social group
    (the repeats take turns). Both keep the pronouns, since a scene cannot be told without.
    """
    if control is not None and control not in CONTROLS:
        raise UnknownName("control", control, CONTROLS)
    chosen = _chosen(template, factors, levels, control)
    person = person_of(template, factors, chosen)
    try:
        sentences, extra = _attributes(template, person, control, repeat)
        return _probe(template, person, sentences, {**chosen, **extra}, repeat, control)
    except (SlotError, Unfilled) as error:
        raise InputError(f"{error.args[0]}; `empathic probe check` tells more", path=template.source) from None


def person_of(template: Template, factors: Mapping[str, Factor], levels: Mapping[str, str]) -> Person:
    """The words for a person at these levels."""
    grammar = languages.read(template.language)
    pronouns = levels[PRONOUNS]
    name = template.name_for(pronouns)
    known = grammar.names.get(name)
    said = {
        factor: (level, factors[factor].level(level))
        for factor, level in levels.items()
        if factor != PRONOUNS and level != UNSAID
    }
    forms = {"": name, **(known.forms if known else {})}
    return Person(grammar, grammar.set_of(pronouns), forms, template.listener, said)


def fill(text: str, person: Person, *, portrait: str = "") -> str:
    """A text with every mask filled; raises `Unfilled` if something is not to be had."""
    filled = "".join(_filled(piece, person, portrait) for piece in parse(text))
    return " ".join(person.language.with_articles(filled).split())


def obstacle(template: Template, factors: Mapping[str, Factor], levels: Mapping[str, str]) -> str | None:
    """Why a template cannot be told at these levels (a contradiction, or words a language lacks), or None."""
    for name, level in levels.items():
        found = factors[name].levels.get(level) if name in factors else None
        if found is not None and found.unavailable is not None:
            return found.unavailable
    return template.contradiction(levels)


def _chosen(
    template: Template, factors: Mapping[str, Factor], levels: Mapping[str, str], control: str | None
) -> dict[str, str]:
    """A level for every factor, refused if it is unknown, unavailable or contradicts the scene."""
    for name, level in levels.items():
        if name not in factors:
            raise UnknownName("factor", name, factors)
        if level != UNSAID:
            factors[name].level(level)
    reason = template.contradiction(levels)
    if reason is not None:
        raise SettingError(f"The template '{template.id}' cannot be told at these levels: {reason}")
    said = {name: UNSAID if control else levels.get(name, UNSAID) for name in factors}
    pronouns = levels.get(PRONOUNS, UNSAID)
    return {**said, PRONOUNS: factors[PRONOUNS].reference if pronouns == UNSAID else pronouns}


def _attributes(template: Template, person: Person, control: str | None, repeat: int) -> tuple[str, dict[str, str]]:
    """The sentences that mention attributes, and the irrelevant one if it is mentioned."""
    if control == "irrelevant attribute":
        choices = list(person.language.irrelevant.items())
        level, sentence = choices[repeat % len(choices)]
        return fill(sentence, person), {IRRELEVANT: level}
    spoken = (sentence for sentence in template.portrait if not _says_nothing(sentence, person))
    return " ".join(_begun(fill(sentence, person)) for sentence in spoken), {}


def _probe(
    template: Template, person: Person, portrait: str, levels: dict[str, str], repeat: int, control: str | None
) -> Probe:
    return Probe(
        id=_id(template, levels, repeat, control),
        template=template.id,
        language=template.language,
        levels=levels,
        instruction=fill(template.instruction or person.language.instruction, person),
        context=fill(_placed(template.context), person, portrait=portrait),
        turns=tuple(Turn(role=turn.role, text=fill(turn.text, person)) for turn in template.turns),
        options=tuple(Option(kind=answer.kind, text=fill(answer.text, person)) for answer in template.answers),
        repeat=repeat,
        control=control,
        emotion=template.emotion or None,
        polarity=template.polarity,
    )


def _id(template: Template, levels: Mapping[str, str], repeat: int, control: str | None) -> str:
    said = ",".join(f"{name}={level}" for name, level in sorted(levels.items()) if level != UNSAID)
    middle = f"{control.replace(' ', '-')}:{said}" if control else said
    return f"{template.id}/{template.language}/{middle}/{repeat}"


def _begun(sentence: str) -> str:
    """With a capital: which part comes first depends on what is said."""
    return sentence[:1].upper() + sentence[1:]


def _placed(context: str) -> str:
    return context if "{portrait}" in context else "{portrait} " + context


def _says_nothing(sentence: str, person: Person) -> bool:
    """Whether a sentence is there for its conditional parts, and none of them is said."""
    groups = [piece for piece in parse(sentence) if isinstance(piece, Group)]
    return bool(groups) and not any(list(_spoken(group, person)) for group in groups)


def _spoken(group: Group, person: Person) -> Iterator[Part]:
    for part in group.parts:
        level = person.said[part.factor][0] if part.factor in person.said else None
        if part.factor is not None and level not in part.levels:
            continue
        if not any(_unsaid(piece, person) for piece in part.pieces):
            yield part


def _unsaid(piece: Simple, person: Person) -> bool:
    return isinstance(piece, Slot) and not _is_grammar(piece, person) and piece.name not in person.said


def _is_grammar(slot: Slot, person: Person) -> bool:
    return slot.name in ("name", "listener", "a", "portrait") or slot.name in person.pronouns.forms


def _filled(piece: Piece, person: Person, portrait: str) -> str:
    if isinstance(piece, Words):
        return piece.text
    if isinstance(piece, Agreeing):
        return _agreeing(piece.forms, person)
    if isinstance(piece, Group):
        spoken = ["".join(_filled(inner, person, portrait) for inner in part.pieces) for part in _spoken(piece, person)]
        return person.language.listed(spoken)
    return portrait if piece.name == "portrait" else _slot(piece, person)


def _slot(slot: Slot, person: Person) -> str:
    if slot.name == "a" and person.language.articles:
        return languages.article(slot.capital)
    if slot.name == "name":
        words = person.name.get(slot.form or "")
    elif slot.name == "listener":
        words = person.listener
    elif slot.name in person.pronouns.forms and slot.form is None:
        words = person.pronouns.forms[slot.name]
    else:
        words = _attribute(slot, person)
    if words is None:
        raise Unfilled(f"nothing fills {slot}")
    return words[:1].upper() + words[1:] if slot.capital else words


def _attribute(slot: Slot, person: Person) -> str | None:
    if slot.name not in person.said:
        return None
    forms = person.said[slot.name][1].forms
    words = forms.get(slot.form) if slot.form else next(iter(forms.values()), None)
    return _agreeing(tuple(words.split("|")), person) if words and "|" in words else words


def _agreeing(forms: tuple[str, ...], person: Person) -> str:
    """The form that agrees with the pronouns."""
    kinds = person.language.agreement
    if len(forms) != len(kinds):
        raise Unfilled(f"'{'|'.join(forms)}' needs {len(kinds)} forms ({'|'.join(kinds)})")
    return forms[kinds.index(person.pronouns.agreement)].strip()


def masks(text: str) -> list[Slot]:
    """Every slot of a text, those within conditional parts too."""
    return [piece for piece in simple(parse(text)) if isinstance(piece, Slot)]
