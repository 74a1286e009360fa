"""Bias probes: `check` templates, `show` one, `run` them; `analyze` and `report` say what differs, `power` what could."""

from __future__ import annotations

import argparse
import importlib

from empathic.cli import output

# each module adds its actions: `add(actions)`, `parser.set_defaults(act=…)`
ACTIONS = ("probing_templates", "probing", "probing_groups")


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    for name in ACTIONS:
        importlib.import_module(f"empathic.cli.{name}").add(actions)


def run(options: argparse.Namespace) -> int | None:
    output.load_extensions(options)
    result: int | None = options.act(options)
    return result
