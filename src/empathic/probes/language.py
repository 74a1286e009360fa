"""A language's grammar file → its pronoun sets, names, articles and lists: what rendering and checking need to know."""

from __future__ import annotations

import functools
import re

from empathic.errors import UnknownName
from empathic.probes import factors, pages
from empathic.records import Record

_MARK = "\x00"  # stands for an article until the next word is known
_ARTICLE = re.compile(_MARK + r"(?P<case>[aA]) (?P<word>[\w'’-]*)")


class Pronouns(Record, frozen=True):
    """One pronoun set: which forms agree with it, whose names go with it, and its cases."""

    agreement: str
    gender: str  # of names that match: "masculine", "feminine" or "neutral"
    forms: dict[str, str]


class Name(Record, frozen=True):
    """A first name: whom it fits, and its cases where the language has them."""

    gender: str
    forms: dict[str, str] = {}


class Articles(Record, frozen=True):
    """Which article stands before which word, by the beginning of its sound."""

    before_consonant: str
    before_vowel: str
    vowel: str  # a pattern that words beginning with a vowel sound match
    consonant: str  # a pattern of exceptions that are spoken with a consonant

    def of(self, word: str) -> str:
        """`an` for "Asian", `a` for "university"."""
        vowel = re.match(self.vowel, word, re.I) and not re.match(self.consonant, word, re.I)
        return self.before_vowel if vowel else self.before_consonant


class Language(Record, frozen=True):
    """The grammar of a language, as far as probes need it."""

    id: str
    name: str
    agreement: tuple[str, ...]  # what the forms in {…|…} stand for, in order
    pronouns: dict[str, Pronouns]
    names: dict[str, Name]
    irrelevant: dict[str, str]  # attributes that say nothing of a social group, as whole sentences
    instruction: str  # who the listener is, unless a template says it in its own way
    comma: str = ", "
    last: str = " and "
    articles: Articles | None = None

    def set_of(self, level: str) -> Pronouns:
        """The pronoun set of a level."""
        if level not in self.pronouns:
            raise UnknownName("pronoun set", level, self.pronouns)
        return self.pronouns[level]

    def with_articles(self, text: str) -> str:
        """The text with each marked article as its next word asks for."""
        if self.articles is None:
            return text
        articles = self.articles

        def choose(match: re.Match[str]) -> str:
            article = articles.of(match["word"])
            return f"{article.capitalize() if match['case'] == 'A' else article} {match['word']}"

        return _ARTICLE.sub(choose, text)

    def listed(self, parts: list[str]) -> str:
        """Parts as a list: "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self.comma.join(parts[:-1]) + self.last + parts[-1]


@functools.cache
def read(language: str = "en") -> Language:
    """The grammar in languages/LANGUAGE/grammar.yaml."""
    return pages.convert(pages.read(factors.folder(language) / "grammar.yaml"), Language)


def article(capital: bool) -> str:
    """The mark that `with_articles` replaces."""
    return _MARK + ("A" if capital else "a")
