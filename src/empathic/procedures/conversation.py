"""A scenario becomes a conversation: a simulated speaker and the system take turns, the whole history being seen.

Svikhnushina, Filippova and Pu (2022), section 4.2: "for generating each next response, all previous dialog history was
passed to the models as input". The speaker is scripted (the dialogue's own speaker turns) or a model that plays the
person of the scenario.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from empathic.contracts import Message, Model, Reply, Request, Sampling, Speaker
from empathic.errors import SettingError
from empathic.procedures.contexts import contexts, request_at
from empathic.records import Dialogue, Turn
from empathic.registry import register

ROLE = (
    "You play a person in a conversation. {situation}{emotion}Stay in this role, speak in the first person, in one or "
    "two plain sentences, and react to what the other one says. Never offer help and never say that you are a program."
)
OPENING = "(The conversation begins; you speak first.)"


@register("procedure", "conversation")
class Conversation:
    """The speaker opens as in the dialogue, then speaker and system take turns until `turns` answers are there."""

    name = "conversation.v1"
    turn_by_turn = True

    def __init__(self, *, turns: int = 3, speaker: Speaker | None = None) -> None:
        if turns < 1:
            raise SettingError(f"A conversation of {turns} turns cannot be held: give --turns 1 or more.")
        self.turns, self.speaker = turns, speaker or ScriptedSpeaker()

    @classmethod
    def build(cls, *, turns: int | None = None, speaker: Speaker | None = None) -> Conversation:
        return cls(turns=3 if turns is None else turns, speaker=speaker)

    def settings(self) -> Mapping[str, Any]:
        return {"procedure": self.name, "turns": self.turns, "speaker": self.speaker.settings()}

    def requests(self, dialogue: Dialogue) -> Iterator[Request]:
        for request in contexts(dialogue):
            yield request_at(dialogue, request.turns, 0, None)
            return

    async def follow(self, dialogue: Dialogue, request: Request, reply: Reply) -> Request | Reply | None:
        if reply.text is None or request.position + 1 >= self.turns:
            return None
        turns = (*request.turns, Turn(role="listener", text=reply.text))
        said = await self.speaker.say(dialogue, turns, repeat=request.repeat)
        if said is None:
            return None
        if said.text is None:
            return Reply(text=None, missing=f"the simulated speaker failed: {said.missing}", transient=said.transient)
        following = request_at(
            dialogue, (*turns, Turn(role="speaker", text=said.text)), request.position + 1, reference=None
        )
        return msgspec.structs.replace(following, repeat=request.repeat)


class ScriptedSpeaker:
    """Says the dialogue's own speaker turns one after the other, whatever the system answers."""

    def settings(self) -> Mapping[str, Any]:
        return {"speaker": "the dialogue's own speaker turns"}

    async def say(self, dialogue: Dialogue, turns: Sequence[Turn], *, repeat: int) -> Reply | None:
        said = sum(turn.role == "speaker" for turn in turns)
        own = [turn.text for turn in dialogue.turns if turn.role == "speaker"]
        return Reply(text=own[said]) if said < len(own) else None


class ModelSpeaker:
    """A model plays the person of the scenario; it sees the situation, the emotion and the conversation so far."""

    def __init__(self, model: Model, sampling: Sampling | None = None) -> None:
        self.model, self.sampling = model, sampling or Sampling(temperature=0, max_tokens=120)

    def settings(self) -> Mapping[str, Any]:
        return {"speaker": self.model.name, "model": self.model.settings(), "role": ROLE, "sampling": self.sampling}

    async def say(self, dialogue: Dialogue, turns: Sequence[Turn], *, repeat: int) -> Reply | None:
        sampling = msgspec.structs.replace(self.sampling, repeat=repeat)
        reply = await self.model.complete(self._messages(dialogue, turns), sampling)
        if reply.text is not None and not reply.text.strip():
            return Reply(text=None, missing="it said nothing", generation=reply.generation)
        return reply

    def _messages(self, dialogue: Dialogue, turns: Sequence[Turn]) -> list[Message]:
        situation = f"What happened to you: {dialogue.situation} " if dialogue.situation else ""
        emotion = f"You feel {dialogue.emotion}. " if dialogue.emotion else ""
        messages = [
            Message(role="system", content=ROLE.format(situation=situation, emotion=emotion)),
            Message(role="user", content=OPENING),  # chat templates want the user to begin
        ]
        for turn in turns:
            messages.append(Message(role="assistant" if turn.role == "speaker" else "user", content=turn.text))
        return messages
