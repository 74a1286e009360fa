"""Bias probes: `check` templates, `show` a rendering of one, `run` them against systems."""

from __future__ import annotations

import argparse
import importlib

from empathic.cli import output

ACTIONS = ("probing_templates", "probing")  # each module adds its actions: `add(actions)`, `parser.set_defaults(act=…)`


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    for name in ACTIONS:
        importlib.import_module(f"empathic.cli.{name}").add(actions)


def run(options: argparse.Namespace) -> int | None:
    output.load_extensions(options)
    result: int | None = options.act(options)
    return result
