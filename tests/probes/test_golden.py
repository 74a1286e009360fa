"""Golden renderings, and checks by other means than the renderer's over every template × pronoun set × attribute."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic.probes import differences, factors, language, rendering, templates
from empathic.probes.probe import Probe
from empathic.probes.slots import Agreeing, parse, simple
from probes import golden_renderings

LANGUAGES = factors.languages()
TEMPLATES = {code: templates.read(language=code) for code in LANGUAGES}
PLACES = [(code, place) for code in LANGUAGES for place in range(len(TEMPLATES[code]))]
NAMES = [f"{code}-{TEMPLATES[code][place].id}" for code, place in PLACES]
CASES = [(code, TEMPLATES[code][place]) for code, place in PLACES]
PLURAL = "are|have|were|live|do|go|look|keep|buy|like|work"
SINGULAR = "is|has|was|lives|does|goes|looks|keeps|buys|likes|works"
GENDERED = {"he": "he|him|his|himself", "she": "she|her|hers|herself"}
VOWEL = re.compile(r"^(a|e(?!u)|i|o(?!ne)|u(?!ni|se|su)|hour|honest|8|11|18)", re.I)


@functools.cache
def probes(code: str, place: int) -> tuple[Probe, ...]:
    """Every level of every factor with every pronoun set, alone and beside the references of the others."""
    return tuple(rendered(code, TEMPLATES[code][place]))


def rendered(code: str, template: templates.Template) -> Iterator[Probe]:
    known = factors.read(code)
    reference = {name: factor.reference for name, factor in known.items()}
    for pronouns in known["pronouns"].available:
        yield rendering.render(template, known, {"pronouns": pronouns})
        for name, level in golden_renderings.levels(known):
            yield rendering.render(template, known, {name: level, "pronouns": pronouns})
            yield rendering.render(template, known, {**reference, name: level, "pronouns": pronouns})


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_renderings_are_those_a_person_has_read(code: str) -> None:
    golden = golden_renderings.path(code).read_text().splitlines()
    assert list(golden_renderings.lines(code)) == golden, "python tests/probes/golden_renderings.py, then read git diff"


@pytest.mark.parametrize(("code", "place"), PLACES, ids=NAMES)
def test_no_rendering_has_a_slip_that_a_machine_can_see(code: str, place: int) -> None:
    for probe in probes(code, place):
        for field, text in differences.texts(probe).items():
            where = f"{probe.id} {field}: {text}"
            assert not re.search(r"[{}\[\]|\x00]|  |\s[,.;!?]|,[,.]|\.\.(?!\.)| $|^ ", text), where
            assert text[-1] in '.!?”"“', where
            for start in re.findall(r"(?:^|[.!?] )[\"„“]?(\w)", text):
                assert not start.islower(), where
            doubled = re.findall(r"\b(\w+) \1\b", text.lower())
            assert not set(doubled) - {"hours", "that", "had", "ne"}, where


@pytest.mark.parametrize("place", range(len(TEMPLATES["en"])), ids=[each.id for each in TEMPLATES["en"]])
def test_english_articles_verbs_and_pronouns_fit(place: int) -> None:
    for probe in probes("en", place):
        context, pronouns = probe.context, probe.levels["pronouns"]
        for article, word in re.findall(r"\b(an?) ([\w'-]+)", context, re.I):
            assert (article.lower() == "an") == bool(VOWEL.match(word)), f"{probe.id}: {article} {word}"
        assert not re.search(rf"\b(he|she) ({PLURAL})\b", context, re.I), context
        assert not re.search(rf"\bthey ({SINGULAR})\b", context, re.I), context
        for other, words in GENDERED.items():
            assert other == pronouns or not re.search(rf"\b({words})\b", context, re.I), context
        assert pronouns != "they" or re.search(r"\b(they|them|their)\b", context, re.I)


def slot_pairs(code: str, template: templates.Template) -> set[tuple[str, str]]:
    """What may stand for what when he becomes she: forms in braces, names and pronouns, as written in the files."""
    grammar, known = language.read(code), factors.read(code)
    texts = [template.context, *template.portrait, *(turn.text for turn in template.turns)]
    texts += [answer.text for answer in template.answers]
    pieces = [piece for text in texts for piece in simple(parse(text)) if isinstance(piece, Agreeing)]
    pairs = {piece.forms for piece in pieces}
    pairs |= set(zip(*(grammar.pronouns[level].forms.values() for level in ("he", "she")), strict=True))
    he, she = (grammar.names[template.name_for(level)] for level in ("he", "she"))
    pairs |= {(he.forms[case], she.forms[case]) for case in he.forms} | {
        (template.name_for("he"), template.name_for("she"))
    }
    forms = (form for factor in known.values() for level in factor.levels.values() for form in level.forms.values())
    return pairs | {tuple(form.split("|")) for form in forms if "|" in form}


def word_pairs(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Single words that differ, without punctuation and capitals."""
    for change in differences.changes(one, other):
        before, after = (re.findall(r"[\w'-]+", text) for text in change)
        assert len(before) == len(after), f"{change} changes the number of words"
        yield from ((a, b) for a, b in zip(before, after, strict=True) if a != b)


