"""How long `empathic --help` takes, as a ratio to `python -c pass`: the bar is 6."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 30


def seconds(command: list[str]) -> float:
    """The fastest of a few runs is the least disturbed one."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(sorted(times)[: RUNS // 2])


def main() -> None:
    nothing = seconds([sys.executable, "-c", "pass"])
    program = Path(sys.executable).with_name("empathic")
    print(f"python -c pass   {nothing * 1000:7.1f} ms")
    for words in (["--help"], ["list", "metrics"]):
        taken = seconds([str(program), *words])
        print(f"empathic {' '.join(words):<13}{taken * 1000:7.1f} ms  {taken / nothing:5.1f}×")


if __name__ == "__main__":
    main()
