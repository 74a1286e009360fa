"""A GGUF file, a context and a text become the log-probability of every token of the text, through llama.cpp.

The server tells the probability of the token it chooses, out of the whole vocabulary, before anything bends the choice.
So each token of the text is made the chosen one by a bias, and what the server then tells is ln p(token | all before).
"""

from __future__ import annotations

import http.client
import secrets
import urllib.parse
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from empathic import files, parts
from empathic.contracts import Missing
from empathic.errors import ServiceError
from empathic.models.gguf import start_server

ROOM = 4096  # tokens of context and text together
SECONDS = 120  # for one token, the first one with the whole context
SURE = 1e4  # a bias that outweighs any difference between logits
NEVER = -1e30  # what single precision makes of ln 0


class LocalLikelihood:
    """How likely texts are under one model file; the model is loaded when first asked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine = f"xllamacpp {parts.need('xllamacpp').__version__}"
        self._key = secrets.token_urlsafe(24)
        self._server: Any = None

    def settings(self) -> Mapping[str, Any]:
        """What decides the numbers."""
        return {"model": files.sha256(self.path)[:8], "engine": self.engine}

    def tokens(self, text: str, *, start: bool = False) -> list[int]:
        """The model's tokens of a text; `start`: with the mark the model wants at the beginning, if it wants one."""
        body = {"content": text, "add_special": start, "parse_special": False}
        return [int(token) for token in self._ask("/tokenize", body)["tokens"]]

    def logprobs(self, context: str, text: str) -> Sequence[float] | Missing:
        """ln p of each token of `text`, given the tokens of the context and those of the text before it."""
        before, own = self.tokens(context, start=True), self.tokens(text)
        if len(before) + len(own) >= ROOM:
            return Missing(reason=f"response and context have {len(before) + len(own)} tokens, the model takes {ROOM}")
        found = [self._logprob([*before, *own[:place]], own[place], again=place > 0) for place in range(len(own))]
        if not found or min(found) < NEVER:
            return Missing(reason="the model gives a token of the response the probability 0")
        return found

    def _logprob(self, before: Sequence[int], token: int, *, again: bool) -> float:
        """ln p(token | before); `again`: what was computed for this text is used, never that of another text."""
        body = {
            "prompt": before,
            "n_predict": 1,
            "n_probs": 1,
            "temperature": 0.0,
            "samplers": [],
            "logit_bias": [[token, SURE]],
            "cache_prompt": again,
        }
        found = self._ask("/completion", body)["completion_probabilities"][0]
        if found["id"] != token:
            raise ServiceError(f"{self.path}: llama.cpp chose token {found['id']} where {token} was forced.")
        return float(found["logprob"])

    def _ask(self, path: str, body: Mapping[str, Any]) -> Any:
        if self._server is None:
            self._server = start_server(self.path, self._key, context=ROOM)
        address = urllib.parse.urlsplit(self._server.listening_address)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        try:
            with closing(http.client.HTTPConnection(str(address.hostname), address.port, timeout=SECONDS)) as line:
                line.request("POST", path, msgspec.json.encode(body), headers)
                answer = line.getresponse()
                data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise ServiceError(f"{self.path}: llama.cpp does not answer ({type(error).__name__}: {error}).") from error
        if answer.status != http.client.OK:
            raise ServiceError(f"{self.path}: llama.cpp refuses {path} ({answer.status}): {data[:160].decode()}")
        return msgspec.json.decode(data)
