"""How fast words are cut, responses folded and metrics computed; ratios within one run. Needs the released data.

`python benchmarks/metrics.py` runs all; `python benchmarks/metrics.py words folding` only those parts.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from empathic.metrics.batch import Batch
from empathic.metrics.folding import fold
from empathic.metrics.measure import build, default_names
from empathic.metrics.scoring import Choice, Plan, measures, score_chunk
from empathic.metrics.text import words
from empathic.records import Response, Turn

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "lee2024"
SIZES = (5_000, 10_000, 50_000, 200_000)
REPEATS = 25  # of what takes milliseconds
Ngrams = Callable[[list[str], int], Iterable[tuple[str, ...]]]


def cpu(work: Callable[[], object], repeats: int = 1) -> float:
    """The least processor time of some runs."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def answers(system: str) -> list[dict]:
    return json.loads((DATA / f"{system}_responses.json").read_text())


def rows(system: str, count: int | None = None) -> list[list[str]]:
    return [words(answer["response"]) for answer in answers(system)[:count]]


def nltk_words() -> Callable[[str], list[str]]:
    """NLTK's word_tokenize with the trained English Punkt tables."""
    import punkt
    from nltk.tokenize.destructive import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    model, parameters = punkt.load_model("english"), PunktParameters()
    parameters.abbrev_types, parameters.sent_starters = set(model.abbrev_types), set(model.sent_starters)
    parameters.collocations = set(map(tuple, model.collocations))
    parameters.ortho_context.update(model.ortho_context)
    splitter, cutter = PunktSentenceTokenizer(), NLTKWordTokenizer()
    splitter._params = parameters
    return lambda text: [word for sentence in splitter.tokenize(text) for word in cutter.tokenize(sentence)]


