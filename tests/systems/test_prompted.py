from __future__ import annotations

import asyncio

from empathic.contracts import Reply, Sampling, System
from empathic.contracts import Streaming as StreamingSystem
from empathic.models import Scripted
from empathic.systems import PromptedModel, find_prompt
from empathic.systems.prompted import merged
from talk import request, respond


class Recording(Scripted):
    """Keeps what it was asked."""

    async def complete(self, messages, sampling):
        self.asked = messages, sampling
        return Reply(text="Yes.")


def test_the_model_sees_the_instruction_and_the_whole_history() -> None:
    model = Recording("scripted/x", ["-"])
    system = PromptedModel("m+vanilla", model, find_prompt("vanilla"))
    assert respond(system, "One.", "Two.", "Three.").text == "Yes."
    messages, sampling = model.asked
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[0].content == find_prompt("vanilla").text
    assert (sampling.temperature, sampling.top_p) == (0, 1)
    assert isinstance(system, System)


def test_neither_the_situation_nor_the_emotion_nor_the_reference_reaches_the_model() -> None:
    model = Recording("scripted/x", ["-"])
    asyncio.run(PromptedModel("m", model, find_prompt("plain")).respond(request("Hi.", reference="SECRET")))
    assert all("SECRET" not in message.content for message in model.asked[0])


def test_what_the_user_sets_overrides_the_prompt_field_by_field() -> None:
    assert merged(Sampling(temperature=0, top_p=1), Sampling(temperature=0.7)) == Sampling(temperature=0.7, top_p=1)
    assert merged(Sampling(), Sampling()) == Sampling()


def test_each_repeat_has_its_own_seed() -> None:
    model = Recording("scripted/x", ["-"])
    system = PromptedModel("m", model, find_prompt("plain"), Sampling(seed=10))
    seeds = []
    for repeat in range(3):
        respond(system, "Hi.", repeat=repeat)
        seeds.append((model.asked[1].seed, model.asked[1].repeat))
    assert seeds == [(10, 0), (11, 1), (12, 2)]


def test_prompt_model_and_sampling_are_part_of_the_settings() -> None:
    model = Scripted("scripted/x", ["-"])
    base = PromptedModel("m", model, find_prompt("plain")).settings()
    assert base != PromptedModel("m", model, find_prompt("vanilla")).settings()
    assert base != PromptedModel("m", model, find_prompt("plain"), Sampling(temperature=1)).settings()
    assert base != PromptedModel("m", Scripted("scripted/y", ["-"]), find_prompt("plain")).settings()


class Streaming(Recording):
    async def stream(self, messages, sampling):
        self.asked = messages, sampling
        yield "Y"
        yield Reply(text="Yes.")


def test_a_model_that_streams_is_heard_piece_by_piece_any_other_whole() -> None:
    async def heard(model: Scripted) -> list[str | Reply]:
        system = PromptedModel("m", model, find_prompt("vanilla"), Sampling(seed=3))
        assert isinstance(system, StreamingSystem)
        return [piece async for piece in system.stream(request("Hi.", repeat=1))]

    model = Streaming("scripted/x", ["-"])
    assert asyncio.run(heard(model)) == ["Y", Reply(text="Yes.")]
    assert model.asked[0][0].content == find_prompt("vanilla").text
    assert model.asked[1].seed == 4
    assert asyncio.run(heard(Scripted("scripted/x", ["-"]))) == [Reply(text="-")]
