"""Lexicon files become Lexicons: our CSV, NRC-EIL and NRC-VAD in their published layouts, VADER's own list.

| format | layout | scales |
|---|---|---|
| `affect` | CSV with the header `word,valence,arousal,dominance,intensity,emotion` | all five, and one per emotion |
| `nrc-eil` | `word⇥emotion⇥score` (or `term⇥score⇥emotion`), header or not | intensity, intensity_last, emotions |
| `nrc-vad` | `word⇥valence⇥arousal⇥dominance` with or without header, or JSON `{"word": [v, a, d]}` | the three |
| `vader` | `token⇥mean⇥sd⇥ratings` | valence |

All values are brought to 0…1: a scale that goes below 0 is one of -1…1 (NRC-VAD from version 2 on) or -4…4 (VADER).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from empathic import files
from empathic.errors import InputError

Scale = dict[str, float]
AFFECT_HEADER = ["word", "valence", "arousal", "dominance", "intensity", "emotion"]
EMOTIONS = ("anger", "anticipation", "disgust", "fear", "joy", "sadness", "surprise", "trust")
VAD = ("valence", "arousal", "dominance")
_HEADS = ("word", "term", "english word")


class Lexicon(NamedTuple):
    """Words with values in 0…1 on one or more scales; `label` names the exact file in a signature."""

    name: str
    title: str
    licence: str
    citation: str
    scales: Mapping[str, Scale]
    sha256: str

    @property
    def label(self) -> str:
        return f"{self.name}@{self.sha256[:8]}"

    def scale(self, name: str) -> Scale:
        """The words of one scale; empty if this lexicon has no such scale."""
        return self.scales.get(name, {})


class Layout(NamedTuple):
    """One published layout: how to tell it, how to read it, and whose it is."""

    name: str
    title: str
    licence: str
    citation: str
    recognise: Callable[[str, Path], bool]
    read: Callable[[Path], dict[str, Scale]]


def read(path: Path, *, name: str | None = None) -> Lexicon:
    """Read a lexicon of any known layout; which one is told by its first line."""
    first = next(_lines(path), (0, ""))[1]
    layout = next((each for each in LAYOUTS if each.recognise(first, path)), None)
    if layout is None:
        known = ", ".join(each.name for each in LAYOUTS)
        raise InputError(f"is no lexicon of a known layout ({known}); its first line is {first[:60]!r}", path=path)
    scales = layout.read(path)
    if not any(scales.values()):
        raise InputError("holds no word", path=path)
    return Lexicon(name or layout.name, layout.title, layout.licence, layout.citation, scales, files.sha256(path))


def emotion_scale(emotion: str) -> str:
    """The name of the scale with the intensities of one emotion."""
    return f"emotion:{emotion}"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in files.lines(path):
        try:
            yield number, line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text; save it as UTF-8", path=path, line=number) from None


def _rows(path: Path, width: int) -> Iterator[tuple[int, list[str]]]:
    """The tab-separated rows below the header, if there is one."""
    for number, text in _lines(path):
        fields = [field.strip() for field in text.split("\t")]
        if fields[0].lower() in _HEADS and not _is_number(fields[-1]) and number == 1:
            continue
        if len(fields) != width:
            raise InputError(f"has {len(fields)} tab-separated fields, {width} are needed", path=path, line=number)
        yield number, fields


def _number(text: str, low: float, path: Path, line: int) -> float:
    if not _is_number(text) or not low <= float(text) <= 1:
        raise InputError(f"{text!r} is no number from {low:g} to 1", path=path, line=line)
    return float(text)


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def _read_affect(path: Path) -> dict[str, Scale]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [(line, row) for line, row in enumerate(csv.reader(stream), 1) if row]
    scales: dict[str, Scale] = {name: {} for name in AFFECT_HEADER[1:-1]}
    for line, row in rows[1:]:
        if len(row) != len(AFFECT_HEADER):
            raise InputError(f"has {len(row)} fields, {len(AFFECT_HEADER)} are needed", path=path, line=line)
        for name, text in zip(AFFECT_HEADER[1:-1], row[1:-1], strict=True):
            scales[name][row[0]] = _number(text, 0, path, line)
        if row[-1]:
            scales.setdefault(emotion_scale(_emotion(row[-1], path, line)), {})[row[0]] = float(row[-2])
    return scales


def _emotion(name: str, path: Path, line: int) -> str:
    if name.lower() not in EMOTIONS:
        raise InputError(f"{name!r} is none of the emotions {', '.join(EMOTIONS)}", path=path, line=line)
    return name.lower()


def _read_eil(path: Path) -> dict[str, Scale]:
    """`intensity` is a word's largest value, `intensity_last` the last one listed (what Lee et al.'s code uses)."""
    scales: dict[str, Scale] = {"intensity": {}, "intensity_last": {}}
    for line, (word, second, third) in _rows(path, 3):
        text, emotion = (second, third) if _is_number(second) else (third, second)
        value = _number(text, 0, path, line)
        scales["intensity"][word] = max(value, scales["intensity"].get(word, 0.0))
        scales["intensity_last"][word] = value
        scales.setdefault(emotion_scale(_emotion(emotion, path, line)), {})[word] = value
    return scales


def _read_vad(path: Path) -> dict[str, Scale]:
    rows = [(line, fields[0], fields[1:]) for line, fields in _vad_rows(path)]
    values = {word: [_number(text, -1, path, line) for text in texts] for line, word, texts in rows}
    signed = any(number < 0 for numbers in values.values() for number in numbers)
    return {
        name: {word: (numbers[place] + 1) / 2 if signed else numbers[place] for word, numbers in values.items()}
        for place, name in enumerate(VAD)
    }


def _vad_rows(path: Path) -> Iterable[tuple[int, list[str]]]:
    if path.suffix != ".json":
        return _rows(path, 4)
    words = files.read_json(path, dict[str, tuple[float, float, float]])
    return [(1, [word, *map(str, numbers)]) for word, numbers in words.items()]


def _read_vader(path: Path) -> dict[str, Scale]:
    """VADER's mean sentiment rating m of -4…4 as (m + 4) / 8."""
    words = {fields[0]: float(fields[1]) for _, fields in _rows(path, 4)}
    return {"valence": {word: (mean + 4) / 8 for word, mean in words.items()}}


