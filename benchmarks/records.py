"""How many responses a second are decoded from JSON lines on one core, and how that compares with `json.loads`."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from empathic import datasets, files
from empathic.records import Response, Turn

COUNT = 200_000
CONTEXT = (
    Turn(role="speaker", text="My sister used my goalkeeper gloves to dry the pans again, and I had a match today."),
    Turn(role="listener", text="Onion gloves in front of the whole team, no! What did she say?"),
    Turn(role="speaker", text="She laughed, and my mum thinks that it is cute, so I am the bad guy for complaining."),
)
ANSWER = "Being told it's cute when it's your stuff gets old fast. Wanting one thing that nobody touches is fair."


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "responses.jsonl"
        files.write_lines(path, map(response, range(COUNT)))
        print(f"{COUNT:,} responses, {path.stat().st_size / COUNT:,.0f} bytes each, one core; best of three\n")
        base = rate(lambda: map(json.loads, path.open("rb")))
        rows = [("json.loads, plain dictionaries", base)]
        rows.append(("files.read_lines, checked records", rate(lambda: files.read_lines(path, Response))))
        rows.append(("datasets.read, also recognised, ids compared", rate(lambda: datasets.read(path))))
        print(f"{'':<46}{'responses/s':>12}{'ratio':>8}")
        for name, value in rows:
            print(f"{name:<46}{value:>12,.0f}{value / base:>8.2f}")
    if rows[1][1] < 100_000:
        raise SystemExit("slower than 100,000 responses a second")


def response(number: int) -> Response:
    return Response(id=f"r{number}", system="a/b", dialogue=f"d{number}", turns=CONTEXT, text=ANSWER, emotion="annoyed")


def rate(read: Callable[[], Iterable[object]]) -> float:
    """Records a second, the best of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        count = sum(1 for _ in read())
        times.append(time.perf_counter() - start)
        if count != COUNT:
            raise SystemExit(f"read {count:,} of {COUNT:,}")
    return COUNT / min(times)


if __name__ == "__main__":
    main()
