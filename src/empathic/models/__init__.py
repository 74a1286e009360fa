"""A name becomes a model that turns messages into text: an OpenAI-compatible server, a local file, a script."""

from __future__ import annotations

from empathic.models.factory import ModelOptions, make, providers
from empathic.models.llama_cpp import LlamaCpp
from empathic.models.minilm import MiniLM
from empathic.models.openai_compatible import OpenAICompatible
from empathic.models.scripted import Scripted
from empathic.models.transformers_local import TransformersModel
from empathic.models.weights import Weights, add, catalogue, installed

__all__ = [
    "LlamaCpp",
    "MiniLM",
    "ModelOptions",
    "OpenAICompatible",
    "Scripted",
    "TransformersModel",
    "Weights",
    "add",
    "catalogue",
    "installed",
    "make",
    "providers",
]
