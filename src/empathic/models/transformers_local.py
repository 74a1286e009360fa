"""A folder of Hugging Face weights becomes a model: loaded by path, nothing is fetched."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from empathic import files, parts
from empathic.contracts import Message, Reply, Sampling
from empathic.errors import InputError
from empathic.models.options import ModelOptions
from empathic.records import Generation
from empathic.registry import register

DEFAULT_TOKENS = 256


@register("model", "transformers")
class TransformersModel:
    """`transformers/PATH`: a causal language model and its tokenizer, saved with `save_pretrained`."""

    concurrency: int | None = 1

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self._loaded: tuple[Any, Any] | None = None
        self._lock = asyncio.Lock()

    @classmethod
    def build(cls, name: str, options: ModelOptions) -> TransformersModel:
        folder = Path(name.partition("/")[2]).expanduser()
        if not (folder / "config.json").is_file():
            raise InputError("holds no config.json, so it is no folder of model weights", path=folder)
        parts.need("torch")
        parts.need("transformers")
        return cls(name, folder)

    def settings(self) -> Mapping[str, Any]:
        hashes = {path.name: files.sha256(path) for path in sorted(self.folder.iterdir()) if path.is_file()}
        return {"files": hashes, "engine": f"transformers {parts.need('transformers').__version__}"}

    async def check(self) -> None:
        await asyncio.to_thread(self._load)

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        async with self._lock:
            return await asyncio.to_thread(self._generate, messages, sampling)

    async def close(self) -> None:
        self._loaded = None

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            library = parts.need("transformers")
            tokenizer = library.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
            model = library.AutoModelForCausalLM.from_pretrained(self.folder, local_files_only=True)
            self._loaded = tokenizer, model.eval()
        return self._loaded

    def _generate(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        tokenizer, model = self._load()
        torch, begin = parts.need("torch"), time.perf_counter()
        prompt = _prompt(tokenizer, messages)
        inputs = tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
        if sampling.seed is not None:
            torch.manual_seed(sampling.seed)
        with torch.inference_mode():
            output = model.generate(**inputs, **_arguments(tokenizer, sampling))
        new = output[0][inputs["input_ids"].shape[1] :]
        text, ended = tokenizer.decode(new, skip_special_tokens=True).strip(), new[-1] == tokenizer.eos_token_id
        generation = Generation(
            latency=time.perf_counter() - begin,
            prompt_tokens=int(inputs["input_ids"].shape[1]),
            completion_tokens=len(new),
            finish_reason="stop" if ended else "length",
        )
        return Reply(text=text or None, missing=None if text else "the answer is empty", generation=generation)


def _prompt(tokenizer: Any, messages: Sequence[Message]) -> str:
    plain = [{"role": message.role, "content": message.content} for message in messages]
    if tokenizer.chat_template:
        text: str = tokenizer.apply_chat_template(plain, tokenize=False, add_generation_prompt=True)
        return text
    return "\n".join(f"{message['role']}: {message['content']}" for message in plain) + "\nassistant:"


def _arguments(tokenizer: Any, sampling: Sampling) -> dict[str, Any]:
    pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
    arguments = {"max_new_tokens": sampling.max_tokens or DEFAULT_TOKENS, "pad_token_id": pad}
    if not sampling.temperature:
        return {**arguments, "do_sample": False}
    return {**arguments, "do_sample": True, "temperature": sampling.temperature, "top_p": sampling.top_p or 1.0}
