"""A GGUF file becomes a running llama.cpp server inside this process, which answers on a port of this computer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from empathic import parts
from empathic.errors import ServiceError


def start_server(path: Path, key: str, *, threads: int = 1, context: int = 4096) -> Any:
    """llama.cpp's own server with a model file, in threads of this process; `key` keeps others from the port."""
    library = parts.need("xllamacpp")
    parameters = library.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {"local"}
    parameters.n_parallel, parameters.n_ctx = 1, context
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.api_keys = [key]
    parameters.verbosity = -1
    try:
        return library.Server(parameters)
    except RuntimeError as error:
        raise ServiceError(f"{path}: llama.cpp cannot load it ({error}).") from error
