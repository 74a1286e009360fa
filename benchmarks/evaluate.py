"""Six systems × 5,255 responses to a report: seconds and processor seconds of each stage of `empathic evaluate`.

Takes the folder with `*_responses.json` of Lee et al. (2024); without it, the built-in reference answers many times over.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from empathic import datasets
from empathic.records import Dialogue

RELEASED = Path(__file__).parent.parent.parent / "shared" / "data" / "lee2024"
SYSTEMS = ("human", "trs", "cem", "moel", "care", "emocause")
RESPONSES, BAR = 5255, 60


def sources(folder: Path) -> list[Path]:
    """The released files, or as many responses made of the built-in scenarios."""
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else RELEASED
    found = [given / f"{name}_responses.json" for name in SYSTEMS]
    if all(path.exists() for path in found):
        return found
    said = [turn.text for one in datasets.read("builtin") if isinstance(one, Dialogue) for turn in one.turns]
    made = [folder / path.name for path in found]
    for shift, path in enumerate(made, 1):
        rows = [
            {"query": [f"{said[n % len(said)]} {n}"], "response": said[(n * shift + 1) % len(said)]}
            for n in range(RESPONSES)
        ]
        path.write_text(json.dumps(rows))
    return made


def used() -> float:
    """Processor seconds of all children that have ended."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = ["--responses", *map(str, sources(folder)), "-o", str(folder / "run"), "--workers", "2"]
        command = [sys.executable, "-m", "empathic", "evaluate", *words]
        before, moments = used(), [("start", time.monotonic())]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in process.stderr or ():
            moments.append((line.strip(), time.monotonic()))
        if process.wait():
            raise SystemExit(f"it failed: {moments[-1][0]}")
        moments.append(("end", time.monotonic()))
        print(f"{'stage':<12}{'seconds':>9}")
        for (stage, begin), (_, end) in zip(moments, moments[1:], strict=False):
            print(f"{stage:<12}{end - begin:>9.1f}")
        total, work = moments[-1][1] - moments[0][1], used() - before
        print(f"{'all':<12}{total:>9.1f}   bar {BAR}\nprocessor   {work:>9.1f}   on 2 cores at least {work / 2:.1f}")
        print(f"report      {(folder / 'run' / 'report.html').stat().st_size / 1e6:>9.2f} MB, bar 5")


if __name__ == "__main__":
    main()
