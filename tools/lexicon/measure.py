"""affect.csv and two other lexicons -> how far our values agree with theirs (printed; nothing is changed).

    python tools/lexicon/measure.py NRC_INTENSITY_TXT [--vader VADER_LEXICON_TXT] [--responses RESPONSES_JSON ...]

NRC-EIL: tab-separated `word emotion intensity`; a word with several emotions counts with its largest intensity.
With --responses (lists of {query: [...], response}), the metric itself is compared under both lexicons:
largest intensity of the last prompt utterance minus largest intensity of the response, unknown word = 0
(Lee et al. 2023).
VADER: tab-separated `token mean-valence ...`; without --vader the file inside the package vaderSentiment is read.
Both are read only here, after our values were written. Correlations are Pearson's r and Spearman's rho.
"""

import argparse
import csv
import json
import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

HERE = Path(__file__).parent
OURS = HERE.parent.parent / "src" / "empathic" / "metrics" / "lexicons" / "affect.csv"
BASE = HERE / "affect_base.txt"

Rows: TypeAlias = dict[str, dict[str, str]]


def read_ours(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["word"]: row for row in csv.DictReader(file)}


def judged_words(path: Path) -> set[str]:
    """The words judged one by one: the first field of every entry line of the base file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line[:1].isalpha()}


def read_nrc(path: Path) -> dict[str, dict[str, float]]:
    """word -> {emotion: intensity}."""
    words: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) == 3 and is_number(fields[2]):
            words.setdefault(fields[0], {})[fields[1]] = float(fields[2])
    return words


def read_vader(path: Path) -> dict[str, float]:
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {row[0].lower(): float(row[1]) for row in rows if len(row) > 1}


def is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    """r = sum (x - mean x)(y - mean y) / sqrt(sum (x - mean x)^2 * sum (y - mean y)^2)."""
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return covariance / math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, ties sharing their mean rank."""
    positions: dict[float, list[int]] = {}
    for position, value in enumerate(sorted(values), start=1):
        positions.setdefault(value, []).append(position)
    return [sum(positions[value]) / len(positions[value]) for value in values]


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Pearson's r of the ranks."""
    return pearson(ranks(xs), ranks(ys))


def interval(r: float, n: int) -> tuple[float, float]:
    """95 % interval of Pearson's r: tanh(atanh r +- 1.96 / sqrt(n - 3))."""
    half = 1.96 / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def report(label: str, pairs: Sequence[tuple[float, float]]) -> str:
    xs, ys = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    r = pearson(xs, ys)
    low, high = interval(r, len(pairs))
    return f"{label:<58} n={len(pairs):5d}  r={r:.3f} [{low:.3f}, {high:.3f}]  rho={spearman(xs, ys):.3f}"


def intensity_lines(ours: Rows, nrc: dict[str, dict[str, float]], judged: set[str]) -> list[str]:
    """Our intensity beside NRC-EIL's: largest value, same-emotion value, and each of our emotions."""
    shared = [word for word in ours if word in nrc]
    emotional = [word for word in shared if float(ours[word]["intensity"]) > 0]
    same = [word for word in emotional if ours[word]["emotion"] in nrc[word]]
    largest = {word: (float(ours[word]["intensity"]), max(nrc[word].values())) for word in shared}
    matched = {word: (float(ours[word]["intensity"]), nrc[word][ours[word]["emotion"]]) for word in same}
    lines = [
        report("intensity, NRC-EIL maximum: all shared words", list(largest.values())),
        report("intensity, NRC-EIL maximum: above 0 in both", [largest[word] for word in emotional]),
        report("  the same, judged words only", [largest[word] for word in emotional if word in judged]),
        report("intensity, NRC-EIL value of our emotion", list(matched.values())),
    ]
    for emotion in sorted({ours[word]["emotion"] for word in same}):
        chosen = [pair for word, pair in matched.items() if ours[word]["emotion"] == emotion]
        lines.append(report(f"  {emotion}", chosen))
    return lines


