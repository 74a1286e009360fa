"""A name becomes a system that takes the listener's turn: prompted model, endpoint, function, replay, baseline."""

from __future__ import annotations

from empathic.systems.baselines import Echo, HumanReference, IfElse
from empathic.systems.eliza import Eliza
from empathic.systems.factory import Options, make
from empathic.systems.function import FunctionSystem
from empathic.systems.http_endpoint import HttpSystem
from empathic.systems.prompted import PromptedModel
from empathic.systems.prompts import Prompt, find_prompt
from empathic.systems.replay import Replay
from empathic.systems.retrieval import Retrieval

__all__ = [
    "Echo",
    "Eliza",
    "FunctionSystem",
    "HttpSystem",
    "HumanReference",
    "IfElse",
    "Options",
    "Prompt",
    "PromptedModel",
    "Replay",
    "Retrieval",
    "find_prompt",
    "make",
]
