"""The CSV of EmpatheticDialogues (Rashkin et al. 2019) ⇄ dialogues: rows of one `conv_id` become one dialogue.

The files know no quoting: a comma in a text is `_comma_`, quotation marks are text. Rows have six to nine cells; the
ninth (candidates in the test set) is passed over. Who speaks first in a conversation is the speaker.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from empathic import files
from empathic.datasets.formats import Format, Head, Holds, Item, Located, Source, register
from empathic.datasets.sinks import open_sink
from empathic.errors import InputError
from empathic.records import Dialogue, Record, Role, Turn

COLUMNS = ("conv_id", "utterance_idx", "context", "prompt", "speaker_idx", "utterance", "selfeval", "tags")
NEEDED = 6
HOLDS: Holds = {Dialogue: frozenset({"id", "turns", "emotion", "situation", "metadata.selfeval", "metadata.tags"})}


class Utterance(Record, frozen=True):
    """One row."""

    line: int
    conversation: str
    number: int
    emotion: str
    situation: str
    speaker: str
    text: str
    selfeval: str = ""
    tags: str = ""


def read(source: Source) -> Iterator[Located]:
    """One dialogue per run of rows with the same `conv_id`."""
    for _, group in itertools.groupby(_utterances(source.path), key=lambda row: row.conversation):
        rows = list(group)
        yield rows[0].line, _dialogue(rows, source.path)


def _utterances(path: Path) -> Iterator[Utterance]:
    seen = False
    for line, data in files.lines(path):
        try:
            cells = data.decode().rstrip("\r\n").split(",")
        except UnicodeDecodeError as error:
            raise InputError("is not UTF-8 text; save it as UTF-8", path=path, line=line) from error
        if seen:
            yield _utterance(cells, path, line)
        else:
            _check_head(cells, path, line)
            seen = True
    if not seen:
        raise InputError("the file is empty", path=path)


def _check_head(cells: list[str], path: Path, line: int) -> None:
    for wanted, found in itertools.zip_longest(COLUMNS[:NEEDED], cells[:NEEDED]):
        if wanted != found:
            raise InputError(f"this column is needed here, not {found!r}", path=path, line=line, field=wanted)


def _utterance(cells: list[str], path: Path, line: int) -> Utterance:
    if not NEEDED <= len(cells) <= len(COLUMNS) + 1:
        what = f"the row has {len(cells)} cells, 6 to 9 are needed (commas in a text are written _comma_)"
        raise InputError(what, path=path, line=line)
    if not cells[1].strip().isdecimal():
        raise InputError(f"a number is needed, not {cells[1][:40]!r}", path=path, line=line, field="utterance_idx")
    name, emotion, situation, text = (cells[place].replace("_comma_", ",") for place in (0, 2, 3, 5))
    return Utterance(
        line=line,
        conversation=name,
        number=int(cells[1]),
        emotion=emotion,
        situation=situation,
        speaker=cells[4],
        text=text,
        selfeval=cells[6] if len(cells) > NEEDED else "",
        tags=cells[7] if len(cells) > NEEDED + 1 else "",
    )


def _dialogue(rows: list[Utterance], path: Path) -> Dialogue:
    first = rows[0]
    for before, row in itertools.pairwise(rows):
        if row.number <= before.number:
            what = f"the utterances of '{first.conversation}' are not in order"
            raise InputError(what, path=path, line=row.line, field="utterance_idx")
    if len({row.speaker for row in rows}) > 2:
        raise InputError("more than two people speak", path=path, line=first.line, field="speaker_idx")
    turns = tuple(Turn(role=_role(row, first), text=row.text) for row in rows)
    metadata = {name: value for name in ("selfeval", "tags") if (value := getattr(first, name))}
    emotion, situation = first.emotion or None, first.situation or None
    return Dialogue(id=first.conversation, turns=turns, emotion=emotion, situation=situation, metadata=metadata)


def _role(row: Utterance, first: Utterance) -> Role:
    return "speaker" if row.speaker == first.speaker else "listener"


def write(path: Path, items: Iterable[Item]) -> int:
    """The rows of each dialogue; the speaker is 0, the listener 1."""
    count = 0
    with open_sink(path) as stream:
        stream.write((",".join(COLUMNS) + "\n").encode())
        for item in items:
            if isinstance(item, Dialogue):
                count += 1
                stream.write("".join(_lines(item)).encode())
    return count


def _lines(dialogue: Dialogue) -> Iterator[str]:
    if dialogue.turns and dialogue.turns[0].role == "listener":
        what = (
            f"the listener speaks first in dialogue '{dialogue.id}'; in this format the first to speak is the speaker"
        )
        raise InputError(what)
    for number, turn in enumerate(dialogue.turns, 1):
        texts = (dialogue.id, str(number), dialogue.emotion or "", dialogue.situation or "")
        rest = (str(int(turn.role == "listener")), turn.text)
        kept = (str(dialogue.metadata.get("selfeval", "")), str(dialogue.metadata.get("tags", "")))
        yield ",".join(map(_cell, (*texts, *rest, *kept))) + "\n"


def _cell(text: str) -> str:
    """A line has no other place for a comma, nor for a line break."""
    return text.replace(",", "_comma_").replace("\r", " ").replace("\n", " ")


def _recognise(head: Head) -> bool:
    return head.start.lstrip(b"\xef\xbb\xbf").startswith(",".join(COLUMNS[:NEEDED]).encode())


EMPATHETIC_DIALOGUES = register(
    Format(
        name="empathetic-dialogues",
        summary="EmpatheticDialogues (Rashkin et al. 2019): utterances of labelled conversations (CSV with _comma_)",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".csv",),
    )
)
