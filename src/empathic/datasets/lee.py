"""The released responses of Lee et al. (2024), `[{"query": […], "response": …}]`, become responses.

The system is not in the file: it is the part of the file's name before `_responses`, or what the user says. The last
text of a query is the speaker's. Two responses to the same query (compared by letters and digits alone) have the
same `dialogue`, so that systems can be paired; other decodings in the file are kept in the metadata.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from empathic.datasets.arrays import elements
from empathic.datasets.formats import Format, Head, Holds, Item, Located, Source, is_array, keys, register, spoken
from empathic.datasets.sinks import write_array
from empathic.errors import InputError, SettingError
from empathic.records import Record, Response, Role, Turn

DECODINGS = ("decoder_greedy", "beam_search", "top_k")
HOLDS: Holds = {
    Response: frozenset({"turns", "text", "position", *(f"metadata.{name}" for name in ("index", *DECODINGS))})
}
_NOT_A_WORD = re.compile(r"[\W_]+")


class Answer(Record, frozen=True):
    """One element of the file."""

    query: list[str]
    response: str
    decoder_greedy: str | None = None
    beam_search: str | None = None
    top_k: str | None = None


def read(source: Source) -> Iterator[Located]:
    """One response per element, with its place in the file as `index`."""
    system = source.system or system_of(source.path)
    for index, (line, answer) in enumerate(elements(source.path, Answer)):
        if not answer.query:
            raise InputError("is empty: there is nothing to answer", path=source.path, line=line, field="query")
        yield line, _response(system, index, answer)


def system_of(path: Path) -> str:
    """`moel` of `moel_responses.json`."""
    return path.name.split(".")[0].removesuffix("_responses") or "unknown"


def query_id(query: list[str]) -> str:
    """The same for the same words, however they are spaced, cased and punctuated."""
    words = "\n".join(_NOT_A_WORD.sub("", text).lower() for text in query)
    return f"query-{hashlib.blake2b(words.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"


def turns_of(query: list[str]) -> tuple[Turn, ...]:
    """Alternating turns that end with the speaker's."""
    roles: tuple[Role, Role] = ("speaker", "listener")
    last = len(query) - 1
    return tuple(Turn(role=roles[(last - place) % 2], text=text) for place, text in enumerate(query))


def _response(system: str, index: int, answer: Answer) -> Response:
    turns = turns_of(answer.query)
    others = {name: text for name in DECODINGS if (text := getattr(answer, name)) is not None}
    return Response(
        id=f"{system}-{index}",
        system=system,
        dialogue=query_id(answer.query),
        turns=turns,
        position=sum(turn.role == "listener" for turn in turns),
        metadata={"index": index, **others},
        **spoken(answer.response),
    )


def write(path: Path, items: Iterable[Item]) -> int:
    """One element per response; the responses of more than one system do not fit into one file."""
    return write_array(path, (_plain(item) for item in _of_one_system(items)))


def _of_one_system(items: Iterable[Item]) -> Iterator[Response]:
    system = None
    for item in items:
        if isinstance(item, Response):
            system = system or item.system
            if item.system != system:
                what = f"A file of format lee holds one system, these are '{system}' and '{item.system}'."
                raise SettingError(f"{what} Convert one at a time: --only-system {system}")
            if turns_of([turn.text for turn in item.turns]) != item.turns:
                what = f"response '{item.id}': the turns of a query alternate and end with the speaker's, these do not"
                raise InputError(what, field="turns")
            yield item


def _plain(response: Response) -> dict[str, object]:
    others = {name: response.metadata[name] for name in DECODINGS if name in response.metadata}
    return {"query": [turn.text for turn in response.turns], **others, "response": response.text or ""}


def _recognise(head: Head) -> bool:
    return is_array(head) and {"query", "response"} <= keys(head)


LEE = register(
    Format(
        name="lee",
        summary="Lee et al. (2024): responses of one system to queries, as JSON array",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".json",),
    )
)
