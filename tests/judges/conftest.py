"""What the tests of judges share: a small instrument, a conversation, and models that answer by rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from empathic import registry
from empathic.contracts import Message, Reply, Sampling, Subject
from empathic.records import Dialogue, Generation, Instrument, Turn

Rule = Callable[[Sequence[Message], Sampling], str | None]


class RuleModel:
    """Answers by a rule and keeps every call."""

    def __init__(self, rule: Rule, name: str = "test/rule") -> None:
        self.name, self.rule, self.calls = name, rule, list[tuple[Sequence[Message], Sampling]]()
        self.concurrency, self.checks = None, 0

    def settings(self) -> dict[str, object]:
        return {"rule": self.name}

    async def check(self) -> None:
        self.checks += 1

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        self.calls.append((messages, sampling))
        text = self.rule(messages, sampling)
        missing = None if text is not None else "the server did not answer"
        return Reply(text=text, missing=missing, generation=Generation(latency=0.5))

    async def close(self) -> None:
        pass


def filled(value: float | dict[str, float], quote: str = "") -> Rule:
    """A rule that fills every item asked for."""

    def rule(_: Sequence[Message], sampling: Sampling) -> str:
        assert sampling.json_schema is not None
        items = sampling.json_schema["required"]
        scores = value if isinstance(value, dict) else dict.fromkeys(items, value)
        return json.dumps({item: {"quote": quote, "reason": "it shows", "score": scores[item]} for item in items})

    return rule


@pytest.fixture
def model() -> type[RuleModel]:
    """The class, to be made with a rule."""
    return RuleModel


@pytest.fixture
def fill() -> Callable[..., Rule]:
    """Makes a rule that fills every item asked for."""
    return filled


@pytest.fixture
def eshcc() -> Instrument:
    found: Instrument = registry.find("instrument", "eshcc").thing
    return found


@pytest.fixture
def short() -> Instrument:
    found: Instrument = registry.find("instrument", "epitome").thing
    return found


@pytest.fixture
def dialogue() -> Dialogue:
    turns = (
        Turn(role="speaker", text="My dog died this morning."),
        Turn(role="listener", text="I am so sorry. He was with you a long time?"),
        Turn(role="speaker", text="Twelve years."),
        Turn(role="listener", text="Twelve years is half a life together."),
    )
    return Dialogue(id="d1", turns=turns, metadata={"system": "kind"})


@pytest.fixture
def subject(dialogue: Dialogue) -> Subject:
    return Subject(target="d1", turns=dialogue.turns, rated=(1, 3), system="kind", dialogue="d1")
