"""Optional parts of the installation: the module, or an error that says what to type to get it."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType
from typing import NamedTuple

from empathic.errors import MissingPart


class Part(NamedTuple):
    """One optional dependency: the module, the extra that brings it, and what it is for."""

    module: str
    extra: str
    purpose: str


PARTS: tuple[Part, ...] = (
    Part("sacrebleu", "overlap", "BLEU"),
    Part("snowballstemmer", "overlap", "METEOR"),
    Part("distributed", "dask", "scoring on a Dask cluster (--engine dask)"),
    Part("inspect_ai", "inspect", "scoring and replaying inside inspect_ai"),
    Part("xllamacpp", "local", "local models in GGUF files (llama-cpp/…)"),
    Part("transformers", "transformers", "local models in Hugging Face folders (transformers/…)"),
    Part("torch", "transformers", "local models in Hugging Face folders (transformers/…)"),
    Part("onnxruntime", "minilm", "MiniLM's view of texts (--encoder minilm)"),
    Part("tokenizers", "minilm", "MiniLM's view of texts (--encoder minilm)"),
    Part("sqlalchemy", "study", "human studies: the database"),
    Part("alembic", "study", "human studies: changes of the database schema"),
    Part("fastapi", "study", "human studies: the web server"),
    Part("uvicorn", "study", "human studies: the web server"),
    Part("jinja2", "study", "human studies: the pages"),
    Part("psycopg", "postgres", "human studies on PostgreSQL"),
    Part("vl_convert", "report", "figures as PDF and PNG (empathic report --figures)"),
    Part("playwright", "browser", "tests of the pages in a browser"),
)


def need(module: str) -> ModuleType:
    """Import an optional module; absent, say how to install it."""
    if importlib.util.find_spec(module.split(".")[0]) is None:
        raise MissingPart(f"This needs the Python package '{module}'. Type: {how_to_install(module)}")
    return importlib.import_module(module)


def present(module: str) -> bool:
    """Whether an optional module can be imported (it is not imported)."""
    return importlib.util.find_spec(module) is not None


def how_to_install(module: str) -> str:
    """The command that installs the extra the module belongs to."""
    extra = next((part.extra for part in PARTS if part.module == module), None)
    return f"pip install 'empathic[{extra}]'" if extra else f"pip install {module}"