def bench_words() -> None:
    """Agreement with NLTK over all shared responses and prompts, the differing ones, and the speed of both."""
    systems = [path.name.removesuffix("_responses.json") for path in sorted(DATA.glob("*_responses.json"))]
    given = [answer for system in systems for answer in answers(system)]
    responses = {answer["response"] for answer in given}
    texts = [text for answer in given for text in (answer["response"], answer["query"][-1])]
    oracle, ours = nltk_words(), {}
    fast = cpu(lambda: ours.update({text: words(text) for text in texts}))
    sample = texts[:: max(1, len(texts) // 6000)]
    slow = cpu(lambda: [oracle(text) for text in sample])
    unlike = [text for text in dict.fromkeys(texts) if ours[text] != oracle(text)] if "--all" in sys.argv else []
    ratio = (slow / len(sample)) / (fast / len(texts))
    print(f"words: {len(texts) / fast:,.0f} texts/s, NLTK {len(sample) / slow:,.0f} texts/s: {ratio:.0f} times faster")
    if "--all" in sys.argv:
        for kind, found in (("responses", texts[::2]), ("prompts", texts[1::2])):
            share = 1 - sum(map(set(unlike).__contains__, found)) / len(found)
            print(f"  identical to NLTK: {100 * share:.3f} % of {len(found):,} {kind}")
        for text in unlike:
            print(f"    {'response' if text in responses else 'prompt'} {text!r}")


def tee_ngrams(words: list[str], size: int) -> Iterator[tuple[str, ...]]:
    """How NLTK 3.7, which the paper used, makes n-grams: n iterators side by side, the k-th k words ahead."""
    sides = itertools.tee(words, size)
    for ahead, side in enumerate(sides):
        for _ in range(ahead):
            next(side, None)
    return zip(*sides, strict=False)


def sliced_ngrams(words: list[str], size: int) -> Iterator[tuple[str, ...]]:
    """The same n-grams without iterators: the kindest baseline, and nothing the paper did."""
    return zip(*(words[start:] for start in range(size)), strict=False)


def published_procedure(responses: list[list[str]], grams: Ngrams) -> int:
    """The procedure of the paper, written straight down; gives the number of folds.

    Per fold: count the n-grams of every response for every n up to the longest response, take the heaviest that
    repeats, replace it in the responses as strings, cut the strings into words again.
    """
    from nltk.tokenize import NLTKWordTokenizer

    cut, folds = NLTKWordTokenizer().tokenize, 0
    while True:
        counts: Counter[tuple[str, ...]] = Counter()
        for size in range(2, max(map(len, responses)) + 1):
            for response in responses:
                counts.update(grams(response, size))
        best = max(
            (gram for gram, count in counts.items() if count > 1), key=lambda g: len(g) * counts[g], default=None
        )
        if best is None:
            return folds
        folds += 1
        span, name = " ".join(best), f"span_{folds:016d}"
        texts = [" ".join(response).replace(span, name) for response in responses]
        responses = [cut(text) for text in texts]


def bench_folding() -> None:
    """Against the published procedure, on all human responses, and on long near-duplicates."""
    from nltk.util import ngrams

    makers: dict[str, Ngrams] = {"NLTK 3.7's": tee_ngrams, "NLTK 3.10's": ngrams, "sliced": sliced_ngrams}
    for system, count, bar in (("cem", 800, 300), ("human", 100, 1000)):
        responses = rows(system, count)
        spent = [cpu(lambda r=responses: fold(r)) for _ in range(REPEATS)]
        fast = statistics.median(spent)
        print(f"folding {count} {system}: {1000 * fast:.2f} ms (median of {REPEATS}, least {1000 * min(spent):.2f})")
        for name, grams in makers.items():
            slow = cpu(lambda r=responses, g=grams: published_procedure(r, g))
            print(
                f"  published procedure, {name} n-grams: {slow:.2f} s: {slow / fast:,.0f} times (≥ {bar})", flush=True
            )
    everyone = rows("human")
    print(f"folding {len(everyone):,} human: {cpu(lambda: fold(everyone), 3):.2f} s CPU (≤ 1)")
    near = near_duplicates(400, 200)
    print(f"folding 400 × 200 tokens, half of them near-duplicates: {cpu(lambda: fold(near)):.2f} s CPU (≤ 5)")


def near_duplicates(count: int, length: int) -> list[list[str]]:
    generator, vocabulary = random.Random(0), [word for row in rows("human") for word in row]
    base = [generator.choice(vocabulary) for _ in range(length)]
    found = []
    for number in range(count):
        row = list(base) if number % 2 else [generator.choice(vocabulary) for _ in range(length)]
        for _ in range(3):
            row[generator.randrange(length)] = generator.choice(vocabulary)
        found.append(row)
    return found


def distinct_responses(count: int) -> list[tuple[str, ...]]:
    """Different responses that sound like the released ones: a chain of word triples."""
    generator = random.Random(1)
    following: dict[tuple[str, str], list[str]] = {}
    for row in (row for system in ("human", "emocause", "moel") for row in rows(system)):
        for one, two, three in zip(["", "", *row], ["", *row], [*row, ""], strict=False):
            following.setdefault((one, two), []).append(three)
    found: dict[tuple[str, ...], None] = {}
    while len(found) < count:
        row, last = [], ("", "")
        while len(row) < 60 and (word := generator.choice(following[last])):
            row.append(word)
            last = (last[1], word)
        found[tuple(row)] = None
    return list(found)


def grow(count: int) -> None:
    responses = distinct_responses(count)
    seconds = cpu(lambda: fold(responses))
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def bench_growth() -> None:
    """CPU time and peak memory at growing numbers of different responses, each in a process of its own."""
    found = []
    for count in SIZES:
        command = [sys.executable, __file__, "grow", str(count)]
        found.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
        print(
            f"folding {count:>7,} different responses: {found[-1][0]:6.2f} s CPU, peak {found[-1][1]:5.0f} MB",
            flush=True,
        )
    exponent = math.log(found[-1][0] / found[0][0]) / math.log(SIZES[-1] / SIZES[0])
    print(f"exponent {exponent:.2f} (≤ 1.3), peak at 200,000 {found[-1][1]:.0f} MB (≤ 1000)")


def as_responses(system: str) -> list[Response]:
    return [
        Response(
            id=f"{system}-{place}",
            system=system,
            dialogue=str(place),
            turns=tuple(
                Turn(role=("listener", "speaker")[(len(a["query"]) - n) % 2], text=t) for n, t in enumerate(a["query"])
            ),
            text=a["response"],
        )
        for place, a in enumerate(answers(system))
    ]


def bench_metrics() -> None:
    """All per-response metrics that need nothing else, together, on one core; no text is scored that was seen before."""
    responses = [one for system in ("human", "cem", "moel", "care") for one in as_responses(system)][:20_480]
    others = as_responses("emocause")
    names = [name for name in default_names() if not build(name).corpus]
    plan = Plan(choices=tuple(Choice(asked=name) for name in names))
    columns = sum(len(measure.columns) for measure in measures(plan))
    chunks = [responses[start : start + 2048] for start in range(0, len(responses), 2048)]
    score_chunk(plan, others[:1024])  # loads lexicons and weights
    seconds = cpu(lambda: [score_chunk(plan, chunk) for chunk in chunks])
    print(f"{len(names)} metrics, {columns} columns: {len(responses) / seconds:,.0f} responses/s (≥ 20,000)")
    for name in names:
        metric, batch = build(name).metric, Batch(others[1024:5120])
        _ = batch.lower, batch.sentences, batch.prompt_lower  # what all metrics share is not counted here
        alone = cpu(lambda m=metric, b=batch: m.score(b))
        print(f"  {name:<16}{len(batch.responses) / alone:>12,.0f} responses/s by itself")


def bench_neural() -> None:
    """What asks a neural network, on one core: MiniLM's layers, perplexity under a small language model."""
    from empathic import models
    from empathic.errors import MissingPart

    def encoded(texts: list[Response]) -> object:
        return models.MiniLM().encode([one.text or "" for one in texts])

    def perplexity(texts: list[Response]) -> object:
        return build("perplexity", {"model": "smollm2"}).metric.score(Batch(texts))

    responses = as_responses("human")
    for name, work, count in (("minilm", encoded, 300), ("perplexity", perplexity, 20)):
        try:
            loading = cpu(lambda w=work: w(responses[:1]))
            seconds = cpu(lambda w=work, n=count: w(responses[1 : n + 1])) - loading
        except MissingPart as missing:
            print(f"{name}: not measured. {missing}")
        else:
            print(f"{name}: {count / seconds:,.0f} responses/s per core")


PARTS = {
    "words": bench_words,
    "folding": bench_folding,
    "growth": bench_growth,
    "metrics": bench_metrics,
    "neural": bench_neural,
}


def main() -> None:
    if "OMP_NUM_THREADS" not in os.environ:  # one core: threads that wait would count as processor time
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "OMP_NUM_THREADS": "1"})
    if sys.argv[1:2] == ["grow"]:
        grow(int(sys.argv[2]))
        return
    if not DATA.is_dir():
        print("The released data are not here (../shared/data/lee2024): nothing is measured.")
        return
    for name in [word for word in sys.argv[1:] if word in PARTS] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
