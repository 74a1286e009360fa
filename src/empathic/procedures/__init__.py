"""Dialogues become the listener turns that are asked of a system: single-turn, piecewise, conversation."""

from __future__ import annotations

from empathic.procedures.conversation import Conversation, ModelSpeaker, ScriptedSpeaker
from empathic.procedures.names import make
from empathic.procedures.piecewise import Piecewise
from empathic.procedures.single_turn import SingleTurn

__all__ = ["Conversation", "ModelSpeaker", "Piecewise", "ScriptedSpeaker", "SingleTurn", "make"]
