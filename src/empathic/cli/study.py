"""Run a study with people: `new` writes an example, `check` and `simulate` try it out, `serve` runs it, `export` takes
data out, `analyze` says what they mean."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from empathic import instruments, parts
from empathic.cli import output, surroundings

MODES = ("live", "preview", "simulated")
DEMO_FOLDER = Path("runs/demo-study")
HOMES = {"simulate": "simulating", "analyze": "simulating", "demo": "rehearsing"}  # all others: studying
NEEDED = ("sqlalchemy", "alembic", "fastapi", "uvicorn", "jinja2")


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    new = actions.add_parser("new", help="write a working example into a new folder")
    new.add_argument("--design", choices=("between", "ieval", "observer"), required=True)
    new.add_argument("--dialogues", default="builtin", metavar="SOURCE", help="what it is about (default builtin)")
    check = actions.add_parser("check", help="places, balance, time, cost, reading level, missing texts")
    serve = actions.add_parser("serve", help="run the study for participants")
    _add_serving(serve)
    status = actions.add_parser("status", help="how far the study is, cell by cell")
    export = actions.add_parser("export", help="raters, ratings, chats and the codebook as files")
    export.add_argument("-o", "--output", type=Path, metavar="OUT", help="default: DIR/export")
    export.add_argument("--everyone", action="store_true", help="also who did not complete (unanswered is missing)")
    invite = actions.add_parser("invite", help="personal links for people you invite yourself")
    invite.add_argument("--name", action="append", required=True, help="what you call a person (repeatable)")
    invite.add_argument("--address", default="http://127.0.0.1:8000", help="where the study is served")
    states = actions.add_parser("states", help="read what the platform says of its submissions (CSV); frees places")
    states.add_argument("--csv", type=Path, required=True, metavar="FILE", help="the export of the platform")
    person = actions.add_parser("person", help="all that is kept about one person, or its erasure")
    person.add_argument("--id", required=True, help="the platform's id, the invitation's name, or the rater's name")
    person.add_argument("--erase", action="store_true", help="delete everything about the person")
    desk = actions.add_parser("desk", help="set the password of the researcher's desk, which `serve` has at /desk")
    desk.add_argument("--name", default="researcher", help="whose account (default researcher)")
    desk.add_argument("--remove", action="store_true", help="take the account away")
    simulate = actions.add_parser("simulate", help="simulated people take it over HTTP: balance, effect, power, losses")
    _add_simulation(simulate)
    demo = actions.add_parser("demo", help="rehearse the example of an iEval study with a few simulated people")
    demo.add_argument("folder", nargs="?", type=Path, default=DEMO_FOLDER, metavar="DIR", help=f"default {DEMO_FOLDER}")
    output.add_common(demo)
    analyze = actions.add_parser("analyze", help="the design's analysis straight from the database")
    analyze.add_argument("--instrument", metavar="NAME", help="default: the one that compares the systems")
    analyze.add_argument("--seed", type=int, default=1, help="of bootstrap and permutation (default 1)")
    analyze.add_argument("-o", "--output", type=Path, metavar="FILE.json", help="also write the estimates here")
    for action in (new, check, serve, desk, status, export, invite, states, person, simulate, analyze):
        action.add_argument("folder", type=Path, metavar="DIR")
        output.add_common(action)
    for action in (serve, status, export, analyze):
        action.add_argument("--mode", choices=MODES, default="live", help="preview and simulated people count apart")
    for action in (serve, desk, status, export, invite, states, person, simulate, analyze):
        action.add_argument("--database", metavar="URL", help="default: the file DIR/study.db; or postgresql://…")


def run(options: argparse.Namespace) -> int | None:
    for module in NEEDED:
        parts.need(module)
    instruments.load_added()  # not every room: a server that was stopped has to be back soon
    output.load_extensions(options)
    home = HOMES.get(options.action, "studying")
    result: int | None = importlib.import_module(f"empathic.cli.{home}").ACTIONS[options.action](options)
    return result


def _add_serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="default 127.0.0.1: only this computer")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--https", action="store_true", help="it is reached over HTTPS: cookies go over nothing else")
    surroundings.add_sampling_arguments(parser)
    _add_bots(parser)


def _add_bots(parser: argparse.ArgumentParser) -> None:
    told = "another system speaks for a bot of the study (repeatable)"
    parser.add_argument("--bot", action="append", default=[], metavar="NAME=SYSTEM", help=told)
    parser.add_argument("--prompt", metavar="NAME", help="for bots that are models named without +PROMPT")
    parser.add_argument("--corpus", default="builtin", metavar="SOURCE", help="what builtin/retrieval searches")
    parser.add_argument("--endpoints", type=Path, metavar="FILE.toml", help="describes http/NAME bots")
    surroundings.add_model_arguments(parser)


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=200, help="how many people come (default 200)")
    for name, share, text in (
        ("dropout", 0.2, "leave in the middle"),
        ("refresh", 0.3, "of pages are loaded again"),
        ("two-tabs", 0.1, "of pages are sent from two browsers at once"),
        ("network-faults", 0.0, "of requests are lost or doubled on the way"),
    ):
        parser.add_argument(f"--{name}", type=float, default=share, metavar="SHARE", help=f"{text} (default {share:g})")
    told = "advantage of a system, or of the first, in standard deviations of a latent rating (repeatable)"
    parser.add_argument("--effect", action="append", default=[], metavar="[SYSTEM=]D", help=told)
    parser.add_argument("--kills", type=int, default=0, help="how often the server is killed meanwhile (default 0)")
    parser.add_argument("--at-once", type=int, default=20, help="how many are at it at the same time (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="of everything the people do (default 1)")
    surroundings.add_sampling_arguments(parser, seed=False)
    _add_bots(parser)