def _fields(first: str) -> list[str]:
    return [field.strip() for field in first.split("\t")]


def _is_eil(first: str, _: Path) -> bool:
    fields = [field.lower() for field in _fields(first)]
    named = any(field in EMOTIONS or "emotion" in field or field == "affectdimension" for field in fields)
    return len(fields) == 3 and named


def _is_vad(first: str, path: Path) -> bool:
    fields = _fields(first)
    header = [field.lower() for field in fields[1:]] == list(VAD)
    return (path.suffix == ".json" and first.startswith("{")) or header or _is_vad_row(fields)


def _is_vad_row(fields: list[str]) -> bool:
    return len(fields) == 4 and all(_is_number(field) and -1 <= float(field) <= 1 for field in fields[1:])


def _is_vader(first: str, _: Path) -> bool:
    fields = _fields(first)
    return len(fields) == 4 and _is_number(fields[1]) and fields[3].startswith("[")


LAYOUTS = (
    Layout(
        "affect",
        "Affect lexicon of this project",
        "CC0 1.0",
        "The Empathic authors, 2026",
        lambda first, _: first.split(",") == AFFECT_HEADER,
        _read_affect,
    ),
    Layout(
        "nrc-eil",
        "NRC Emotion Intensity Lexicon",
        "free for research; commercial use needs a licence; not to be redistributed (see saifmohammad.com)",
        "Mohammad, Word Affect Intensities, LREC 2018",
        _is_eil,
        _read_eil,
    ),
    Layout(
        "vader",
        "VADER sentiment lexicon",
        "MIT",
        "Hutto & Gilbert, VADER, ICWSM 2014",
        _is_vader,
        _read_vader,
    ),
    Layout(
        "nrc-vad",
        "NRC Valence, Arousal and Dominance Lexicon",
        "free for research; commercial use needs a licence; not to be redistributed (see saifmohammad.com)",
        "Mohammad, Obtaining Reliable Human Ratings of Valence, Arousal, and Dominance, ACL 2018",
        _is_vad,
        _read_vad,
    ),
)
