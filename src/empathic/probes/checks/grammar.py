"""A draft → pronouns in the wrong case, verbs that do not agree, forms that tell a gender outside a mask."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from empathic.probes.checks.draft import Draft, Finding, Text
from empathic.probes.slots import Agreeing, Group, Piece, Simple, Slot, Words

_SENTENCE_END = re.compile(r"[.!?…:]['\"”’)]*\s*$")
_WORD = re.compile(r"[\w'’-]+")


def check(draft: Draft) -> Iterator[Finding]:
    """Every rule at every place where a piece stands beside another."""
    for text in draft.texts():
        for run in _runs(text.pieces):
            for number, piece in enumerate(run):
                before, after = run[:number], run[number + 1 :]
                if isinstance(piece, Slot):
                    yield from _case(draft, text, piece, before, after)
                elif isinstance(piece, Agreeing):
                    yield from _pair(draft, text, piece, before)
                else:
                    yield from _past(draft, text, piece, before)


def _runs(pieces: Sequence[Piece]) -> Iterator[list[Simple]]:
    """The text with each conditional part in turn, so that every neighbour is seen."""
    longest = max((len(piece.parts) for piece in pieces if isinstance(piece, Group)), default=1)
    for number in range(longest):
        run: list[Simple] = []
        for piece in pieces:
            run.extend(piece.parts[min(number, len(piece.parts) - 1)].pieces if isinstance(piece, Group) else [piece])
        yield _merged(run)


def _merged(run: Sequence[Simple]) -> list[Simple]:
    """With words that follow each other as one piece."""
    merged: list[Simple] = []
    for piece in run:
        if merged and isinstance(piece, Words) and isinstance(merged[-1], Words):
            merged[-1] = Words(merged[-1].text + piece.text)
        else:
            merged.append(piece)
    return merged


def _last_word(before: Sequence[Simple]) -> str | None:
    """The literal word directly before, if nothing but a space is between."""
    if not before or not isinstance(before[-1], Words):
        return None
    match = re.search(r"([\w'’-]+)\s+$", before[-1].text)
    return match.group(1).lower() if match else None


def _starts(before: Sequence[Simple]) -> bool:
    """Whether a sentence begins here."""
    if not before:
        return True
    last = before[-1]
    return isinstance(last, Words) and bool(
        _SENTENCE_END.search(last.text) or (not last.text.strip() and len(before) == 1)
    )


def _case(draft: Draft, text: Text, slot: Slot, before: list[Simple], after: list[Simple]) -> Iterator[Finding]:
    lexicon, name, last = draft.lexicon, slot.name, _last_word(before)
    preposition = last in lexicon.prepositions
    if preposition and name in lexicon.case_after_preposition:
        what = f"{slot} after the preposition '{last}' is the wrong case"
        yield _wrong(draft, text, slot, f"{last} {slot}", what, lexicon.case_after_preposition[name])
    if not preposition and name in lexicon.case_without_preposition:
        what = f"{slot} stands without a preposition, which is the wrong case"
        yield _wrong(draft, text, slot, f"{last or ''} {slot}", what, lexicon.case_without_preposition[name])
    if name in lexicon.case_before_verb and (_starts(before) or _verb_follows(after)):
        what = f"{slot} is used as the subject, which is the wrong case"
        yield _wrong(draft, text, slot, str(slot), what, lexicon.case_before_verb[name])
    if name in lexicon.possessive and not _noun_may_follow(after):
        what = f"{slot} has no noun after it"
        yield _wrong(draft, text, slot, f"{slot}{_start_of(after)}", what, lexicon.possessive[name])
    if name == lexicon.subject and not preposition:
        yield from _subject(draft, text, slot, after)


def _start_of(after: Sequence[Simple]) -> str:
    return after[0].text[:8] if after and isinstance(after[0], Words) else ""


def _wrong(draft: Draft, text: Text, slot: Slot, near: str, what: str, right: str) -> Finding:
    mask = str(Slot(right, None, slot.capital))
    return draft.finding("pronoun-case", text.trail, near, what, f"Write {mask}")


def _verb_follows(after: Sequence[Simple]) -> bool:
    return (
        len(after) > 1 and isinstance(after[0], Words) and not after[0].text.strip() and isinstance(after[1], Agreeing)
    )


def _noun_may_follow(after: Sequence[Simple]) -> bool:
    if not after:
        return False
    first = after[0]
    if isinstance(first, Words) and first.text.strip():
        return bool(re.match(r"\s+[\w'’\"“]", first.text))
    return not _verb_follows(after)


def _subject(draft: Draft, text: Text, slot: Slot, after: list[Simple]) -> Iterator[Finding]:
    """After the subject stands a form that agrees, or one that is the same for all pronouns."""
    following = _next(draft, after)
    if following is None or following in draft.lexicon.after_subject or following.endswith("ed"):
        return
    pairs = draft.lexicon.verb_pairs
    both = next((pair for pair in pairs.items() if following in pair), None)
    if both:
        change = f"Write {slot} {{{both[0]}|{both[1]}}}"
        yield draft.finding(
            "agreement",
            text.trail,
            f"{slot} {following}",
            f"'{slot} {following}' does not agree with all pronouns",
            change,
        )
        return
    stem = following.removesuffix("s")
    change = f"Write {{{stem}|{stem}s}} if it is a verb, {{poss}} {following} if it is a noun"
    what = f"after {slot} stands '{following}', which is no form that fits all pronouns"
    yield draft.finding("pronoun-case", text.trail, f"{slot} {following}", what, change)


def _next(draft: Draft, after: Sequence[Simple]) -> str | None:
    """The literal word that must be the verb; None if a form in braces or nothing follows."""
    if not after or not isinstance(after[0], Words):
        return None
    words: list[str] = [word.lower() for word in _WORD.findall(after[0].text)]
    return next((word for word in words if word not in draft.lexicon.between), None)


def _pair(draft: Draft, text: Text, piece: Agreeing, before: list[Simple]) -> Iterator[Finding]:
    if len(piece.forms) != 2:
        return
    one, other = piece.forms
    if one == other:
        yield draft.finding(
            "agreement", text.trail, str(piece), f"both forms of {piece} are the same", f"Write '{one}' without braces"
        )
    elif _reversed(draft, one, other):
        order = "|".join(draft.language.agreement)
        yield draft.finding(
            "agreement",
            text.trail,
            str(piece),
            f"{piece} is not {order}",
            f"Write {{{other}|{one}}} if you mixed them up",
        )
    if draft.lexicon.subject and _follows_name(before):
        what = f"{piece} follows a name, which takes the singular whatever the pronouns"
        yield draft.finding("agreement", text.trail, str(piece), what, f"Write '{other}'")


def _follows_name(before: Sequence[Simple]) -> bool:
    if len(before) < 2 or not isinstance(before[-2], Slot) or before[-2].name != "name":
        return False
    return isinstance(before[-1], Words) and not before[-1].text.strip()


def _reversed(draft: Draft, one: str, other: str) -> bool:
    """Whether a pair is not in the language's order: plural|singular, or masculine|feminine."""
    lexicon = draft.lexicon
    if lexicon.verb_endings:
        head, *tail = one.split()
        regular = {f"{head}s", f"{head}es", f"{head[:-1]}ies"}
        second, *rest = other.split()
        return not (second in regular or lexicon.verb_pairs.get(head) == second) or tail != rest
    return bool(re.search(r"(a|á)$", one)) and not re.search(r"(a|á)$", other)


