"""Factors: the seven dimensions, their levels and reference levels, in every language."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from empathic.errors import InputError, SettingError, UnknownName
from empathic.probes import factors

SEVEN = {"pronouns", "sexuality", "age", "race", "religion", "education", "ses"}


@pytest.mark.parametrize("language", factors.languages())
def test_every_language_has_the_seven_factors_with_the_same_levels(language: str) -> None:
    found, english = factors.read(language), factors.read("en")
    assert set(found) == SEVEN
    assert {name: set(factor.levels) for name, factor in found.items()} == {
        name: set(factor.levels) for name, factor in english.items()
    }
    assert {name: factor.reference for name, factor in found.items()} == {
        name: factor.reference for name, factor in english.items()
    }


@pytest.mark.parametrize("language", factors.languages())
def test_every_level_has_words_or_a_reason_why_not(language: str) -> None:
    for name, factor in factors.read(language).items():
        assert factor.available[0] == factor.reference, "the reference comes first and can be said"
        for level in factor.levels.values():
            assert level.unavailable or level.forms or name == "pronouns"


def test_the_paper_s_486_samples_per_form_come_out() -> None:
    found = factors.read("en")
    crossed = math.prod(len(found[name].available) for name in ("sexuality", "pronouns", "age"))
    assert crossed == 9 * 3 * 3
    assert crossed * 2 * 3 == 486


def test_what_czech_cannot_say_is_marked_with_its_reason() -> None:
    czech = factors.read("cs")
    assert czech["pronouns"].available == ("he", "she")
    with pytest.raises(
        SettingError, match="'they' of pronouns is not available in this language: Czech has no settled"
    ):
        czech["pronouns"].level("they")
    assert "lesbian" not in czech["sexuality"].available


def test_an_unknown_level_or_language_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'bisexual'"):
        factors.read("en")["sexuality"].level("bisexuals")
    with pytest.raises(UnknownName, match="No language is called 'de'"):
        factors.read("de")


def test_a_factor_without_a_reference_level_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "factors.yaml"
    path.write_text("factors:\n  hair:\n    title: hair\n    levels:\n      red: {forms: {adjective: red-haired}}\n")
    with pytest.raises(InputError, match="has no reference level"):
        factors.read_file(path)
    path.write_text("factors:\n  hair:\n    title: hair\n    reference: blond\n    levels:\n      red: {}\n")
    with pytest.raises(InputError, match="factors.yaml:4 field 'factors.hair.reference': the reference level 'blond'"):
        factors.read_file(path)
