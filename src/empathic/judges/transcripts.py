"""A subject becomes the text a judge reads: one line per turn, which no words inside a turn can break out of.

Words are written as JSON strings, so a turn cannot start a new line or a new turn; the marks around the transcript
carry a code made from its content; and the tokens by which chat formats separate messages are made harmless.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from empathic.contracts import Subject
from empathic.files import content_hash


class Labels(NamedTuple):
    """What the two sides are called."""

    speaker: str
    listener: str


PLAIN = Labels("Person", "System")
SWAPS = (Labels("A", "B"), Labels("B", "A"))
# chat formats' own tokens: ChatML and Llama 3 (<|…|>), Llama 2 ([INST], <<SYS>>, <s>), Gemma (<start_of_turn>)
_TOKENS = re.compile(r"<\|([^|<>]*)\|>|<(/?s|start_of_turn|end_of_turn|bos|eos)>|\[(/?INST)\]|<<(/?SYS)>>", re.I)
_MARK = re.compile(r"\[(begin|end) ([0-9a-f]{8})\]", re.I)


def neutral(text: str) -> str:
    """The same words, with chat tokens and transcript marks in brackets that mean nothing to a model."""
    text = _TOKENS.sub(lambda match: f"‹{next((part for part in match.groups() if part), '')}›", text)
    return _MARK.sub(r"‹\1 \2›", text)


def code(subject: Subject) -> str:
    """The code on the marks: it depends on the whole content, so no turn can know it beforehand."""
    return content_hash([subject.target, [turn.text for turn in subject.turns]])[:8]


def lines(subject: Subject, labels: Labels) -> str:
    """The turns, numbered from 1."""
    names = {"speaker": labels.speaker, "listener": labels.listener}
    return "\n".join(
        f"{number}. {names[turn.role]}: {json.dumps(neutral(turn.text), ensure_ascii=False)}"
        for number, turn in enumerate(subject.turns, 1)
    )


def quoted(subject: Subject, quote: str) -> bool:
    """Whether a judge's quotation really stands in the rated turns (case, spaces and quotation marks aside)."""
    said = " ".join(_plain(neutral(subject.turns[place].text)) for place in subject.rated)
    return _plain(quote) in said


def _plain(text: str) -> str:
    straight = text.translate(str.maketrans("‘’“”", "''\"\""))
    return " ".join(straight.casefold().split()).strip(" \"'.…")