def _past(draft: Draft, text: Text, piece: Words, before: list[Simple]) -> Iterator[Finding]:
    """Past forms outside a mask that tell the gender of the speaker or of the listener."""
    lexicon = draft.lexicon
    if lexicon.past is None:
        return
    named = bool(before) and _is_subject(before[-1])
    for place, sentence in enumerate(re.split(r"[.!?…]", piece.text)):
        for word in _gendered(draft, _WORD.findall(sentence), named and place == 0):
            what = f"'{word}' tells the gender outside a mask"
            change = "Write both forms in braces, or use the present tense for the listener"
            yield draft.finding("gendered-form", text.trail, word, what, change)


def _is_subject(piece: Simple) -> bool:
    return isinstance(piece, Slot) and piece.form is None and piece.name in ("name", "subj")


def _gendered(draft: Draft, words: list[str], named: bool) -> Iterator[str]:
    """Past forms beside "jsem", "bys" …, or as the first or second word after the name."""
    lexicon = draft.lexicon
    for number, word in enumerate(words):
        if not re.fullmatch(lexicon.past or "", word, re.I) or word.lower() in lexicon.not_past:
            continue
        near = {each.lower() for each in words[max(0, number - 2) : number + 3]}
        if near & set(lexicon.past_marks) or (named and number < 2):
            yield word
