"""One system, two ways of sampling: log-probabilities where a letter is chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from empathic.contracts import Message, Reply, Request, Sampling
from empathic.probing import forms
from empathic.records import Turn
from empathic.systems import Options

TURNS = (Turn(role="speaker", text="How am I?"),)


class Model:
    """Remembers how it was sampled."""

    name, concurrency = "scripted/x", None

    def __init__(self) -> None:
        self.asked: list[tuple[Sequence[Message], Sampling]] = []

    def settings(self) -> Mapping[str, Any]:
        return {}

    async def check(self) -> None:
        return None

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        self.asked.append((messages, sampling))
        return Reply(text="A")

    async def close(self) -> None:
        return None


def asked(name: str, *, logprobs: int = 20, sampling: Sampling | None = None) -> tuple[list[Message], Sampling]:
    model = Model()
    given = Options(model=lambda name: model, providers=frozenset({"scripted"}), sampling=sampling or Sampling())
    system = forms.make("scripted/x", given, logprobs=logprobs)
    asyncio.run(system.respond(Request(dialogue=name, position=0, turns=TURNS)))
    messages, how = model.asked[0]
    return list(messages), how


def test_log_probabilities_are_asked_for_where_a_letter_is_chosen() -> None:
    assert asked("recital/choice-0/en/1/choice-12")[1].logprobs == 20
    assert asked("recital/choice-0/en/1/free")[1].logprobs is None
    assert asked("recital/choice-3", logprobs=0)[1].logprobs is None


def test_the_probes_own_instruction_stands_alone_and_answers_are_bounded() -> None:
    messages, sampling = asked("recital/free")
    assert [message.role for message in messages] == ["user"]
    assert sampling.max_tokens == forms.LONGEST
    assert asked("recital/free", sampling=Sampling(max_tokens=9))[1].max_tokens == 9


def test_a_system_that_is_not_sampled_stays_itself() -> None:
    system = forms.make("builtin/echo", Options(), logprobs=20)
    assert not isinstance(system, forms.TwoForms)
    assert system.name == "builtin/echo"


def test_both_ways_decide_the_key_under_which_replies_are_kept() -> None:
    given = Options(model=lambda name: Model(), providers=frozenset({"scripted"}))
    system = forms.make("scripted/x", given, logprobs=5)
    assert system.settings()["choice"]["sampling"]["logprobs"] == 5
    assert "logprobs" not in system.settings()["free"]["sampling"]
