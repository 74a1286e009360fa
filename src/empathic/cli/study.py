"""Run a study with people: `new` writes an example, `check` looks it over, `serve` runs it, `export` takes data out."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from empathic import parts
from empathic.cli import output, rooms, surroundings

MODES = ("live", "preview", "simulated")
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
    for action in (new, check, serve, status, export, invite, states, person):
        action.add_argument("folder", type=Path, metavar="DIR")
        output.add_common(action)
    for action in (serve, status, export):
        action.add_argument("--mode", choices=MODES, default="live", help="preview and simulated people count apart")
    for action in (serve, status, export, invite, states, person):
        action.add_argument("--database", metavar="URL", help="default: the file DIR/study.db; or postgresql://…")


def run(options: argparse.Namespace) -> int | None:
    for module in NEEDED:
        parts.need(module)
    rooms.load()
    output.load_extensions(options)
    studying = importlib.import_module("empathic.cli.studying")
    result: int | None = studying.ACTIONS[options.action](options)
    return result


def _add_serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="default 127.0.0.1: only this computer")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--https", action="store_true", help="it is reached over HTTPS: cookies go over nothing else")
    parser.add_argument("--prompt", metavar="NAME", help="for bots that are models named without +PROMPT")
    parser.add_argument("--corpus", default="builtin", metavar="SOURCE", help="what builtin/retrieval searches")
    parser.add_argument("--endpoints", type=Path, metavar="FILE.toml", help="describes http/NAME bots")
    surroundings.add_sampling_arguments(parser)
    surroundings.add_model_arguments(parser)
