"""A configuration file (`empathic.yaml`) becomes defaults of the flags; what the command line says comes first."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from empathic.errors import InputError, UnknownName
from empathic.records import Record


class Config(Record, frozen=True):
    """Everything an evaluation can be told; each key is the flag of the same name."""

    system: list[str] = []
    responses: list[str] = []
    dialogues: str = "builtin"
    procedure: Literal["piecewise", "single-turn", "conversation"] = "piecewise"
    output: str | None = None
    limit: int | None = None
    per_emotion: int | None = None
    epochs: int = 1
    prompt: str | None = None
    corpus: str = "builtin"
    endpoints: str | None = None
    turns: int | None = None
    speaker: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    base_url: str | None = None
    max_connections: int = 16
    timeout: float = 120.0
    deadline: float = 600.0
    format: str | None = None
    metrics: list[str] = []
    set: list[str] = []
    tokens: Literal["ptb", "split"] = "ptb"
    workers: int = 1
    reference: str | None = None
    judge: list[str] = []
    instrument: str = "empathy-relevance-fluency"
    draws: int = 2000
    bootstrap_seed: int = 1
    load: list[str] = []


PATHS = ("output", "endpoints")


def schema() -> dict[str, Any]:
    """The JSON schema of the file, for editors."""
    return msgspec.json.schema(Config)


def read(path: Path) -> dict[str, Any]:
    """The keys a file sets, checked; an unknown key suggests the nearest."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("there is no such configuration file", path=path) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"is not valid YAML: {' '.join(str(error).split())}", path=path) from None
    if not isinstance(content, dict):
        raise InputError("must hold keys and values, like `system: [builtin/if-else]`", path=path)
    for key in content:
        if key not in Config.__struct_fields__:
            raise UnknownName(f"key of {path}", str(key), Config.__struct_fields__)
    try:
        msgspec.convert(content, Config)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        raise InputError(what, path=path, field=where.rstrip("`").lstrip(".") or None) from None
    return content


def parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """Defaults, then what the file sets, then what the command line says."""
    options = parser.parse_args(words)
    if options.config is None:
        return options
    blank = argparse.Namespace(**{name: _Unsaid() for name in vars(options)})
    asked = vars(parser.parse_args(words, namespace=blank)).items()
    said = {name: value for name, value in asked if value or not isinstance(value, _Unsaid)}
    return argparse.Namespace(**{**vars(options), **_as_flags(read(options.config)), **said})


class _Unsaid(list[object]):
    """Stands for a flag the command line does not have (a list, so that repeatable flags can be added to it)."""


def _as_flags(given: dict[str, Any]) -> dict[str, Any]:
    """The file's values as the flags would have them."""
    made = dict(given)
    for key in PATHS:
        if made.get(key) is not None:
            made[key] = Path(made[key])
    if "load" in made:
        made["load"] = [Path(each) for each in made["load"]]
    if "metrics" in made:
        made["metrics"] = ",".join(made["metrics"])
    return made
