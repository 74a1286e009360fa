"""Bad templates are refused, each with its file, its line and what to change; good ones are not."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from empathic.errors import InputError
from empathic.probes import checking, factors

HERE = Path(__file__).parent


class Bad(NamedTuple):
    """One way to spoil a good template: what is replaced by what, the line it then stands on, and what is said."""

    rule: str
    old: str
    new: str
    marker: str  # words of the line that the finding must point at
    what: str
    change: str


LONG = "and then another long thing happened that nobody would have the time to read " * 8
ENGLISH = [
    Bad("syntax", "{Name} volunteers", "{Name volunteers", "{Name volunteers", "a stray '{'", "Close every {"),
    Bad("syntax", "[{age}; {race}", "[[{age}]; {race}", "[[{age}]", "stray '['", "do not put [ ] within"),
    Bad("unknown-mask", "{poss} shift", "{posse} shift", "{posse} shift", "no mask is called {posse}", "There are a, age,"),
    Bad("unknown-mask", "[{age}; ", "[{age.roman}; ", "{age.roman}", "no mask is called {age.roman}", "There are"),
    Bad("unknown-mask", "{Name} volunteers", "{Name.dat} volunteers", "{Name.dat}", "no mask is called {Name.dat}", "There"),
    Bad("unused-factor", "; {religion}]", "]", "factors:", "'religion' is declared but never said", "take 'religion' off"),
    Bad("undeclared-factor", "religion, education, ses]", "education, ses]", "factors:", "'religion' is said but", "Add"),
    Bad("unknown-factor", "[pronouns, age", "[pronouns, hair, age", "factors:", "no factor is called 'hair'", "There are"),
    Bad("unfilled-slot", "Kim lives", "{Name} is {race}. Kim lives", "{race}. Kim", "stays empty", "[{race}]"),
    Bad("attribute-in-turns", "I swapped.", "I swapped, being {religion}.", "I swapped", "inside `conversation`", "portrait"),
    Bad("attribute-in-turns", "You promised", "As you are {race}, you promised", "As you are", "inside `answers`", "portrait"),
    Bad("portrait", "{live|lives} {ses}].", "{live|lives} {ses}] [{a} {ses.noun}].", "{ses.noun}", "has 2 cond", "Write one"),
    Bad("forms", "{have|has}", "{have|has|had}", "{have|has|had}", "{have|has|had} has 3 forms", "Write plural|singular"),
    Bad("agreement", "{have|has}", "{has|have}", "{has|have}", "is not plural|singular", "{have|has}"),
    Bad("agreement", "{have|has}", "{has|has}", "{has|has}", "both forms of {has|has} are the same", "without braces"),
    Bad("agreement", "when {subj}\n  reached", "when {subj} is late, {subj}\n  reached", "{subj} is late", "agree", "{are|is}"),
    Bad("agreement", "{Name} volunteers", "{Name} {volunteer|volunteers}", "{Name} {vol", "follows a name", "'volunteers'"),
    Bad("pronoun-case", "{poss} shift", "{subj} parents", "{subj} parents", "after {subj} stands 'parents'", "{poss} parents"),
    Bad("pronoun-case", "{subj} promised", "{subj} works", "{subj} works", "after {subj} stands 'works'", "{work|works}"),
    Bad("pronoun-case", "Kim lives", "Kim walks with {subj}. Kim lives", "with {subj}", "preposition 'with'", "Write {obj}"),
    Bad("pronoun-case", "{Subj} {are|is}", "{Obj} {are|is}", "{Obj} {are|is}", "is used as the subject", "Write {Subj}"),
    Bad("pronoun-case", "Kim lives", "The desk is {poss}. Kim lives", "{poss}. Kim", "has no noun after it", "Write {possp}"),
    Bad("article", "Kim lives", "Kim is a artist. Kim lives", "Kim is a artist", "should be 'an artist'", "right article"),
    Bad("article", "[{age}; ", "[{age}; a {ses.noun}; ", "a {ses.noun}", "'a average' should be 'an average'", "Write {a}"),
    Bad("untidy", "[{age}; ", "[{age}; {a} {education}; ", "{a} {education}", "'an a' comes out", "into the conditional"),
    Bad("lower-case-start", "On the day", "on the day", "on the day", "begins in lower case: 'on", "{Subj}"),
    Bad("lower-case-start", '"{Subj} [', '"It rains. {subj} [', "{subj} [", "begins in lower case", "{Subj}"),
    Bad("gendered-word", "Kim lives", "Kim knows her well. Kim lives", "knows her", "'her' tells a gender", "Use a mask"),
    Bad("gendered-word", "Kim lives", "Kim is a nice man. Kim lives", "nice man", "'man' tells a gender", "neutral word"),
    Bad("kinship", "Three weeks now.", "My boyfriend left.", "My boyfriend", "'boyfriend' tells", "neutral word"),
    Bad("kinship", "Kim lives", "Kim's wife lives", "Kim's wife", "'wife' tells the gender of a relative", "neutral word"),
    Bad("identity-word", "Kim lives", "Kim is Catholic and lives", "Kim is Catholic", "'Catholic' names a group", "portrait"),
    Bad("profanity", "Nothing. Three", "Nothing, damn it. Three", "damn it", "'damn' is a slur or a swear word", "Take it out"),
    Bad("name", "name: Robin", "name: Jane", "name: Jane", "'Jane' is feminine and contradicts", "neutral name"),
    Bad("name", "name: Robin", "name: {he: Kate, she: Kate, they: Sam}", "name:", "contradicts the pronouns he", "one that fits"),
    Bad("name", "name: Robin", "name: {he: Tom, she: Kate}", "name:", "no name goes with the pronouns they", "neutral one"),
    Bad("name", "name: Robin", "name: {it: Sam, any: Sam}", "name:", "no pronoun set is called 'it'", "There are he"),
    Bad("name", "name: Robin", "name: Zaphod", "name: Zaphod", "gender is unknown", "Add it to"),
    Bad("name", "listener: Kim", "listener: Carl", "listener: Carl", "listener's name 'Carl' is masculine", "neutral name"),
    Bad("name", "Oh {name}", "Oh Robin", "Oh Robin", "the name 'Robin' is written out", "Write {name}"),
    Bad("name", "Kim lives", "Lucy lives", "Lucy lives", "'Lucy' is feminine and may leak", "neutral name"),
    Bad("too-long", "On the day, nobody", f"On the day {LONG}, nobody", "context:", "more than the 170", "Cut it to 170"),
    Bad("too-long", "I swapped.", f"I swapped. So {LONG}.", "I swapped", "more than the 60", "Cut it to 60 words"),
    Bad("missing-kind", "  - affective:", "  - distressed:", "answers:", "there is no affective answer", "`- affective: …`"),
    Bad("double-kind", "  - affective:", "  - distressed:", "- distressed:", "2 distressed answers", "Keep one"),
    Bad("two-keyed", "  - affective:", "  - empathetic:", "- empathetic:", "there are 2 keyed answers", "Keep one"),
    Bad("unequal-length", "Three whole weeks of silence, that is so sad! It makes my heart heavy just to hear about that violin "
        "standing there in the\n      hallway. What a sad, sad thing.", "How sad!", "distressed", "32 words", "nearer"),
    Bad("evidence", "exactly where it was put down that evening\nexpl", "the violin was stolen\nexpl", "stolen", "is not in the "
        "context", "Quote words as they stand"),
    Bad("cause", "  - the volunteer shift at the hospital desk overran\n  - arrived after the recital was over\n  - the child "
        "has not taken the violin out of its case since\n", "", "cause:", "fewer than two parts", "step by step"),
    Bad("shape", "explanation: >-", "comment: >-", "comment:", "unknown field `comment`", "correct its name"),
    Bad("shape", "emotion: guilty\n", "", "id:", "missing required field `emotion`", "Add `emotion:`"),
    Bad("shape", "cause:\n", "reasons:\n", "reasons:", "unknown field `reasons`", "correct its name"),
    Bad("shape", "language: en", "language: tlh", "language:", "no language is called 'tlh'", "docs/probes.md"),
    Bad("shape", "title: The", "title: [The", "emotion:", "is not valid YAML", "docs/probes.md"),
    Bad("shape", "polarity: negative", "polarity: sad", "polarity:", "Invalid enum value 'sad'", "docs/probes.md"),
    Bad("shape", "emotion: guilty", "title: Twice", "title: Twice", "'title' appears twice", "docs/probes.md"),
    Bad("last-turn", "  - speaker: Nothing.", "  - listener: Nothing.", "listener: Nothing", "ends with the listener", "End it"),
    Bad("turns", "  - speaker: I swapped", "  - listener: I swapped", "listener: I swapped", "two turns of the", "turns"),
    Bad("unknown-level", "evidence:", "incompatible:\n  - levels: {age: ['99']}\n    reason: x\nevidence:", "['99']",
        "no level of 'age' is called '99'", "There are 25, 45, 70"),
    Bad("contradiction", "evidence:", "incompatible:\n  - levels: {age: ['45', '25']}\n    reason: x\nevidence:", "levels:",
        "contradicts the reference level (age=45)", "Rewrite the scene"),
    Bad("unknown-level", "Kim lives", "It rained[religion=pagan? on the day]. Kim lives", "pagan", "called 'pagan'", "There are"),
    Bad("unknown-factor", "evidence:", "invariance: {hair: assumed}\nevidence:", "hair", "speaks of 'hair'", "Name a factor"),
]  # fmt: skip
CZECH = [
    Bad("gendered-form", "{Vyměnil|Vyměnila} jsem", "Vyměnil jsem", "Vyměnil jsem", "'Vyměnil' tells the gender", "both forms"),
    Bad("gendered-form", "{Name} pomáhá", "{Name} přišla a pomáhá", "přišla", "'přišla' tells the gender", "both forms"),
    Bad("gendered-form", "Já neslyším", "Neslyšel jsem", "Neslyšel", "'Neslyšel' tells the gender", "present tense"),
    Bad("pronoun-case", "Míša bydlí", "Míša bydlí vedle {gen} a", "vedle {gen}", "preposition 'vedle'", "Write {ngen}"),
    Bad("pronoun-case", "se {dat} protáhla", "se {ndat} protáhla", "{ndat}", "without a preposition", "Write {dat}"),
    Bad("agreement", "{slíbil|slíbila}", "{slíbila|slíbil}", "{slíbila|slíbil}", "is not masculine|feminine", "{slíbil|slí"),
    Bad("forms", "{slíbil|slíbila} mu", "{slíbil|slíbila|slíbilo} mu", "slíbilo}", "has 3 forms", "masculine|feminine"),
    Bad("unknown-mask", "[{age}]", "[{a} {age}]", "{a}", "no mask is called {a}", "There are"),
    Bad("unknown-mask", "{Name.voc}, je", "{Name.vok}, je", "{Name.vok}", "no mask is called {Name.vok}", "There are"),
    Bad("name", "{he: Pavel, she: Pavla}", "{he: Pavla, she: Pavel}", "name:", "'Pavla' is feminine and contradicts", "fits"),
    Bad("name", "{he: Pavel, she: Pavla}", "Pavel", "name:", "contradicts other pronouns", "one name per pronoun set"),
    Bad("kinship", "Míša bydlí", "Manželka bydlí", "Manželka", "'Manželka' tells the gender", "neutral word"),
    Bad("profanity", "Nic. Už", "Hovno. Už", "Hovno", "'Hovno' is a slur", "Take it out"),
    Bad("identity-word", "Míša bydlí", "Míša je katolík a bydlí", "katolík", "'katolík' names a group", "portrait"),
]  # fmt: skip


def spoil(language: str, bad: Bad, tmp_path: Path) -> tuple[Path, list[checking.Finding]]:
    text = (HERE / f"scene_{language}.yaml").read_text()
    assert bad.old in text, f"the scene has no {bad.old!r}"
    path = tmp_path / "bad.yaml"
    path.write_text(text.replace(bad.old, bad.new, 1))
    return path, checking.check([path])


@pytest.mark.parametrize(("language", "bad"), [("en", bad) for bad in ENGLISH] + [("cs", bad) for bad in CZECH])
def test_a_bad_template_is_refused_with_file_line_and_what_to_change(language: str, bad: Bad, tmp_path: Path) -> None:
    path, findings = spoil(language, bad, tmp_path)
    lines = path.read_text().splitlines()
    told = [each for each in findings if bad.what in each.what]
    assert told, [str(each) for each in findings]
    finding = told[0]
    assert finding.path == str(path)
    assert bad.marker in lines[finding.line - 1], f"line {finding.line} is {lines[finding.line - 1]!r}"
    assert bad.change in finding.change
    assert str(finding).startswith(f"{path}:{finding.line}: ")


def test_more_than_twenty_kinds_are_refused() -> None:
    assert len({bad.rule for bad in ENGLISH + CZECH}) >= 25


@pytest.mark.parametrize("language", factors.languages())
def test_the_good_scene_and_the_built_in_templates_have_nothing_to_change(language: str) -> None:
    assert checking.check([HERE / f"scene_{language}.yaml"]) == []
    assert [str(finding) for finding in checking.check(["builtin"], language=language)] == []


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (
            "reference: blond\n    levels:\n      red: {forms: {a: red}}\n      dark: {forms: {a: dark}}",
            4,
            "none of the levels",
        ),
        (
            "levels:\n      red: {forms: {a: red}}\n      dark: {forms: {a: dark}}",
            3,
            "'hair' has no reference level",
        ),
        (
            "reference: red\n    levels:\n      red: {unavailable: no word}\n      dark: {forms: {a: dark}}",
            4,
            "is unavailable",
        ),
        ("reference: red\n    levels:\n      red: {forms: {a: red}}", 3, "fewer than two levels"),
        ("reference: red\n    levels:\n      red: {forms: {a: red}}\n      dark: {}", 7, "no words for the form 'a'"),
    ],
)
def test_a_bad_file_of_factors_is_refused_with_its_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = tmp_path / "factors.yaml"
    path.write_text(f"factors:\n  hair:\n    title: hair\n    {text}\n")
    findings = checking.check([path])
    assert [finding.rule for finding in findings] == ["shape"]
    assert what in findings[0].what and findings[0].line in (line, line - 1), findings


def test_the_built_in_factors_pass() -> None:
    for code in factors.languages():
        assert checking.check([factors.folder(code) / "factors.yaml"]) == []


def test_two_files_with_one_id_are_told(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text((HERE / "scene_en.yaml").read_text())
    (finding,) = checking.check([tmp_path])
    assert (finding.rule, finding.line, Path(finding.path).name) == ("duplicate-id", 1, "b.yaml")
    assert "also that of" in finding.what and "Rename" in finding.change


def test_a_place_without_templates_is_no_success(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "absent.yaml"):
        with pytest.raises(InputError, match="there is no template here"):
            checking.check([source])


def test_the_same_id_in_two_languages_is_fine() -> None:
    assert checking.check([HERE / "scene_en.yaml", HERE / "scene_cs.yaml"]) == []


def test_a_template_in_another_language_than_asked_for_is_told() -> None:
    (finding,) = checking.check([HERE / "scene_en.yaml"], language="cs")
    assert finding.rule == "language" and "'cs' was asked for" in finding.what


def test_everything_wrong_is_told_at_once_in_the_order_of_lines(tmp_path: Path) -> None:
    text = (
        (HERE / "scene_en.yaml")
        .read_text()
        .replace("name: Robin", "name: Jane")
        .replace("{poss} shift", "{subj} shift", 1)
    )
    (tmp_path / "bad.yaml").write_text(text)
    found = checking.check([tmp_path / "bad.yaml"])
    assert {finding.rule for finding in found} >= {"name", "pronoun-case", "evidence"}
    assert [finding.line for finding in found] == sorted(finding.line for finding in found)


def test_a_released_template_is_told_its_known_defects(tmp_path: Path) -> None:
    path = tmp_path / "released.txt"
    path.write_text(
        "(a cause, an effect)\n\nContext:\nJane is a {GENDER}. {PRONOUN} parents came.\nDespite her being {AGE}, {PRONOUN} "
        "is with {PRONOUN} boyfriend.\n\nConversation:\nCarl: Hello.\nJane: Oh.\nCarl:\n\nAnswers:\nEmpathetic: a b c d e f g\n"
        "Indifferent: a b c d e f h\nAffective: x\nSympathetic: y\nDistressed: z\n"
    )
    rules = {finding.rule for finding in checking.check([path])}
    assert rules >= {
        "pronoun-case",
        "agreement",
        "name",
        "gendered-word",
        "kinship",
        "near-duplicate",
        "unequal-length",
        "evidence",
    }
    lines = {rule: {finding.line for finding in checking.check([path]) if finding.rule == rule} for rule in rules}
    assert lines["kinship"] == {5}
    assert lines["unfilled-slot"] == {4, 5}, "found under the mask's name in the file"
    assert lines["article"] == {4}, "a asexual"


def test_a_released_file_out_of_shape_is_told(tmp_path: Path) -> None:
    path = tmp_path / "released.txt"
    path.write_text("Hello")
    (finding,) = checking.check([path])
    assert finding.rule == "shape" and "is no template of JaEm-ST" in finding.what
