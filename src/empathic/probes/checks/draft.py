"""A template under review: the template, its page, its language, and every text of it with its place."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from empathic.probes import factors, language, pages
from empathic.probes.factors import Factor
from empathic.probes.language import Language
from empathic.probes.pages import Page, Trail
from empathic.probes.slots import Piece, SlotError, parse
from empathic.probes.templates import Template
from empathic.records import Record


class Finding(Record, frozen=True):
    """One thing that is wrong: where, what, and what to change."""

    path: str
    line: int
    rule: str
    what: str
    change: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}. {self.change}. [{self.rule}]"


class Lexicon(Record, frozen=True):
    """The words of a language that rules ask about (languages/LANGUAGE/words.yaml)."""

    gendered: tuple[str, ...]  # tell the gender of a person
    kinship: tuple[str, ...]  # partners and gendered relatives
    identity: tuple[str, ...]  # name a group outside a mask
    profanity: tuple[str, ...]  # slurs and swear words; * stands for any ending
    prepositions: tuple[str, ...]
    case_after_preposition: dict[str, str]  # mask → the mask to write after a preposition instead
    case_without_preposition: dict[str, str] = {}  # mask → the mask to write without one
    case_before_verb: dict[str, str] = {}  # mask → the mask to write before a verb instead
    possessive: dict[str, str] = {}  # mask that needs a noun → the mask that stands alone
    subject: str | None = None  # the mask whose verb must agree, if verbs differ by pronoun
    after_subject: tuple[str, ...] = ()  # verbs that are the same for all pronouns
    between: tuple[str, ...] = ()  # words that may stand between subject and verb
    verb_pairs: dict[str, str] = {}  # irregular: plural → singular
    verb_endings: tuple[str, ...] = ()  # of the singular: s, es, ies
    slips: tuple[str, ...] = ()  # patterns that never stand in good text of the language
    past: str | None = None  # a pattern of past forms that tell the gender
    past_marks: tuple[str, ...] = ()  # words beside which such a form speaks of the speaker or the listener
    not_past: tuple[str, ...] = ()  # words that only look like one


class Text(NamedTuple):
    """One text of a template and where it stands."""

    trail: Trail
    words: str

    @property
    def field(self) -> str:
        return self.trail[0]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Its pieces; none if it cannot be parsed, which is a finding of its own."""
        try:
            return parse(self.words)
        except SlotError:
            return ()


class Draft(NamedTuple):
    """Everything a rule may look at."""

    template: Template
    page: Page
    language: Language
    lexicon: Lexicon
    factors: Mapping[str, Factor]

    def texts(self) -> Iterator[Text]:
        """Every text with masks, in the order of the file."""
        template = self.template
        if template.instruction is not None:
            yield Text(("instruction",), template.instruction)
        yield from (Text(("portrait", str(i)), text) for i, text in enumerate(template.portrait))
        yield Text(("context",), template.context)
        yield from (Text(("conversation", str(i)), turn.text) for i, turn in enumerate(template.turns))
        yield from (Text(("answers", str(i)), answer.text) for i, answer in enumerate(template.answers))

    def finding(self, rule: str, trail: Trail, words: str, what: str, change: str) -> Finding:
        """A finding at the line where `words` stand in the value at `trail`."""
        line = self.page.line(trail, words)
        return Finding(path=str(self.page.path), line=line, rule=rule, what=what, change=change)

    def finding_in_context(self, rule: str, trail: Trail, words: tuple[str, ...], what: str, change: str) -> Finding:
        """A finding in a rendered text, of which the portrait is a part; `words` are what may stand in the file."""
        trails = (trail, ("portrait",)) if trail == ("context",) else (trail,)
        lines = (self.page.find(each, wanted) for wanted in words for each in trails)
        line = next((number for number in lines if number is not None), self.page.line(trail))
        return Finding(path=str(self.page.path), line=line, rule=rule, what=what, change=change)


def draft(template: Template, page: Page) -> Draft:
    """A template with what its language knows."""
    code = template.language
    return Draft(template, page, language.read(code), lexicon(code), factors.read(code))


@functools.cache
def lexicon(code: str) -> Lexicon:
    """The words of a language."""
    return pages.convert(pages.read(factors.folder(code) / "words.yaml"), Lexicon)
