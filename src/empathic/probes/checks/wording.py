"""A draft → words that leak or contradict the person's attributes, slurs, texts that are too long, untidy sentences."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator

from empathic.errors import EmpathicError
from empathic.probes import rendering
from empathic.probes.checks.draft import Draft, Finding, Text
from empathic.probes.factors import PRONOUNS
from empathic.probes.pages import Trail
from empathic.probes.probe import Probe
from empathic.probes.slots import Words, simple

LONGEST = {"instruction": 70, "context": 170, "conversation": 60, "answers": 50}  # words
LONGEST_IN_ALL = 450  # words of context, conversation and answers: about two minutes of reading
_WORD = re.compile(r"[\w’'-]+")
_SENTENCE = re.compile(r"(?:^|(?<=[.!?…])\s+)[\"“„'‘(]*(\w[^\s.!?]*)")
_SLIP = re.compile(r"\s[,.;!?]|,,|(?<!\.)\.\.(?!\.)|,\.|\b(?:a|an) (?:a|an|the|no)\b")
_ARTICLE = re.compile(r"\b(a|an) ([\w'’-]+)", re.I)
_ABBREVIATED = ("mr.", "mrs.", "dr.", "např.", "tj.", "atd.")


def check(draft: Draft) -> Iterator[Finding]:
    """Words first, then whole renderings."""
    for text in draft.texts():
        yield from _words(draft, text)
        yield from _length(draft, text)
    yield from _names(draft)
    yield from _rendered(draft)


def literal(text: Text) -> str:
    """What stands in a text outside masks."""
    return " ".join(piece.text for piece in simple(text.pieces) if isinstance(piece, Words))


def _words(draft: Draft, text: Text) -> Iterator[Finding]:
    lexicon = draft.lexicon
    said = list(dict.fromkeys(_WORD.findall(literal(text).replace("’", "'"))))
    lists = (
        (
            "gendered-word",
            lexicon.gendered,
            "tells a gender that a mask should tell",
            "Use a mask ({subj}, {obj}, {poss} …) or a neutral word",
        ),
        (
            "kinship",
            lexicon.kinship,
            "tells the gender of a relative or of a partner",
            "Use a neutral word: neighbour, friend, child, cousin, family",
        ),
        (
            "identity-word",
            lexicon.identity,
            "names a group outside a mask",
            "Say attributes in `portrait` by their masks",
        ),
        (
            "profanity",
            lexicon.profanity,
            "is a slur or a swear word",
            "Take it out: it invites refusals and interacts with the attributes",
        ),
    )
    for rule, words, what, change in lists:
        pattern = _pattern(words)
        for word in said:
            if pattern.fullmatch(word) or pattern.fullmatch(word.removesuffix("'s")):
                yield draft.finding(rule, text.trail, word, f"'{word}' {what}", change)


@functools.cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word).replace(r"\*", r"\w*") for word in words) or r"(?!)", re.I)


def _length(draft: Draft, text: Text) -> Iterator[Finding]:
    count, most = len(text.words.split()), LONGEST.get(text.field)
    if most is not None and count > most:
        what = f"`{'.'.join(text.trail)}` has {count} words, more than the {most} that are read with care"
        yield draft.finding("too-long", text.trail, "", what, f"Cut it to {most} words")


def _names(draft: Draft) -> Iterator[Finding]:
    template, known = draft.template, draft.language.names
    for pronouns, name in template.names.items():
        yield from _name(draft, pronouns, name)
    missing = [] if "any" in template.names else sorted(set(draft.language.pronouns) - set(template.names))
    if missing:
        yield draft.finding(
            "name",
            ("name",),
            "",
            f"no name goes with the pronouns {', '.join(missing)}",
            "Give one name per pronoun set, or a neutral one for all",
        )
    listener = known.get(template.listener)
    if listener is not None and listener.gender != "neutral":
        yield draft.finding(
            "name",
            ("listener",),
            template.listener,
            f"the listener's name '{template.listener}' is {listener.gender}",
            "Choose a neutral name, so that only the speaker's gender varies",
        )
    own = set(template.names.values())
    for text in draft.texts():
        for word in dict.fromkeys(_WORD.findall(literal(text))):
            bare = word.removesuffix("'s").removesuffix("’s")
            if bare in own:
                yield draft.finding("name", text.trail, word, f"the name '{bare}' is written out", "Write {name}")
            elif bare in known and known[bare].gender != "neutral":
                yield draft.finding(
                    "name",
                    text.trail,
                    word,
                    f"the name '{bare}' is {known[bare].gender} and may leak a gender",
                    "Choose a neutral name, or none",
                )


def _name(draft: Draft, pronouns: str, name: str) -> Iterator[Finding]:
    entry = draft.language.names.get(name)
    if pronouns != "any" and pronouns not in draft.language.pronouns:
        known = ", ".join(draft.language.pronouns)
        yield draft.finding("name", ("name",), pronouns, f"no pronoun set is called '{pronouns}'", f"There are {known}")
    elif entry is None:
        yield draft.finding(
            "name",
            ("name",),
            name,
            f"the name '{name}' is not in the language's list, so its gender is unknown",
            f"Add it to languages/{draft.language.id}/grammar.yaml, or choose one that is there",
        )
    elif pronouns == "any" and entry.gender != "neutral":
        yield draft.finding(
            "name",
            ("name",),
            name,
            f"the name '{name}' is {entry.gender} and contradicts other pronouns",
            "Choose a neutral name, or give one name per pronoun set",
        )
    elif pronouns != "any" and entry.gender not in ("neutral", draft.language.pronouns[pronouns].gender):
        yield draft.finding(
            "name",
            ("name",),
            name,
            f"the name '{name}' is {entry.gender} and contradicts the pronouns {pronouns}",
            "Choose one that fits, or a neutral one",
        )


def _rendered(draft: Draft) -> Iterator[Finding]:
    """What only shows when the masks are filled; each complaint once."""
    told: set[tuple[str, str]] = set()
    read: set[str] = set()
    for probe in _renderings(draft):
        new = [(trail, text) for trail, text in _texts(probe) if text not in read]
        read.update(text for _, text in new)
        tidy = (_tidy(draft, trail, text) for trail, text in new)
        for finding in itertools.chain(_read_in_all(draft, probe), *tidy):
            if (finding.rule, finding.what) not in told:
                told.add((finding.rule, finding.what))
                yield finding


def _renderings(draft: Draft) -> Iterator[Probe]:
    """Every level of every factor once with every pronoun set, alone and beside the references of the others."""
    usable = {name: draft.factors[name] for name in draft.template.factors if name in draft.factors}
    reference = {name: factor.reference for name, factor in usable.items()}
    alone = [{name: level} for name, factor in usable.items() for level in factor.available if name != PRONOUNS]
    for pronouns in draft.factors[PRONOUNS].available:
        for levels in itertools.chain([{}], alone, ({**reference, **each} for each in alone)):
            wanted = {**levels, PRONOUNS: pronouns}
            if rendering.obstacle(draft.template, draft.factors, wanted) is None:
                try:
                    yield rendering.render(draft.template, draft.factors, wanted)
                except EmpathicError:
                    continue  # the rules about masks say why


def _tidy(draft: Draft, trail: Trail, text: str) -> Iterator[Finding]:
    yield from _capitals(draft, trail, text)
    own = (re.compile(pattern, re.I) for pattern in draft.lexicon.slips)
    for match in itertools.chain(_SLIP.finditer(text), *(pattern.finditer(text) for pattern in own)):
        slip, around = match.group(), text[max(0, match.start() - 15) : match.end() + 15]
        what = f"'{slip.strip()}' comes out of the masks in '{around}'"
        change = "Correct it, or move the comma, full stop or article into the conditional part"
        yield draft.finding_in_context("untidy", trail, (slip, "{a} {"), what, change)
    yield from _articles(draft, trail, text)


def _capitals(draft: Draft, trail: Trail, text: str) -> Iterator[Finding]:
    for match in _SENTENCE.finditer(text):
        word = match.group(1)
        if word[:1].islower() and not _after_abbreviation(text, word):
            near = " ".join(text[match.start(1) :].split()[:3])
            what = f"a sentence begins in lower case: '{near} …'"
            change = "Begin it with a capital, or a mask with a capital: {Subj}"
            yield draft.finding_in_context("lower-case-start", trail, (". {", near), what, change)


def _after_abbreviation(text: str, word: str) -> bool:
    return any(f"{short} {word}" in text.lower() for short in _ABBREVIATED)


def _articles(draft: Draft, trail: Trail, text: str) -> Iterator[Finding]:
    articles = draft.language.articles
    if articles is None:
        return
    for match in _ARTICLE.finditer(text):
        said, word = match.groups()
        right = articles.of(word)
        if said.lower() != right:
            what = f"'{said} {word}' should be '{right} {word}'"
            change = "Write {a} before a mask, and the right article before a word"
            yield draft.finding_in_context("article", trail, (f" {said} {{", f"{said} {word}"), what, change)


def _texts(probe: Probe) -> Iterator[tuple[Trail, str]]:
    yield ("instruction",), probe.instruction
    yield ("context",), probe.context
    yield from ((("conversation", str(i)), turn.text) for i, turn in enumerate(probe.turns))
    yield from ((("answers", str(i)), option.text) for i, option in enumerate(probe.options))


def _read_in_all(draft: Draft, probe: Probe) -> Iterator[Finding]:
    total = sum(len(text.split()) for trail, text in _texts(probe) if trail[0] != "instruction")
    if total > LONGEST_IN_ALL:
        yield draft.finding(
            "too-long",
            (),
            "",
            f"the whole scene has more than {LONGEST_IN_ALL} words",
            f"Cut it to {LONGEST_IN_ALL} words",
        )
