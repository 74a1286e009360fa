"""Templates: read from files and folders, built in in every language."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from empathic.errors import InputError, UnknownName
from empathic.probes import factors, templates

RECITAL = templates.BUILTIN / "en" / "missed-recital.yaml"


@pytest.mark.parametrize("language", factors.languages())
def test_the_built_in_templates_are_read_in_the_order_of_their_ids(language: str) -> None:
    found = templates.read(language=language)
    assert [template.id for template in found] == sorted(template.id for template in found)
    assert all(template.language == language for template in found)
    assert all(Path(template.source).stem == template.id for template in found)


def test_every_template_exists_in_every_language_with_the_same_answers_and_factors() -> None:
    english, czech = templates.read(language="en"), templates.read(language="cs")
    for one, other in zip(english, czech, strict=True):
        assert one.id == other.id
        assert (one.emotion, one.polarity, one.factors) == (other.emotion, other.polarity, other.factors)
        assert [answer.kind for answer in one.answers] == [answer.kind for answer in other.answers]
        assert [turn.role for turn in one.turns] == [turn.role for turn in other.turns]
        assert len(one.cause) == len(other.cause)
        assert len(one.evidence) == len(other.evidence)
        assert one.invariance == other.invariance


def test_a_folder_and_a_file_are_sources_too(tmp_path: Path) -> None:
    shutil.copy(RECITAL, tmp_path / "mine.yaml")
    assert templates.read(tmp_path) == templates.read(tmp_path / "mine.yaml")
    assert templates.read(tmp_path)[0].turns == templates.read(RECITAL)[0].turns


def test_two_templates_with_one_id_are_refused(tmp_path: Path) -> None:
    shutil.copy(RECITAL, tmp_path / "a.yaml")
    shutil.copy(RECITAL, tmp_path / "b.yaml")
    with pytest.raises(InputError, match=r"b\.yaml: the id 'missed-recital' is also that of .*a\.yaml; rename"):
        templates.read(tmp_path)


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no template here"):
        templates.read(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        templates.read(tmp_path / "absent.yaml")
    with pytest.raises(UnknownName, match="No language is called 'xx'"):
        templates.read(language="xx")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("language: en", "language: tlh", "no language is called 'tlh'"),
        ("emotion: guilty\n", "", "missing required field `emotion`"),
        ("polarity: negative", "polarity: bad", "Invalid enum value 'bad'"),
        ("title:", "tittle:", "unknown field"),
        ("  - sympathetic: >-", "  - pitying: >-", "Invalid enum value 'pitying'"),
        ("id: missed-recital", "- a\n- b", "is not valid YAML"),
        ("  - empathetic: >-", "    empathetic: >-", "one `who: text`"),
    ],
)
def test_what_is_no_template_is_refused_with_file_and_line(tmp_path: Path, old: str, new: str, what: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(RECITAL.read_text().replace(old, new))
    with pytest.raises(InputError, match=what) as caught:
        templates.read(path)
    assert caught.value.path == path and caught.value.line is not None


def test_a_page_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("- a\n- b\n")
    with pytest.raises(InputError, match="a template is a list of `key: value`"):
        templates.read(path)


def test_a_name_may_go_with_the_pronouns() -> None:
    czech = next(each for each in templates.read(language="cs") if each.id == "missed-recital")
    assert (czech.name_for("he"), czech.name_for("she")) == ("Pavel", "Pavla")
    english = templates.read(RECITAL)[0]
    assert english.name_for("they") == english.name_for("he") == "Robin"


def test_an_incompatibility_holds_when_all_its_levels_come_together(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    rule = "incompatible:\n  - levels: {age: ['70'], ses: benefits}\n    reason: the desk takes nobody over 65\n"
    path.write_text(RECITAL.read_text() + rule)
    (template,) = templates.read(path)
    assert template.contradiction({"age": "70", "ses": "benefits"}) == "the desk takes nobody over 65"
    assert template.contradiction({"age": "70", "ses": "low"}) is None
    assert template.contradiction({"age": "70"}) is None
