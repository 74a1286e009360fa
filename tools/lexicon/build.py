"""affect_base.txt (judged entries) -> src/empathic/metrics/lexicons/affect.csv (entries and inflections, sorted).

    python tools/lexicon/build.py [BASE] [CSV]

Rules, in this order of strength:

1. A word written as an entry keeps its written values, whatever else derives it.
2. A form listed after `|` inherits the values of its entry.
3. A form made by a class letter inherits them too: n plural, v regular verb (-s, -ed, -ing), d the same with the last
   consonant doubled, l adverb (-ly), e noun (-ness), c comparative and superlative (-er, -est), q the same doubled.
4. A comparative gets COMPARATIVE_STEP more intensity, a superlative twice that, never above 1; a word of no emotion
   stays so.
5. When two entries make the same form, the form listed by hand wins, then the entry that comes first in the file.
"""

import csv
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

EMOTIONS = ("anger", "fear", "sadness", "joy", "disgust", "surprise", "trust", "anticipation")
HEADER = ("word", "valence", "arousal", "dominance", "intensity", "emotion")
COMPARATIVE_STEP = 3
WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")


class LexiconError(Exception):
    """A line of the base file cannot be read; the message names the line and what to write instead."""


@dataclass(frozen=True)
class Entry:
    """One word with its values in hundredths; `emotion` is empty when `intensity` is 0."""

    word: str
    valence: int
    arousal: int
    dominance: int
    intensity: int
    emotion: str

    def row(self) -> tuple[str, ...]:
        numbers = (self.valence, self.arousal, self.dominance, self.intensity)
        return (self.word, *(f"{number / 100:.2f}" for number in numbers), self.emotion)


@dataclass(frozen=True)
class BaseLine:
    """One line of the base file: the judged entry, its class letters and the forms listed by hand."""

    entry: Entry
    classes: str
    listed: tuple[str, ...]


def add_s(word: str) -> str:
    """cat -> cats, kiss -> kisses, worry -> worries, echo -> echoes."""
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    if re.search(r"(s|x|z|ch|sh|[^aeiou]o)$", word):
        return word + "es"
    return word + "s"


def add_ed(stem: str) -> str:
    """love -> loved, worry -> worried, help -> helped."""
    if stem.endswith("e"):
        return stem + "d"
    if re.search(r"[^aeiou]y$", stem):
        return stem[:-1] + "ied"
    return stem + "ed"


def add_ing(stem: str) -> str:
    """love -> loving, agree -> agreeing, lie -> lying, help -> helping."""
    if stem.endswith("ie"):
        return stem[:-2] + "ying"
    if re.search(r"[^eoy]e$", stem):
        return stem[:-1] + "ing"
    return stem + "ing"


def doubled(word: str) -> str:
    """stop -> stopp, sad -> sadd."""
    return word + word[-1]


def soft_y(word: str) -> str:
    """happy -> happi; shy -> shy (one syllable keeps its y)."""
    return word[:-1] + "i" if re.search(r"[aeiou].*[^aeiou]y$", word) else word


def add_ly(word: str) -> str:
    """sad -> sadly, happy -> happily, gentle -> gently, tragic -> tragically, full -> fully."""
    if word.endswith("ic"):
        return word + "ally"
    if re.search(r"[^aeiou]le$", word):
        return word[:-1] + "y"
    if word.endswith("ll"):
        return word + "y"
    return soft_y(word) + "ly"


def add_er(stem: str, ending: str) -> str:
    """calm -> calmer, nice -> nicer, happy -> happier (`ending` is er or est)."""
    return stem + ending[1:] if stem.endswith("e") else soft_y(stem) + ending


def verb_forms(word: str, stem: str) -> tuple[str, ...]:
    return add_s(word), add_ed(stem), add_ing(stem)


def comparison_forms(stem: str) -> tuple[str, ...]:
    return add_er(stem, "er"), add_er(stem, "est")


FORMS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "x": lambda word: (),
    "n": lambda word: (add_s(word),),
    "v": lambda word: verb_forms(word, word),
    "d": lambda word: verb_forms(word, doubled(word)),
    "l": lambda word: (add_ly(word),),
    "e": lambda word: (soft_y(word) + "ness",),
    "c": comparison_forms,
    "q": lambda word: comparison_forms(doubled(word)),
}


def raised(entry: Entry, steps: int) -> Entry:
    """The entry with `steps` comparative steps more intensity; a word of no emotion is unchanged."""
    if entry.intensity == 0:
        return entry
    return replace(entry, intensity=min(100, entry.intensity + steps * COMPARATIVE_STEP))