def label_lines(ours: Rows, nrc: dict[str, dict[str, float]]) -> list[str]:
    """How often our emotion is NRC-EIL's strongest, and how often it is among its emotions at all."""
    shared = [word for word in ours if word in nrc and ours[word]["emotion"]]
    top = sum(nrc[word].get(ours[word]["emotion"], -1) == max(nrc[word].values()) for word in shared)
    among = sum(ours[word]["emotion"] in nrc[word] for word in shared)
    n = len(shared)
    return [f"emotion label, n={n}: NRC-EIL's strongest {top / n:.3f}, among its emotions {among / n:.3f}"]


def valence_lines(ours: Rows, vader: dict[str, float], judged: set[str]) -> list[str]:
    shared = [word for word in ours if word in vader]
    pairs = {word: (float(ours[word]["valence"]), vader[word]) for word in shared}
    sign = sum((our_value > 0.5) == (their_value > 0) for our_value, their_value in pairs.values()) / len(pairs)
    return [
        report("valence, VADER: all shared words", list(pairs.values())),
        report("  the same, judged words only", [pair for word, pair in pairs.items() if word in judged]),
        f"valence sign (ours against .50) agrees on {sign:.3f}",
    ]


def largest_intensity(text: str, intensities: dict[str, float]) -> float:
    """The largest intensity of the words of a tokenised text; 0 when it has no known word."""
    return max((intensities.get(word, 0.0) for word in text.lower().split()), default=0.0)


def differences(path: Path, intensities: dict[str, float]) -> list[float]:
    """Intensity of the last prompt utterance minus that of the response, for each pair of one system's file."""
    return [
        largest_intensity(pair["query"][-1], intensities) - largest_intensity(pair["response"], intensities)
        for pair in json.loads(path.read_text(encoding="utf-8"))
    ]


def response_lines(paths: Sequence[Path], ours: Rows, nrc: dict[str, dict[str, float]]) -> list[str]:
    """The word-choice metric of each system under both lexicons, and how the systems' means agree."""
    our_intensities = {word: float(row["intensity"]) for word, row in ours.items()}
    their_intensities = {word: max(values.values()) for word, values in nrc.items()}
    lines: list[str] = []
    means: list[tuple[float, float]] = []
    for path in paths:
        mine, theirs = differences(path, our_intensities), differences(path, their_intensities)
        means.append((sum(mine) / len(mine), sum(theirs) / len(theirs)))
        r = pearson(mine, theirs)
        lines.append(f"{path.stem:<24} n={len(mine)}  ours {means[-1][0]:+.4f}  NRC-EIL {means[-1][1]:+.4f}  r={r:.3f}")
    return [*lines, *agreement_of_means(means)]


def agreement_of_means(means: Sequence[tuple[float, float]]) -> list[str]:
    """One line from three systems on; fewer means have no meaningful correlation."""
    if len(means) < 3:
        return []
    xs, ys = [mean[0] for mean in means], [mean[1] for mean in means]
    return [f"means of {len(means)} systems: r={pearson(xs, ys):.3f}  rho={spearman(xs, ys):.3f}"]


def vader_path() -> Path:
    """The lexicon file inside the installed package vaderSentiment."""
    spec = find_spec("vaderSentiment")
    if spec is None or spec.origin is None:
        raise SystemExit("vaderSentiment is not installed. Type: pip install vaderSentiment, or pass --vader FILE.")
    return Path(spec.origin).with_name("vader_lexicon.txt")


def main() -> None:
    parser = argparse.ArgumentParser(description="Agreement of the affect lexicon with NRC-EIL and VADER.")
    parser.add_argument("nrc", type=Path)
    parser.add_argument("--vader", type=Path, default=None)
    parser.add_argument("--responses", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    ours, judged, nrc = read_ours(OURS), judged_words(BASE), read_nrc(arguments.nrc)
    vader = read_vader(arguments.vader or vader_path())
    print(
        "\n".join([*intensity_lines(ours, nrc, judged), *label_lines(ours, nrc), *valence_lines(ours, vader, judged)])
    )
    print("\n".join(response_lines(arguments.responses, ours, nrc)))


if __name__ == "__main__":
    main()
