"""Say what is installed, which optional parts work, and what to type to get the others."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import shutil

from empathic import parts, registry
from empathic.cli import output, rooms
from empathic.cli.list import PLURALS

PROGRAMS = {
    "chromium": ("apt-get install chromium", "browser tests and screenshots"),
    "Rscript": ("apt-get install r-cran-lme4 r-cran-ordinal", "an oracle for the tests of the statistics"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    report = examine()
    if options.json:
        output.print_json(report)
        return
    output.say(f"empathic {report['empathic']} on Python {report['python']}")
    counts = [(plural, len(list(registry.entries(kind)))) for kind, plural in PLURALS.items()]
    output.say("\n" + output.table(("registered", "how many"), counts))
    output.say("\n" + output.table(("part", "works", "version, or what to type", "for"), map(_cells, _rows())))


def _cells(row: dict[str, object]) -> tuple[object, ...]:
    return row["part"], "yes" if row["works"] else "no", row["version"] or row["get"], row["purpose"]


def examine() -> dict[str, object]:
    """The state of the installation as one document."""
    return {"empathic": registry.package_version(), "python": platform.python_version(), "parts": _rows()}


def _rows() -> list[dict[str, object]]:
    return [*map(_part, parts.PARTS), *(_program(name, *rest) for name, rest in PROGRAMS.items())]


def _part(part: parts.Part) -> dict[str, object]:
    works = parts.present(part.module)
    version = _version(part.module) if works else None
    get = None if works else parts.how_to_install(part.module)
    return {"part": part.module, "works": works, "version": version, "get": get, "purpose": part.purpose}


def _program(name: str, command: str, purpose: str) -> dict[str, object]:
    works = shutil.which(name) is not None
    get = None if works else command
    return {"part": name, "works": works, "version": "found" if works else None, "get": get, "purpose": purpose}


def _version(module: str) -> str:
    for name in importlib.metadata.packages_distributions().get(module, []):
        return importlib.metadata.version(name)
    return "found"
