"""prompts.toml becomes registered prompts: named, versioned instructions with the sampling they were used with."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import msgspec

from empathic import files, registry
from empathic.contracts import Sampling
from empathic.errors import InputError
from empathic.records import Record
from empathic.registry import Entry


class Prompt(Record, frozen=True):
    """An instruction for a model; without a text the model is given the dialogue alone."""

    name: str
    summary: str
    version: int = 1
    text: str | None = None
    citation: str = ""
    sampling: Sampling = Sampling()


def find_prompt(name: str) -> Prompt:
    """The prompt called `name`, or the one in a text file if `name` is `file:PATH`."""
    if name.startswith("file:"):
        return _from_file(Path(name.removeprefix("file:")))
    prompt: Prompt = registry.find("prompt", name).thing
    return prompt


def _from_file(path: Path) -> Prompt:
    try:
        with files.open_binary(path) as stream:
            text = stream.read().decode("utf-8").strip()
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    if not text:
        raise InputError("is empty; a prompt is needed", path=path)
    return Prompt(name=path.stem, summary=f"the text of {path.name}", text=text)


def _register_all() -> None:
    data = importlib.resources.files("empathic.systems").joinpath("prompts.toml").read_bytes()
    for prompt in msgspec.toml.decode(data, type=dict[str, list[Prompt]])["prompt"]:
        registry.add(Entry("prompt", prompt.name, prompt.version, prompt.summary, prompt))


_register_all()