@pytest.mark.parametrize("template", [each for code, each in CASES if code == "cs"], ids=lambda each: each.id)
def test_czech_minimal_pairs_differ_only_in_written_forms(template: templates.Template) -> None:
    pairs = {(one.lower(), other.lower()) for one, other in slot_pairs("cs", template)}
    known = factors.read("cs")
    for name, level in golden_renderings.levels(known):
        he, she = (rendering.render(template, known, {name: level, "pronouns": each}) for each in ("he", "she"))
        seen = {
            (one.lower(), other.lower())
            for before, after in zip(differences.texts(he).values(), differences.texts(she).values(), strict=True)
            for one, other in word_pairs(before, after)
        }
        assert seen <= pairs, f"{template.id} {name}={level}: {sorted(seen - pairs)}"
        assert seen, "a scene shows who it is told of"


@pytest.mark.parametrize(("code", "template"), CASES, ids=NAMES)
def test_levels_differ_only_in_the_words_for_them(code: str, template: templates.Template) -> None:
    known = factors.read(code)
    reference = {name: factor.reference for name, factor in known.items()}
    base = differences.texts(rendering.render(template, known, reference))
    for name, level in golden_renderings.levels(known):
        told = differences.texts(rendering.render(template, known, {**reference, name: level}))
        changed = [change for place in base for change in differences.changes(base[place], told[place])]
        allowed = words_of(known[name], level) | words_of(known[name], known[name].reference) | {"a", "an"}
        said = {word for change in changed for word in re.findall(r"[\w'-]+", " ".join(change))}
        assert said <= allowed, f"{template.id} {name}={level}: {sorted(said - allowed)}"
        assert bool(changed) == (level != known[name].reference), f"{template.id} does not show {name}={level}"
        assert {place for place in base if base[place] != told[place]} <= {"context"}, (
            "attributes stay out of what is said"
        )


def words_of(factor: factors.Factor, level: str) -> set[str]:
    return {word for form in factor.level(level).forms.values() for word in re.findall(r"[\w'-]+", form)}


def test_the_templates_meet_what_the_project_promises() -> None:
    for code in LANGUAGES:
        found = templates.read(language=code)
        assert len(found) >= 20
        assert sum(template.polarity == "positive" for template in found) >= len(found) / 3
        assert all(len(template.cause) >= 3 and len(template.evidence) >= 3 for template in found)
        assert all(set(template.factors) == set(factors.read(code)) for template in found)


def test_length_does_not_give_the_key_away() -> None:
    for code in LANGUAGES:
        sizes = [
            {answer.kind: len(answer.text.split()) for answer in each.answers} for each in templates.read(language=code)
        ]
        means = {kind: sum(each[kind] for each in sizes) / len(sizes) for kind in templates.KINDS}
        assert max(means.values()) / min(means.values()) < 1.15
        for choose in (min, max):
            right = sum(choose(each, key=lambda kind: each[kind]) == "empathetic" for each in sizes)
            assert right <= len(sizes) / 3, f"{choose.__name__} by length finds the key {right} times"


def test_the_datasheet_tells_the_lengths_that_are() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "builtin-probes.md").read_text()
    for kind in templates.KINDS:
        cells = []
        for code in ("en", "cs"):
            sizes = [
                len(answer.text.split()) for each in TEMPLATES[code] for answer in each.answers if answer.kind == kind
            ]
            cells.append(f"{sum(sizes) / len(sizes):.1f} ({min(sizes)}–{max(sizes)})")
        assert f"| {kind} | {' | '.join(cells)} |" in page
    assert all(f"`{template.id}`" in page for template in TEMPLATES["en"])


def shared(answer: str, seen: set[str]) -> float:
    """The share of an answer's longer words that stand in what the system sees."""
    words = {word for word in re.findall(r"\w+", answer.lower()) if len(word) > 3}
    return len(words & seen) / len(words)


def test_words_shared_with_the_scene_do_not_give_the_key_away() -> None:
    for code in LANGUAGES:
        right, known = 0, factors.read(code)
        for template in TEMPLATES[code]:
            probe = rendering.render(template, known, {})
            seen = set(re.findall(r"\w+", " ".join([probe.context, *(turn.text for turn in probe.turns)]).lower()))
            best = max(probe.options, key=lambda option: shared(option.text, seen))
            right += best.kind == "empathetic"
        assert right <= len(TEMPLATES[code]) / 3, f"{code}: overlap finds the key {right} times"


def test_every_pair_of_levels_can_be_told_together() -> None:
    known = factors.read("en")
    template = templates.read()[0]
    pairs = itertools.combinations(golden_renderings.levels(known), 2)
    ids = {rendering.render(template, known, dict(pair)).context for pair in pairs if pair[0][0] != pair[1][0]}
    assert len(ids) > 300
