"""A draft → masks that are unknown, unused, unfilled or in the wrong place; levels and factors that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from empathic.probes.checks.draft import Draft, Finding, Text
from empathic.probes.factors import PRONOUNS
from empathic.probes.pages import Trail
from empathic.probes.slots import Agreeing, Group, Simple, Slot, SlotError, parse, simple

GRAMMAR = ("name", "listener", "a")


def check(draft: Draft) -> Iterator[Finding]:
    """Everything about masks."""
    for text in draft.texts():
        yield from _syntax(draft, text)
        yield from _placed(draft, text)
        for piece in simple(text.pieces):
            yield from _known(draft, text, piece)
    yield from _declared(draft)
    yield from _unused(draft)
    yield from _levels(draft)
    yield from _contradictions(draft)
    yield from _portrait(draft)


def _syntax(draft: Draft, text: Text) -> Iterator[Finding]:
    try:
        parse(text.words)
    except SlotError as error:
        change = "Close every { and [, and do not put [ ] within [ ]"
        yield draft.finding("syntax", text.trail, error.words, f"{error.args[0]} near '{error.words}'", change)


def _known(draft: Draft, text: Text, piece: Simple) -> Iterator[Finding]:
    if isinstance(piece, Agreeing):
        kinds = draft.language.agreement
        if len(piece.forms) != len(kinds) or not all(piece.forms):
            what = f"{piece} has {len(list(filter(None, piece.forms)))} forms"
            yield draft.finding("forms", text.trail, str(piece), what, f"Write {'|'.join(kinds)} forms, all of them")
    elif isinstance(piece, Slot) and not _can_be_filled(draft, text, piece):
        known = [*_cases(draft), *GRAMMAR, *draft.factors]
        what = f"no mask is called {piece}"
        yield draft.finding("unknown-mask", text.trail, str(piece), what, f"There are {', '.join(sorted(known))}")


def _can_be_filled(draft: Draft, text: Text, slot: Slot) -> bool:
    if slot.name == "a":
        return draft.language.articles is not None
    if slot.name == "portrait":
        return text.field == "context"
    if slot.name == "name":
        return slot.form is None or all(
            slot.form in _forms_of_name(draft, name) for name in draft.template.names.values()
        )
    if slot.name in draft.factors:
        levels = [draft.factors[slot.name].levels[name] for name in draft.factors[slot.name].available]
        return slot.name != PRONOUNS and (slot.form is None or all(slot.form in level.forms for level in levels))
    return slot.form is None and (slot.name == "listener" or slot.name in _cases(draft))


def _forms_of_name(draft: Draft, name: str) -> dict[str, str]:
    known = draft.language.names.get(name)
    return known.forms if known else {}


def _cases(draft: Draft) -> dict[str, str]:
    return next(iter(draft.language.pronouns.values())).forms


def _placed(draft: Draft, text: Text) -> Iterator[Finding]:
    """Attributes belong in the portrait, or in a conditional part of the context: never in what is said."""
    grouped = {
        id(piece) for group in text.pieces if isinstance(group, Group) for part in group.parts for piece in part.pieces
    }
    for piece in simple(text.pieces):
        if not isinstance(piece, Slot) or piece.name not in draft.factors or piece.name == PRONOUNS:
            continue
        if text.field not in ("portrait", "context"):
            what = f"the attribute {piece} is inside `{text.field}`"
            change = "Say attributes in `portrait`; what people say must be the same for everybody"
            yield draft.finding("attribute-in-turns", text.trail, str(piece), what, change)
        elif id(piece) not in grouped:
            what = f"the attribute {piece} stays empty when it is not mentioned"
            yield draft.finding(
                "unfilled-slot", text.trail, str(piece), what, f"Put it in a conditional part: [{piece}]"
            )


def _declared(draft: Draft) -> Iterator[Finding]:
    for name in draft.template.factors:
        if name not in draft.factors:
            what = f"no factor is called '{name}'"
            yield draft.finding("unknown-factor", ("factors",), name, what, f"There are {', '.join(draft.factors)}")


def _unused(draft: Draft) -> Iterator[Finding]:
    fields = ("portrait", "context")
    pieces = [(text.field, piece) for text in draft.texts() if text.field in fields for piece in simple(text.pieces)]
    used = {piece.name for _, piece in pieces if isinstance(piece, Slot)}
    if any(field == "context" and _shows_pronouns(draft, piece) for field, piece in pieces):
        used.add(PRONOUNS)  # in the story itself: the portrait is not always there
    for name in draft.template.factors:
        if name in draft.factors and name not in used:
            what = f"the factor '{name}' is declared but never said"
            yield draft.finding(
                "unused-factor",
                ("factors",),
                name,
                what,
                f"Use it in `portrait` (pronouns: in `context`), or take '{name}' off `factors`",
            )
    for name in sorted((used & set(draft.factors)) - set(draft.template.factors)):
        what = f"the factor '{name}' is said but not declared"
        yield draft.finding("undeclared-factor", ("factors",), name, what, f"Add '{name}' to `factors`")


def _shows_pronouns(draft: Draft, piece: Simple) -> bool:
    return isinstance(piece, Agreeing) or (isinstance(piece, Slot) and piece.name in _cases(draft))


def _levels(draft: Draft) -> Iterator[Finding]:
    for name in draft.template.invariance:
        if name not in draft.template.factors:
            what = f"`invariance` speaks of '{name}', which is not among `factors`"
            yield draft.finding("unknown-factor", ("invariance",), name, what, "Name a factor of this template")
    for trail, levels in _named_levels(draft):
        for factor, wanted in levels.items():
            known = draft.factors[factor].levels if factor in draft.factors else {}
            for level in (level for level in wanted if level not in known):
                what = f"no level of '{factor}' is called '{level}'"
                change = f"There are {', '.join(known)}" if known else f"Factors are {', '.join(draft.factors)}"
                yield draft.finding("unknown-level", trail, level, what, change)


def _contradictions(draft: Draft) -> Iterator[Finding]:
    """A scene that cannot be told at a reference level has nothing to be compared with."""
    reference = {name: factor.reference for name, factor in draft.factors.items()}
    for number, rule in enumerate(draft.template.incompatible):
        if rule.levels and rule.holds(reference):
            told = ", ".join(f"{name}={reference[name]}" for name in rule.levels)
            change = "Rewrite the scene so that it can be told at the reference levels"
            what = f"the scene contradicts the reference level ({told})"
            yield draft.finding("contradiction", ("incompatible", str(number)), "", what, change)


def _named_levels(draft: Draft) -> Iterator[tuple[Trail, dict[str, tuple[str, ...]]]]:
    for number, rule in enumerate(draft.template.incompatible):
        yield ("incompatible", str(number)), rule.levels
    for text in draft.texts():
        for group in text.pieces:
            if isinstance(group, Group):
                yield from ((text.trail, {part.factor: part.levels}) for part in group.parts if part.factor is not None)


def _portrait(draft: Draft) -> Iterator[Finding]:
    """One conditional group a sentence: then every choice of attributes leaves whole sentences."""
    for text in draft.texts():
        groups = [piece for piece in text.pieces if isinstance(piece, Group)]
        if text.field == "portrait" and text.pieces and len(groups) != 1:
            what = f"a sentence of the portrait has {len(groups)} conditional parts [ ]"
            change = "Write one [ ; ] in each sentence, so that it stays whole whatever is said"
            yield draft.finding("portrait", text.trail, "", what, change)