def class_forms(line: BaseLine) -> Iterator[Entry]:
    """The forms made by the class letters of one line."""
    for letter in line.classes:
        for position, form in enumerate(FORMS[letter](line.entry.word)):
            steps = position + 1 if letter in "cq" else 0
            yield replace(raised(line.entry, steps), word=form)


def listed_forms(line: BaseLine) -> Iterator[Entry]:
    """The forms written after `|` on one line."""
    for form in line.listed:
        yield replace(line.entry, word=form)


def checked_word(word: str, where: str) -> str:
    if not WORD.fullmatch(word):
        raise LexiconError(f"{where}: {word!r} is not one lower-case word. Write letters, with - or ' only inside.")
    return word


def checked_classes(classes: str, where: str) -> str:
    if not set(classes) <= set(FORMS) or ("x" in classes and classes != "x"):
        raise LexiconError(
            f"{where}: class {classes!r} is unknown. Combine the letters n v d l e c q, or write x alone."
        )
    return classes


def checked_values(fields: list[str], where: str) -> tuple[int, int, int, int]:
    try:
        valence, arousal, dominance, intensity = (int(field) for field in fields)
    except ValueError:
        raise LexiconError(f"{where}: values {fields} are not four whole numbers.") from None
    if not all(0 <= value <= 100 for value in (valence, arousal, dominance, intensity)):
        raise LexiconError(f"{where}: values {fields} leave 0..100.")
    return valence, arousal, dominance, intensity


def checked_emotion(emotion: str, where: str) -> str:
    if emotion not in EMOTIONS:
        raise LexiconError(f"{where}: emotion {emotion!r} is unknown. Write one of {', '.join(EMOTIONS)}.")
    return emotion


def parse_line(text: str, default_emotion: str, where: str) -> BaseLine:
    """`word class V A D I [emotion] [| forms]` -> BaseLine."""
    head, _, tail = text.partition("|")
    fields = head.split()
    if len(fields) not in (6, 7):
        raise LexiconError(f"{where}: {text!r} has {len(fields)} fields. Write: word class V A D I [emotion].")
    values = checked_values(fields[2:6], where)
    emotion = checked_emotion(fields[6] if len(fields) == 7 else default_emotion, where)
    entry = Entry(checked_word(fields[0], where), *values, emotion if values[3] else "")
    listed = tuple(checked_word(form, where) for form in tail.split())
    return BaseLine(entry, checked_classes(fields[1], where), listed)


def read_base(path: Path) -> list[BaseLine]:
    """Every entry of the base file, in order; a word entered twice is an error."""
    lines: list[BaseLine] = []
    seen: dict[str, str] = {}
    emotion = ""
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        where = f"{path.name}:{number}"
        if section := re.match(r"\[(\w+)\]", text):
            emotion = checked_emotion(section[1], where)
        elif text.strip() and not text.startswith("#"):
            line = parse_line(text, emotion, where)
            if line.entry.word in seen:
                raise LexiconError(
                    f"{where}: {line.entry.word!r} is already entered at {seen[line.entry.word]}. Keep one."
                )
            seen[line.entry.word] = where
            lines.append(line)
    return lines


def build(lines: list[BaseLine]) -> list[Entry]:
    """Entries, then listed forms, then class forms; the first writer of a word wins. Sorted by word."""
    lexicon: dict[str, Entry] = {}
    for source in (lambda line: iter((line.entry,)), listed_forms, class_forms):
        for line in lines:
            for entry in source(line):
                lexicon.setdefault(entry.word, entry)
    return sorted(lexicon.values(), key=lambda entry: entry.word)


def write_csv(entries: list[Entry], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(entry.row() for entry in entries)


def main(arguments: list[str]) -> None:
    here = Path(__file__).parent
    base = Path(arguments[0]) if arguments else here / "affect_base.txt"
    target = (
        Path(arguments[1])
        if len(arguments) > 1
        else here.parent.parent / "src" / "empathic" / "metrics" / "lexicons" / "affect.csv"
    )
    lines = read_base(base)
    entries = build(lines)
    write_csv(entries, target)
    emotional = sum(entry.intensity > 0 for entry in entries)
    print(f"{len(lines)} entries -> {len(entries)} words, {emotional} with an emotion: {target}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except LexiconError as problem:
        sys.exit(str(problem))
