"""What a killed server and a bad network cost: simulated people take a study, and every acknowledged answer is looked for.

    python benchmarks/faults.py                                 # the full run: 100 kills, both databases
    python benchmarks/faults.py --design ieval --n 20 --kills 10 --database sqlite

The server is killed with SIGKILL at random moments and started again; a share of all requests is lost before the server,
lost on the way back, or sent twice at once. PostgreSQL is a server of its own, started for the run (Debian's package).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

WRONG = ("lost", "duplicated", "over_assigned", "broken_chains", "broken_chats", "wrong_codes", "server_errors")
COLUMNS = ("design", "database", "people", "kills", "requests", "faults", "acknowledged", *WRONG, "seconds")
EMPATHIC = [sys.executable, "-m", "empathic", "study"]


def example(design: str, folder: Path, raters: int) -> Path:
    """The example study of a design, with room for everybody."""
    subprocess.run([*EMPATHIC, "new", "--design", design, str(folder), "--json"], check=True, capture_output=True)
    path = folder / "study.yaml"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(f"raters: {raters}" if line.startswith("raters:") else line for line in lines) + "\n")
    return folder


def as_postgres(*command: str) -> None:
    """Debian's server refuses to run as root."""
    user = {"user": "postgres"} if os.getuid() == 0 else {}
    subprocess.run(command, check=True, capture_output=True, cwd="/", **user)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The address of a database on a PostgreSQL server that lives as long as the block."""
    initdb = shutil.which("initdb") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), None)
    if initdb is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql, or --database sqlite.")
    folder = Path(tempfile.mkdtemp(prefix="empathic-pg-"))
    if os.getuid() == 0:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    pg_ctl, data = str(Path(initdb).resolve().with_name("pg_ctl")), str(folder / "data")
    as_postgres(initdb, "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8")
    options = f"-k {folder} -c listen_addresses=''"
    as_postgres(pg_ctl, "-D", data, "-o", options, "-w", "-l", str(folder / "log"), "start")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        as_postgres(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """A fresh database."""
    if kind == "postgresql":
        with postgres() as address:
            yield address
    else:
        yield f"sqlite:///{folder / 'faults.db'}"


def simulate(folder: Path, address: str, options: argparse.Namespace) -> tuple[dict[str, object], float]:
    """One run of the command that anybody can type."""
    words = {"n": options.n, "at-once": options.at_once, "kills": options.kills, "network-faults": options.faults}
    words |= {"dropout": options.dropout, "seed": options.seed, "database": address}
    flags = [word for name, value in words.items() for word in (f"--{name}", str(value))]
    begin = time.monotonic()
    done = subprocess.run([*EMPATHIC, "simulate", str(folder), *flags, "--json"], stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        raise SystemExit(f"the simulation ended with code {done.returncode} and no result")
    return json.loads(done.stdout), time.monotonic() - begin


def run(design: str, kind: str, options: argparse.Namespace) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as made:
        folder = example(design, Path(made) / design, options.raters)
        with database(kind, Path(made)) as address:
            found, seconds = simulate(folder, address, options)
    row = {**found, "design": design, "database": kind, "people": found["participants"], "seconds": round(seconds)}
    return {name: row[name] for name in COLUMNS}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--design", action="append", choices=("between", "ieval", "observer"))
    parser.add_argument("--database", action="append", choices=("sqlite", "postgresql"))
    parser.add_argument("--n", type=int, default=110, help="people (default 110: enough to be there for every kill)")
    parser.add_argument("--at-once", type=int, default=50, help="at the same time (default 50)")
    parser.add_argument("--kills", type=int, default=100, help="of the server (default 100)")
    parser.add_argument("--faults", type=float, default=0.2, help="share of requests lost or doubled (default 0.2)")
    parser.add_argument("--dropout", type=float, default=0.1, help="share of people who leave (default 0.1)")
    parser.add_argument("--raters", type=int, default=8, help="people per batch (default 8)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(" | ".join(COLUMNS))
    wrong = 0
    for design in options.design or ["between"]:
        for kind in options.database or ["sqlite", "postgresql"]:
            found = run(design, kind, options)
            print(" | ".join(str(found[name]) for name in COLUMNS), flush=True)
            wrong += sum(int(str(found[name])) for name in WRONG) + (found["kills"] != options.kills)
    print(f"load now: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", file=sys.stderr)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
