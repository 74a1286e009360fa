"""Messages and sampling become the body of a chat completion; the server's document becomes a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from empathic.contracts import Message, Reply, Sampling
from empathic.records import Generation
from empathic.transport import Answer

_PASSED_ON = ("temperature", "top_p", "frequency_penalty", "presence_penalty", "seed")


def request_body(model: str, messages: Sequence[Message], sampling: Sampling, *, limit: str) -> dict[str, Any]:
    """The document to post; what the sampling leaves open is left to the server."""
    body: dict[str, Any] = {"model": model, "messages": messages}
    body |= {name: getattr(sampling, name) for name in _PASSED_ON if getattr(sampling, name) is not None}
    if sampling.max_tokens is not None:
        body[limit] = sampling.max_tokens
    if sampling.stop:
        body["stop"] = sampling.stop
    if sampling.logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": sampling.logprobs}
    if sampling.json_schema is not None:
        schema = {"name": "answer", "strict": True, "schema": sampling.json_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def read_reply(answer: Answer, prices: tuple[float, float] | None) -> Reply:
    """The reply in a server's answer, or the reason why there is none.

    What the model decided (a filter, a refusal, an empty text) is an answer and stays; a document that is no chat
    completion is the server's fault and is asked for again by the next run.
    """
    generation = _generation(answer, prices)
    if answer.missing is not None:
        return Reply(text=None, missing=answer.missing, generation=generation, transient=answer.transient)
    choice = first_choice(answer.document)
    message = choice.get("message") if choice else None
    if not isinstance(message, dict):
        return Reply(text=None, missing=_no_choice(answer.document), generation=generation, transient=True)
    content = message.get("content")
    if choice.get("finish_reason") == "content_filter":
        return Reply(text=None, missing="the server's content filter withheld the answer", generation=generation)
    if isinstance(message.get("refusal"), str) and not content:
        return Reply(text=None, missing=f"the model refused: {message['refusal'][:160]}", generation=generation)
    if not isinstance(content, str) or not content.strip():
        return Reply(text=None, missing="the answer is empty", generation=generation)
    return Reply(text=content.strip(), generation=generation, logprobs=_logprobs(choice))


def first_choice(document: Any) -> Mapping[str, Any]:
    """The first of a completion's choices; empty if there is none."""
    choices = document.get("choices") if isinstance(document, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _no_choice(document: Any) -> str:
    if isinstance(document, dict) and document.get("choices") == []:
        return "the server answered with an empty list of choices"
    return "the server's answer is no chat completion"


def _generation(answer: Answer, prices: tuple[float, float] | None) -> Generation:
    document = answer.document if isinstance(answer.document, dict) else {}
    usage = document.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    reason, model = first_choice(document).get("finish_reason"), document.get("model")
    return Generation(
        latency=answer.latency,
        prompt_tokens=prompt,
        completion_tokens=completion,
        finish_reason=reason if isinstance(reason, str) else None,
        cost=_cost(usage, prompt, completion, prices),
        attempts=answer.attempts,
        model=model if isinstance(model, str) else None,
    )


def _cost(
    usage: Mapping[str, Any], prompt: int | None, completion: int | None, prices: tuple[float, float] | None
) -> float | None:
    """What the server says it cost, else prompt · price + completion · price, else unknown."""
    said = usage.get("cost")
    if isinstance(said, int | float) and not isinstance(said, bool):
        return float(said)
    if prices is None or prompt is None or completion is None:
        return None
    return (prompt * prices[0] + completion * prices[1]) / 1e6


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _logprobs(choice: Mapping[str, Any]) -> tuple[Mapping[str, float], ...] | None:
    """Per token: alternative → log-probability, the chosen token among them."""
    given = choice.get("logprobs")
    content = given.get("content") if isinstance(given, dict) else None
    return tuple(_alternatives(token) for token in content) if isinstance(content, list) else None


def _alternatives(token: Any) -> dict[str, float]:
    listed = [*token.get("top_logprobs", []), token] if isinstance(token, dict) else []
    return {
        item["token"]: float(item["logprob"])
        for item in listed
        if isinstance(item, dict)
        and isinstance(item.get("token"), str)
        and isinstance(item.get("logprob"), int | float)
    }
