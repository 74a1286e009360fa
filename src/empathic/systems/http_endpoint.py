"""An HTTP endpoint becomes a system: a template says what is posted, a JSON path where the answer stands.

[my-bot]                                  # --system http/my-bot --endpoints bots.toml
url = "http://127.0.0.1:5005/webhooks/rest/webhook"
request = { sender = "{session}", message = "{text}" }
response = "$[*].text"
headers = { Authorization = "Bearer ${MY_BOT_KEY}" }
stream = "$.text"                         # only for endpoints that stream: where each event's piece of text stands
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Literal

import msgspec

from empathic import files
from empathic.contracts import Reply, Request
from empathic.errors import InputError, MissingPart, SettingError, UnknownName
from empathic.records import Generation, Json, Record
from empathic.registry import register
from empathic.systems.json_path import parse, values
from empathic.systems.messages import plain_messages
from empathic.systems.options import Options
from empathic.transport import Answer, Event, Pool, public_url

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_FIELD = re.compile(r"\{(session|text|messages|dialogue|repeat)\}")


class EndpointSpec(Record, frozen=True):
    """How one endpoint is talked to."""

    url: str
    request: Json
    response: str
    headers: dict[str, str] = {}
    send: Literal["last", "each"] = "last"  # "each": every speaker turn in order, for bots that keep the history
    join: str = " "
    stream: str | None = None  # the endpoint sends server-sent events: where a piece of the text stands in each


@register("system", "http")
class HttpSystem:
    """`http/NAME`: an endpoint described in the file that --endpoints names; Rasa's REST channel is an example."""

    concurrency: int | None = None

    def __init__(self, name: str, spec: EndpointSpec, pool: Pool, environment: Mapping[str, str] | None = None) -> None:
        self.name, self.spec, self._path = name, spec, parse(spec.response)
        self._piece = None if spec.stream is None else parse(spec.stream)
        secrets: list[str] = []
        variables = os.environ if environment is None else environment
        headers = {key: _expand(value, variables, secrets) for key, value in spec.headers.items()}
        self._endpoint = pool.endpoint(_expand(spec.url, variables, secrets), headers=headers, secrets=secrets)

    @classmethod
    def build(cls, name: str, options: Options) -> HttpSystem:
        if options.endpoints is None:
            raise SettingError(f"'{name}' must be described in a file. Type --endpoints FILE.toml.")
        specs = read_specs(options.endpoints)
        short = name.partition("/")[2]
        if short not in specs:
            raise UnknownName(f"endpoint in {options.endpoints}", short, specs)
        return cls(name, specs[short], options.pool, options.environment)

    def settings(self) -> Mapping[str, Any]:
        spec = {**files.to_builtins(self.spec), "url": public_url(self.spec.url), "headers": sorted(self.spec.headers)}
        return {"system": self.name, "endpoint": spec}

    async def check(self) -> None:
        await self._endpoint.reach()

    async def respond(self, request: Request) -> Reply:
        found = [piece async for piece in self.stream(request) if isinstance(piece, Reply)]
        return found[-1]

    async def stream(self, request: Request) -> AsyncGenerator[str | Reply, None]:
        """The pieces of the last answer if the endpoint streams; then the reply."""
        speaker = [turn.text for turn in request.turns if turn.role == "speaker"]
        reply = Reply(text=None, missing="the speaker said nothing")
        told = speaker if self.spec.send == "each" else speaker[-1:]
        for place, text in enumerate(told, 1):
            body = fill(self.spec.request, _fields(request, text))
            async with contextlib.aclosing(self._pieces(body)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Reply):
                        reply = piece
                    elif place == len(told):
                        yield piece
            if reply.missing is not None:
                break
        yield reply

    async def _pieces(self, body: Any) -> AsyncGenerator[str | Reply, None]:
        if self._piece is None:
            yield self._reply(await self._endpoint.post("", body))
            return
        said: list[str] = []
        whole: Event | None = None
        async with contextlib.aclosing(self._endpoint.stream("", body)) as events:
            async for event in events:
                if isinstance(event, Answer):
                    yield self._streamed("".join(said).strip(), event) if whole is None else self._whole(whole, event)
                elif event.whole:
                    whole = event
                else:
                    for text in filter(_is_piece, values(event.document, self._piece)):
                        said.append(text)
                        yield text

    def _whole(self, event: Event, ended: Answer) -> Reply:
        """The endpoint did not stream this time."""
        return self._reply(dataclasses.replace(ended, document=event.document))

    def _streamed(self, text: str, ended: Answer) -> Reply:
        missing = ended.missing or (None if text else f"the stream holds no text at {self.spec.stream}")
        generation = Generation(latency=ended.latency, attempts=ended.attempts)
        if missing is not None:
            return Reply(text=None, missing=missing, generation=generation, transient=True)
        return Reply(text=text, generation=generation)

    def _reply(self, answer: Answer) -> Reply:
        generation = Generation(latency=answer.latency, attempts=answer.attempts)
        if answer.missing is not None:
            return Reply(text=None, missing=answer.missing, generation=generation, transient=answer.transient)
        texts = [value for value in values(answer.document, self._path) if isinstance(value, str)]
        if not texts:
            reason = f"the answer holds no text at {self.spec.response}"
            return Reply(text=None, missing=reason, generation=generation, transient=True)
        return Reply(text=self.spec.join.join(texts), generation=generation)

    async def close(self) -> None:
        return None


def _is_piece(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def read_specs(path: Any) -> dict[str, EndpointSpec]:
    """The endpoints that a TOML file describes, by name."""
    with files.open_binary(path) as stream:
        data = stream.read()
    try:
        return msgspec.toml.decode(data, type=dict[str, EndpointSpec])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"describes no endpoints: {error}", path=path) from error


def fill(template: Any, fields: Mapping[str, Any]) -> Any:
    """The template with `{text}`, `{session}` … filled in; a string that is one field alone becomes its value."""
    if isinstance(template, dict):
        return {key: fill(value, fields) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(value, fields) for value in template]
    if not isinstance(template, str):
        return template
    whole = _FIELD.fullmatch(template)
    return fields[whole[1]] if whole else _FIELD.sub(lambda match: str(fields[match[1]]), template)


def _fields(request: Request, text: str) -> dict[str, Any]:
    return {
        "text": text,
        "messages": plain_messages(request.turns),
        "session": f"{request.dialogue}-{request.position}-{request.repeat}",
        "dialogue": request.dialogue,
        "repeat": request.repeat,
    }


def _expand(text: str, environment: Mapping[str, str], secrets: list[str]) -> str:
    """`${NAME}` becomes the variable's value, which is a secret from here on."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in environment:
            raise MissingPart(f"The variable {match[1]} is not set. Type: export {match[1]}=…, or put it into .env.")
        secrets.append(environment[match[1]])
        return environment[match[1]]

    return _VARIABLE.sub(value, text)
