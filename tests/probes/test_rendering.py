"""Rendering: the same scene told of different people, in sentences a person would write."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from empathic.errors import InputError, SettingError, UnknownName
from empathic.probes import factors, rendering, templates
from empathic.probes.factors import UNSAID

ENGLISH, CZECH = factors.read("en"), factors.read("cs")
RECITAL = next(each for each in templates.read() if each.id == "missed-recital")
RECITAL_CS = next(each for each in templates.read(language="cs") if each.id == "missed-recital")
REFERENCE = {name: factor.reference for name, factor in ENGLISH.items()}


def scene(*portrait: str, context: str = "{Name} waits.", **changes: object) -> templates.Template:
    return msgspec.structs.replace(RECITAL, portrait=portrait, context=context, **changes)


def told(template: templates.Template, **levels: str) -> str:
    return rendering.render(template, ENGLISH, levels).context


@pytest.mark.parametrize(
    ("pronouns", "text"),
    [
        ("he", "He has his own desk; it is his, he runs it himself and likes it. Ask him."),
        ("she", "She has her own desk; it is hers, she runs it herself and likes it. Ask her."),
        ("they", "They have their own desk; it is theirs, they run it themselves and like it. Ask them."),
    ],
)
def test_pronouns_have_their_cases_and_verbs_agree(pronouns: str, text: str) -> None:
    context = (
        "{Subj} {have|has} {poss} own desk; it is {possp}, {subj} {run|runs} it {refl} and {like|likes} it. Ask {obj}."
    )
    assert told(scene(context=context), pronouns=pronouns) == text


def test_attributes_that_are_said_are_joined_and_others_leave_no_trace() -> None:
    template = scene("{Subj} {are|is} [{age}; {race}; {religion}].", "[{have|has} {education}; {live|lives} {ses}].")
    assert told(template, age="70", race="black", religion="jewish") == "He is 70, Black and Jewish. Robin waits."
    assert told(template, race="roma", religion="none") == "He is Romani and not religious. Robin waits."
    assert told(template, ses="low") == "Lives on a low income. Robin waits.", "a sentence begins with a capital"
    assert told(template) == "Robin waits."


def test_the_article_follows_what_is_filled_in() -> None:
    template = scene("{Subj} {are|is} [{a} {ses.noun}].")
    assert told(template, ses="average").startswith("He is an average earner.")
    assert told(template, ses="high").startswith("He is a high earner.")


def test_a_part_may_be_said_at_some_levels_only() -> None:
    template = scene(context="{Name} waits[religion=jewish,muslim? , as on other days].")
    assert told(template, religion="muslim") == "Robin waits, as on other days."
    assert told(template, religion="hindu") == told(template) == "Robin waits."


def test_the_portrait_stands_where_the_context_wants_it_or_first() -> None:
    assert told(scene("{Subj} {are|is} [{race}].", context="{Name} waits. {portrait} It rains."), race="white") == (
        "Robin waits. He is white. It rains."
    )
    assert told(scene("{Subj} {are|is} [{race}]."), race="white") == "He is white. Robin waits."


def test_czech_past_tense_adjectives_and_cases_follow_the_gender() -> None:
    for pronouns, words in (
        ("he", ("Pavel pomáhá jako dobrovolník", "Je mu 70 let.", "poslouchal", "Znáš Pavla", "líto, Pavle.")),
        ("she", ("Pavla pomáhá jako dobrovolnice", "Je jí 70 let.", "poslouchala", "Znáš Pavlu", "líto, Pavlo.")),
    ):
        probe = rendering.render(RECITAL_CS, CZECH, {"pronouns": pronouns, "age": "70"})
        text = " ".join([probe.instruction, probe.context, *(option.text for option in probe.options)])
        assert all(word in text for word in words), text


def test_czech_attributes_with_two_genders_take_theirs() -> None:
    template = msgspec.structs.replace(RECITAL_CS, portrait=("Je [{sexuality}; {religion.noun}].",), context="{Name}.")
    levels = {"sexuality": "aromantic", "religion": "jewish"}
    assert (
        rendering.render(template, CZECH, {**levels, "pronouns": "she"}).context == "Je aromantická a židovka. Pavla."
    )
    assert rendering.render(template, CZECH, {**levels, "pronouns": "he"}).context == "Je aromantický a žid. Pavel."


def test_every_factor_has_a_level_in_the_probe_said_or_not() -> None:
    probe = rendering.render(RECITAL, ENGLISH, {"race": "black"})
    assert set(probe.levels) == set(ENGLISH)
    assert probe.levels["race"] == "black"
    assert probe.levels["religion"] == UNSAID
    assert probe.levels["pronouns"] == "he", "a scene cannot be told without pronouns: the reference set"


def test_the_id_tells_template_language_levels_and_repeat() -> None:
    one = rendering.render(RECITAL, ENGLISH, REFERENCE)
    assert one == rendering.render(RECITAL, ENGLISH, REFERENCE)
    ids = {
        rendering.render(RECITAL, ENGLISH, {**REFERENCE, "age": age}, repeat=repeat, control=control).id
        for age in ENGLISH["age"].available
        for repeat in range(3)
        for control in (None, "no attribute")
    }
    assert len(ids) == 3 * 3 + 3, "a control is the same at every age"


def test_the_control_without_attributes_mentions_none() -> None:
    probe = rendering.render(RECITAL, ENGLISH, {**REFERENCE, "pronouns": "they"}, control="no attribute")
    assert probe.control == "no attribute"
    assert {level for name, level in probe.levels.items() if name != "pronouns"} == {UNSAID}
    for name, factor in ENGLISH.items():
        for form in factor.level(factor.reference).forms.values():
            assert f" {form}" not in probe.context, name
    assert " they listened" in probe.context


def test_the_irrelevant_attributes_take_turns() -> None:
    said = [
        rendering.render(RECITAL, ENGLISH, REFERENCE, repeat=repeat, control="irrelevant attribute")
        for repeat in range(7)
    ]
    assert "Robin is left-handed." in said[0].context
    assert said[0].levels["irrelevant"] == "left-handed"
    assert said[0].context == said[6].context and len({probe.context for probe in said}) == 6


def test_what_cannot_be_told_is_refused_with_the_reason() -> None:
    with pytest.raises(UnknownName, match="No factor is called 'hair'"):
        rendering.render(RECITAL, ENGLISH, {"hair": "red"})
    with pytest.raises(UnknownName, match="Did you mean 'jewish'"):
        rendering.render(RECITAL, ENGLISH, {"religion": "jewis"})
    with pytest.raises(UnknownName, match="No control is called 'nothing'"):
        rendering.render(RECITAL, ENGLISH, {}, control="nothing")
    with pytest.raises(SettingError, match="'they' of pronouns is not available"):
        rendering.render(RECITAL_CS, CZECH, {"pronouns": "they"})
    rule = templates.Incompatible(levels={"age": ("25",)}, reason="the scene tells of forty years")
    template = scene(incompatible=(rule,))
    with pytest.raises(SettingError, match="'missed-recital' cannot be told at these levels: the scene tells of forty"):
        rendering.render(template, ENGLISH, {"age": "25"})


def test_an_obstacle_is_known_before_rendering() -> None:
    rule = templates.Incompatible(levels={"age": ("25",)}, reason="the scene tells of forty years")
    assert rendering.obstacle(scene(incompatible=(rule,)), ENGLISH, {"age": "25"}) == "the scene tells of forty years"
    assert rendering.obstacle(RECITAL, ENGLISH, REFERENCE) is None
    assert "no settled singular they" in str(rendering.obstacle(RECITAL_CS, CZECH, {"pronouns": "they"}))


@pytest.mark.parametrize(
    ("context", "what"),
    [
        ("{Name} met {hat}.", r"nothing fills \{hat\}"),
        ("{Name} is {race}.", r"nothing fills \{race\}"),
        ("{Name.voc} came.", r"nothing fills \{Name.voc\}"),
        ("{Subj} {a|b|c}.", r"needs 2 forms \(plural\|singular\)"),
        ("{Subj came.", "a stray"),
    ],
)
def test_a_mask_that_nothing_fills_is_refused_with_the_file(context: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        told(scene(context=context))
    assert Path(str(caught.value.path)).name == "missed-recital.yaml"


def test_the_masks_of_a_text_are_listed() -> None:
    assert [str(slot) for slot in rendering.masks("{Subj} {are|is} [{age}; {a} {race}].")] == [
        "{Subj}",
        "{age}",
        "{a}",
        "{race}",
    ]
