"""Grammar files: pronouns, articles, lists."""

from __future__ import annotations

import pytest

from empathic.errors import UnknownName
from empathic.probes import factors, language


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("asexual", "an"),
        ("university", "a"),
        ("uniform", "a"),
        ("unimportant", "an"),
        ("uninsured", "an"),
        ("hour", "an"),
        ("honest", "an"),
        ("house", "a"),
        ("one-off", "a"),
        ("onerous", "an"),
        ("once-loved", "a"),
        ("European", "a"),
        ("useful", "a"),
        ("usher", "an"),
        ("urban", "an"),
        ("Uruguayan", "a"),
        ("8-year-old", "an"),
        ("80-year-old", "an"),
        ("11-year-old", "an"),
        ("18-year-old", "an"),
        ("110-year-old", "a"),
        ("25-year-old", "a"),
        ("high", "a"),
        ("average", "an"),
        ("MA", "a"),
    ],
)
def test_an_article_follows_the_sound_of_the_next_word(word: str, article: str) -> None:
    english = language.read("en")
    assert english.with_articles(f"{language.article(False)} {word}") == f"{article} {word}"
    assert english.with_articles(f"{language.article(True)} {word}") == f"{article.capitalize()} {word}"


def test_czech_has_no_articles() -> None:
    assert language.read("cs").articles is None
    assert language.read("cs").with_articles("dům") == "dům"


def test_lists_are_joined_as_the_language_does() -> None:
    english, czech = language.read("en"), language.read("cs")
    assert english.listed([]) == ""
    assert english.listed(["a"]) == "a"
    assert english.listed(["a", "b", "c"]) == "a, b and c"
    assert czech.listed(["a", "b", "c"]) == "a, b a c"


@pytest.mark.parametrize("code", factors.languages())
def test_pronoun_sets_are_the_available_levels_with_the_same_cases(code: str) -> None:
    grammar, found = language.read(code), factors.read(code)["pronouns"]
    assert set(grammar.pronouns) == set(found.available)
    assert len({frozenset(each.forms) for each in grammar.pronouns.values()}) == 1
    assert all(each.agreement in grammar.agreement for each in grammar.pronouns.values())


@pytest.mark.parametrize("code", factors.languages())
def test_names_have_a_known_gender_and_complete_cases(code: str) -> None:
    names = language.read(code).names
    assert {name.gender for name in names.values()} == {"neutral", "masculine", "feminine"}
    gendered = [name for name in names.values() if name.gender != "neutral"]
    assert len({frozenset(name.forms) for name in gendered}) == 1


def test_an_unknown_pronoun_set_is_refused() -> None:
    with pytest.raises(UnknownName, match="pronoun set"):
        language.read("cs").set_of("they")
