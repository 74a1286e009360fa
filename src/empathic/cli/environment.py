"""The environment and a file `.env` become one mapping of settings; what the environment says wins."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from empathic.errors import InputError

_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$")


def environment(folder: Path | None = None) -> Mapping[str, str]:
    """Variables of the process, completed by those of `.env` in the working folder."""
    path = (folder or Path.cwd()) / ".env"
    return {**(read_env(path) if path.is_file() else {}), **os.environ}


def read_env(path: Path) -> dict[str, str]:
    """`NAME=VALUE` lines; `#` begins a comment line; quotes around a value are taken off. Values are never shown."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise InputError("is no NAME=VALUE line", path=path, line=number)
        found[match[1]] = _unquoted(match[2])
    return found


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value.partition(" #")[0].rstrip()
