"""A draft → answers that are missing, doubled, alike or of unequal length; a key without evidence; no causal tuple."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from empathic.errors import EmpathicError
from empathic.probes import rendering
from empathic.probes.checks.draft import Draft, Finding
from empathic.probes.factors import PRONOUNS
from empathic.probes.probe import KEYED
from empathic.probes.slots import SlotError
from empathic.probes.templates import KINDS

MOST_ALIKE = 0.6  # Jaccard index of the words of two answers
LARGEST_RATIO = 2.0  # words of the longest answer by words of the shortest
_WORD = re.compile(r"[\w’'-]+")


def check(draft: Draft) -> Iterator[Finding]:
    """Everything about the answers and what they rest on."""
    yield from _kinds(draft)
    yield from _alike(draft)
    yield from _lengths(draft)
    yield from _evidence(draft)
    yield from _cause(draft)
    yield from _conversation(draft)


def jaccard(one: str, other: str) -> float:
    """|A ∩ B| / |A ∪ B| of the sets of lower-case words."""
    a, b = ({word.lower() for word in _WORD.findall(text)} for text in (one, other))
    return len(a & b) / len(a | b) if a | b else 1.0


def _kinds(draft: Draft) -> Iterator[Finding]:
    counts = Counter(answer.kind for answer in draft.template.answers)
    for kind in KINDS:
        if not counts[kind]:
            yield draft.finding(
                "missing-kind", ("answers",), "", f"there is no {kind} answer", f"Write one: `- {kind}: …`"
            )
        elif counts[kind] > 1:
            rule, which = ("two-keyed", "keyed answers") if kind == KEYED else ("double-kind", f"{kind} answers")
            place = [i for i, answer in enumerate(draft.template.answers) if answer.kind == kind][1]
            yield draft.finding(
                rule,
                ("answers", str(place)),
                kind,
                f"there are {counts[kind]} {which} ({kind})",
                "Keep one of each kind",
            )


def _alike(draft: Draft) -> Iterator[Finding]:
    numbered = list(enumerate(draft.template.answers))
    for (_, one), (place, other) in itertools.combinations(numbered, 2):
        share = jaccard(one.text, other.text)
        if share > MOST_ALIKE:
            what = f"the {other.kind} answer is nearly the {one.kind} one: {share:.0%} of their words are the same"
            yield draft.finding("near-duplicate", ("answers", str(place)), "", what, "Write one of them anew")


def _lengths(draft: Draft) -> Iterator[Finding]:
    sizes = [(len(answer.text.split()), i, answer.kind) for i, answer in enumerate(draft.template.answers)]
    shortest, longest = min(sizes), max(sizes)
    if longest[0] > LARGEST_RATIO * max(1, shortest[0]):
        what = f"the {longest[2]} answer has {longest[0]} words, the {shortest[2]} one {shortest[0]}"
        change = "Bring them nearer: a reader, or a model, could choose by length"
        yield draft.finding("unequal-length", ("answers", str(longest[1])), "", what, change)


def _evidence(draft: Draft) -> Iterator[Finding]:
    """The words the key rests on stand in what the system sees, whatever the pronouns."""
    template = draft.template
    if not template.evidence:
        yield draft.finding(
            "evidence",
            ("evidence",),
            "",
            "there is no evidence for the keyed answer",
            "Quote the words it rests on under `evidence`",
        )
    for number, quote in enumerate(template.evidence):
        for pronouns in draft.factors[PRONOUNS].available:
            try:
                person = rendering.person_of(template, draft.factors, {PRONOUNS: pronouns})
                seen = " ".join(rendering.fill(text, person) for text in (template.context, *_turns(draft)))
                found = _plain(rendering.fill(quote, person)) in _plain(seen)
            except (SlotError, rendering.Unfilled, EmpathicError):
                break  # the rules about masks and names say why
            if not found:
                what = f"the evidence '{quote}' is not in the context or the conversation"
                yield draft.finding(
                    "evidence", ("evidence", str(number)), "", what, "Quote words as they stand there, masks included"
                )
                break


def _turns(draft: Draft) -> list[str]:
    return [turn.text for turn in draft.template.turns]


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _cause(draft: Draft) -> Iterator[Finding]:
    template = draft.template
    if len([part for part in template.cause if part.strip()]) < 2:
        yield draft.finding(
            "cause",
            ("cause",),
            "",
            "the causal tuple has fewer than two parts",
            "Say under `cause` what led to the state, step by step",
        )
    if not template.explanation.strip():
        yield draft.finding(
            "explanation",
            ("explanation",),
            "",
            "nothing explains why the keyed answer is the key",
            "Say under `explanation` why it shows the deepest understanding",
        )


def _conversation(draft: Draft) -> Iterator[Finding]:
    turns = draft.template.turns
    if turns[-1].role != "speaker":
        yield draft.finding(
            "last-turn",
            ("conversation", str(len(turns) - 1)),
            "",
            "the conversation ends with the listener",
            "End it with the speaker's turn that is to be answered",
        )
    for number, (one, other) in enumerate(itertools.pairwise(turns), 1):
        if one.role == other.role:
            yield draft.finding(
                "turns",
                ("conversation", str(number)),
                "",
                f"two turns of the {one.role} follow each other",
                "Let speaker and listener take turns",
            )
