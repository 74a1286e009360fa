"""A name such as `openai/gpt-4o+vanilla`, `builtin/eliza` or `python:my_bot:answer` becomes a system."""

from __future__ import annotations

import re
from typing import Any, cast

from empathic import registry
from empathic.contracts import System
from empathic.errors import UnknownName
from empathic.systems.function import FunctionSystem
from empathic.systems.options import Options
from empathic.systems.prompted import PromptedModel
from empathic.systems.prompts import find_prompt

__all__ = ["Options", "make"]
_DEFAULT_PROMPT = "plain"


def make(name: str, options: Options | None = None) -> System:
    """The system called `name`; a name that nothing answers to is refused with the nearest one that exists."""
    options = options or Options()
    family = re.split("[:/]", name, maxsplit=1)[0]
    names = {entry.name for entry in registry.entries("system")}
    if name in names or _unversioned(name) in names:
        return _built(name, registry.find("system", name).thing, options)
    if family in names:
        return _built(name, registry.find("system", family).thing, options)
    if family in options.providers:
        return _prompted(name, options)
    rest = name[len(family) :].lstrip("/:") or "MODEL"
    known = names | {f"{provider}/{rest}" for provider in options.providers}
    raise UnknownName("system", name, known, hint="`empathic list systems` shows all.")


def _unversioned(name: str) -> str:
    return re.sub(r"\.v\d+$", "", name)


def _built(name: str, thing: Any, options: Options) -> System:
    """A registered system is a class (with `build` if it wants its name and the options) or a function of messages."""
    if hasattr(thing, "build"):
        made: System = thing.build(name, options)
        return made
    if isinstance(thing, type):
        return cast(System, thing())
    return FunctionSystem(name, thing)


def _prompted(name: str, options: Options) -> System:
    model_name, plus, prompt_name = name.rpartition("+")
    if not plus:
        model_name, prompt_name = name, options.prompt or ""
    prompt = find_prompt(prompt_name or _DEFAULT_PROMPT)
    shown = f"{model_name}+{prompt.name}" if prompt_name else model_name
    return PromptedModel(shown, options.model(model_name), prompt, options.sampling)
