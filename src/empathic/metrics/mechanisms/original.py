"""Responses become levels by the original checkpoints of EPITOME and PAIR, which the user brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from empathic.contracts import Texts, Value
from empathic.errors import SettingError
from empathic.metrics.mechanisms import MECHANISMS, columns
from empathic.metrics.mechanisms.checkpoints import Epitome, Pair
from empathic.metrics.mechanisms.levels import rescored_scores
from empathic.metrics.mechanisms.reporting import probes_text
from empathic.metrics.ragged import Floats
from empathic.registry import register


@register("metric", "mechanisms-roberta")
class OriginalMechanisms:
    """Emotional reaction, interpretation and exploration (0–2) by the original RoBERTa checkpoints of EPITOME.

    Settings: `er`, `ip`, `ex` (paths of the checkpoints), `base` (folder of roberta-base), `padding` (train, wrapper).
    """

    default, external = False, True
    columns = columns(MECHANISMS, 2)

    def __init__(self, *, er: str = "", ip: str = "", ex: str = "", base: str = "", padding: str = "train") -> None:
        paths = _given("mechanisms-roberta", er=er, ip=ip, ex=ex, base=base)
        self.padding = padding
        self.models = {name: Epitome(paths[name], paths["base"], padding=padding) for name in MECHANISMS}
        self.caution = (
            f"original checkpoints, not measured here; {probes_text({n: n for n in MECHANISMS}, self.score)}."
        )

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"padding": self.padding, **{name: model.checkpoint for name, model in self.models.items()}}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value | str]]:
        """Levels, evidence and dependence on the prompt."""
        return rescored_scores(self._levels, MECHANISMS, batch)

    def _levels(self, batch: Texts) -> dict[str, Floats]:
        return {name: model.levels(batch.prompts, batch.texts) for name, model in self.models.items()}


@register("metric", "reflection-pair")
class OriginalReflection:
    """Reflection (0–1) by the original checkpoint of PAIR.

    Settings: `checkpoint` (path), `base` (folder of roberta-base).
    """

    default, external = False, True
    columns = columns(("level",), 1)

    def __init__(self, *, checkpoint: str = "", base: str = "") -> None:
        paths = _given("reflection-pair", checkpoint=checkpoint, base=base)
        self.model = Pair(paths["checkpoint"], paths["base"])
        self.caution = f"original checkpoint, not measured here; {probes_text({'reflection': 'level'}, self.score)}."

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"checkpoint": self.model.checkpoint}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value | str]]:
        """Level, evidence and dependence on the prompt."""
        return rescored_scores(self._levels, ("level",), batch)

    def _levels(self, batch: Texts) -> dict[str, Floats]:
        return {"level": self.model.levels(batch.prompts, batch.texts)}


def _given(metric: str, **paths: str) -> dict[str, Path]:
    absent = [name for name, path in paths.items() if not path]
    if absent:
        raise SettingError(
            f"The metric '{metric}' needs a path for {', '.join(absent)}: --set {metric}.{absent[0]}=PATH"
        )
    return {name: Path(path) for name, path in paths.items()}
