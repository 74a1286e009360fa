from __future__ import annotations

import msgspec
import pytest

from empathic.contracts import Message, Sampling
from empathic.models.completions import read_reply, request_body
from empathic.transport import Answer

MESSAGES = [Message(role="user", content="Hi.")]


def document(**message: object) -> dict[str, object]:
    choice = {"finish_reason": "stop", "message": {"role": "assistant", "content": "Hello.", **message}}
    return {"model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 500}}


def test_only_what_is_set_is_sent() -> None:
    assert msgspec.to_builtins(request_body("m", MESSAGES, Sampling(), limit="max_tokens")) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hi."}],
    }


def test_everything_that_is_set_is_sent_under_the_servers_names() -> None:
    sampling = Sampling(
        temperature=0, top_p=1, max_tokens=9, seed=3, stop=("x",), logprobs=2, json_schema={"type": "object"}, repeat=4
    )
    body = msgspec.to_builtins(request_body("m", MESSAGES, sampling, limit="max_completion_tokens"))
    assert (body["temperature"], body["top_p"], body["seed"], body["stop"]) == (0, 1, 3, ("x",))
    assert (body["max_completion_tokens"], body["logprobs"], body["top_logprobs"]) == (9, True, 2)
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert "repeat" not in body


def test_a_completion_is_read_with_its_usage_and_cost() -> None:
    reply = read_reply(Answer(document=document(), latency=0.5, attempts=2), (2.5, 10.0))
    generation = reply.generation
    assert (reply.text, generation.finish_reason, generation.model) == ("Hello.", "stop", "m-1")
    assert (generation.prompt_tokens, generation.completion_tokens, generation.attempts) == (1000, 500, 2)
    assert generation.cost == pytest.approx((1000 * 2.5 + 500 * 10.0) / 1e6)  # 0.0075 $, by hand
    assert generation.cost == pytest.approx(0.0075)
    assert read_reply(Answer(document=document()), None).generation.cost is None


def test_the_cost_that_the_server_states_wins() -> None:
    stated = {**document(), "usage": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.25}}
    assert read_reply(Answer(document=stated), (1, 1)).generation.cost == 0.25


def test_log_probabilities_are_read_per_token() -> None:
    token = {
        "token": "Hi",
        "logprob": -0.1,
        "top_logprobs": [{"token": "Hi", "logprob": -0.1}, {"token": "Yo", "logprob": -3}],
    }
    given = document()
    given["choices"][0]["logprobs"] = {"content": [token, {"token": "!", "logprob": -0.5, "top_logprobs": []}]}
    assert read_reply(Answer(document=given), None).logprobs == ({"Hi": -0.1, "Yo": -3.0}, {"!": -0.5})


@pytest.mark.parametrize(
    ("given", "reason", "transient"),
    [
        ({"choices": []}, "the server answered with an empty list of choices", True),
        ({"choices": [{}]}, "the server's answer is no chat completion", True),
        ({"choices": "x"}, "the server's answer is no chat completion", True),
        (None, "the server's answer is no chat completion", True),
        ([1], "the server's answer is no chat completion", True),
        (document(content=None), "the answer is empty", False),
        (document(content=" \n"), "the answer is empty", False),
        (document(content=[1]), "the answer is empty", False),
        (document(content=None, refusal="I can't."), "the model refused: I can't.", False),
    ],
)
def test_no_text_is_a_reason_and_only_the_servers_fault_is_asked_again(
    given: object, reason: str, transient: bool
) -> None:
    reply = read_reply(Answer(document=given), None)
    assert (reply.text, reply.missing, reply.transient) == (None, reason, transient)


def test_a_filtered_answer_is_missing_even_if_half_of_it_came() -> None:
    given = document()
    given["choices"][0]["finish_reason"] = "content_filter"
    reply = read_reply(Answer(document=given), None)
    assert (reply.text, reply.missing) == (None, "the server's content filter withheld the answer")


def test_nonsense_in_the_usage_is_unknown_not_zero() -> None:
    given = {**document(), "usage": {"prompt_tokens": "many", "completion_tokens": -1, "cost": True}}
    generation = read_reply(Answer(document=given), (1, 1)).generation
    assert (generation.prompt_tokens, generation.completion_tokens, generation.cost) == (None, None, None)
