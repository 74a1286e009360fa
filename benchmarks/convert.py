"""How much memory `empathic convert` takes for 10,000, 100,000 and 1,000,000 responses: it should not grow."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from empathic.datasets.recognition import find
from empathic.records import Response, Turn

COUNTS = (10_000, 100_000, 1_000_000)
CASES = (("records", "responses.jsonl", "chat", "out.jsonl"), ("lee", "a_responses.json", "records", "out.jsonl"))
TURNS = (Turn(role="speaker", text="My cat died on Friday, and I keep stepping over the place where he used to lie."),)
RUN = """
import resource, sys
from empathic.cli import main
code = main(sys.argv[1:])
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
raise SystemExit(code)
"""


def main() -> None:
    print(f"{'from → to':<20}{'responses':>12}{'file MB':>10}{'peak RSS MB':>13}{'responses/s':>13}")
    for source, name, target, out in CASES:
        peaks = [measure(source, name, target, out, count) for count in COUNTS]
        print(f"{'':<20}peak at 1,000,000 / peak at 100,000 = {peaks[2] / peaks[1]:.2f}\n")


def measure(source: str, name: str, target: str, out: str, count: int) -> float:
    """Convert a file of so many responses in a process of its own; its peak of resident memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write = find(source).write
        if write is None:
            raise SystemExit(f"{source} cannot be written")
        write(path, map(response, range(count)))
        words = ["convert", str(path), "-o", str(Path(folder) / out), "--to", target, "--json"]
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", RUN, *words], capture_output=True, text=True, check=True)
        seconds, peak = time.perf_counter() - start, int(done.stderr) / 1024
        size = path.stat().st_size / 1e6
    print(f"{source + ' → ' + target:<20}{count:>12,}{size:>10,.1f}{peak:>13,.1f}{count / seconds:>13,.0f}", flush=True)
    return peak


def response(number: int) -> Response:
    return Response(id=f"r{number}", system="a", dialogue=f"d{number}", turns=TURNS, text=f"I am sorry. {number}")


if __name__ == "__main__":
    main()
