"""pairs.jsonl -> pass or fail: counts, ids, fields, label ranges, splits, duplicates and near duplicates.

Run: python check.py [path]. Exit status 1 when any rule is broken.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

FIELDS = ["id", "prompt", "response", "er", "ip", "ex", "reflection", "kind", "split"]
RANGES = {"er": {0, 1, 2}, "ip": {0, 1, 2}, "ex": {0, 1, 2}, "reflection": {0, 0.5, 1}, "split": {"train", "test"}}
MIN_ROWS, MIN_PER_LEVEL, MIN_PER_KIND = 1300, 120, 15
TEST_SHARE = (0.17, 0.23)
NEAR = 0.6  # Jaccard similarity of character 5-grams above which two texts count as near duplicates
SHORT = 25  # texts shorter than this many characters are only compared exactly


def normal(text):
    """Lower case, words only."""
    return " ".join(re.findall(r"\w+", text.lower()))


def shingles(text):
    """Character 5-grams of the normalised text."""
    text = normal(text)
    return {text[i : i + 5] for i in range(max(1, len(text) - 4))}


def near_pairs(texts):
    """Yield (i, j, similarity) of texts whose 5-grams overlap by NEAR or more."""
    grams = [shingles(t) for t in texts]
    where = {}
    for i, g in enumerate(grams):
        shared = Counter(j for gram in g for j in where.get(gram, ()))
        for j, common in shared.items():
            similarity = common / (len(g) + len(grams[j]) - common)
            if similarity >= NEAR:
                yield j, i, similarity
        for gram in g:
            where.setdefault(gram, []).append(i)


def shape_faults(rows):
    """Ids, fields, ranges and empty or untrimmed text."""
    for number, row in enumerate(rows, 1):
        if list(row) != FIELDS:
            yield f"row {number}: fields are {list(row)}, expected {FIELDS}"
            continue
        if row["id"] != f"m{number:04d}":
            yield f"row {number}: id is {row['id']}, expected m{number:04d}"
        for field, allowed in RANGES.items():
            if row[field] not in allowed or isinstance(row[field], bool):
                yield f"{row['id']}: {field} is {row[field]!r}, expected one of {sorted(allowed)}"
        for field in ("prompt", "response", "kind"):
            if not row[field] or row[field] != row[field].strip():
                yield f"{row['id']}: {field} is empty or has outer spaces"


def label_faults(rows):
    """Rules that tie the labels together."""
    for row in rows:
        if row["reflection"] == 1 and row["ip"] != 2:
            yield f"{row['id']}: complex reflection needs ip 2"
        if row["reflection"] == 0.5 and row["ip"] == 0:
            yield f"{row['id']}: simple reflection needs ip 1 or 2"


def count_faults(rows):
    """Size, level counts, kind counts and the share of the test split."""
    if len(rows) < MIN_ROWS:
        yield f"{len(rows)} rows, expected at least {MIN_ROWS}"
    for field in ("er", "ip", "ex", "reflection"):
        seen = Counter(row[field] for row in rows)
        for level in sorted(RANGES[field]):
            if seen[level] < MIN_PER_LEVEL:
                yield f"{field}={level}: {seen[level]} rows, expected at least {MIN_PER_LEVEL}"
    kinds = Counter(row["kind"] for row in rows)
    in_test = Counter(row["kind"] for row in rows if row["split"] == "test")
    for kind, n in kinds.items():
        if n < MIN_PER_KIND:
            yield f"kind {kind}: {n} rows, expected at least {MIN_PER_KIND}"
        if not 0 < in_test[kind] < n:
            yield f"kind {kind}: missing from one split"
    share = sum(in_test.values()) / len(rows)
    if not TEST_SHARE[0] <= share <= TEST_SHARE[1]:
        yield f"test share is {share:.3f}, expected {TEST_SHARE[0]} to {TEST_SHARE[1]}"


def split_faults(rows):
    """No prompt may sit in both splits."""
    splits = {}
    for row in rows:
        splits.setdefault(normal(row["prompt"]), set()).add(row["split"])
    for prompt, where in splits.items():
        if len(where) > 1:
            yield f"prompt in both splits: {prompt[:60]}"


def duplicate_faults(rows):
    """Repeated pairs, repeated long responses, near-duplicate responses and prompts."""
    pairs = Counter((normal(r["prompt"]), normal(r["response"])) for r in rows)
    yield from (f"pair repeated: {p[1][:60]}" for p, n in pairs.items() if n > 1)
    long_rows = [r for r in rows if len(r["response"]) >= SHORT]
    for i, j, s in near_pairs([r["response"] for r in long_rows]):
        one, other = long_rows[i], long_rows[j]
        yield f"responses {one['id']} and {other['id']} are alike ({s:.2f}): {other['response'][:60]}"
    exact = Counter(normal(r["response"]) for r in rows if len(r["response"]) < SHORT)
    yield from (f"short response used {n} times: {t}" for t, n in exact.items() if n > 4)
    prompts = list(dict.fromkeys(r["prompt"] for r in rows))
    for i, j, s in near_pairs(prompts):
        yield f"prompts alike ({s:.2f}): {prompts[i][:50]} / {prompts[j][:50]}"


def main(path):
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    checks = (shape_faults, label_faults, count_faults, split_faults, duplicate_faults)
    faults = [fault for check in checks for fault in check(rows)]
    for field in ("er", "ip", "ex", "reflection", "split"):
        print(field, dict(sorted(Counter(row[field] for row in rows).items())))
    prompts, kinds = len({r["prompt"] for r in rows}), len({r["kind"] for r in rows})
    print(f"{len(rows)} rows, {prompts} prompts, {kinds} kinds, {len(faults)} faults")
    for fault in faults:
        print("FAULT", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(
        main(
            sys.argv[1]
            if len(sys.argv) > 1
            else Path(__file__).parents[2] / "src/empathic/metrics/mechanisms/pairs.jsonl"
        )
    )
