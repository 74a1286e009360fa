from __future__ import annotations

import pytest

from empathic import parts
from empathic.errors import MissingPart, SettingError
from empathic.metrics.measure import build


def test_without_paths_the_message_says_what_to_type() -> None:
    with pytest.raises(SettingError, match="--set mechanisms-roberta.er=PATH"):
        build("mechanisms-roberta")
    with pytest.raises(SettingError, match="--set reflection-pair.checkpoint=PATH"):
        build("reflection-pair")


def test_without_torch_the_message_says_how_to_get_it() -> None:
    if parts.present("torch"):
        pytest.skip("torch is installed here")
    with pytest.raises(MissingPart, match=r"empathic\[transformers\]"):
        build("reflection-pair", {"checkpoint": "a.pth", "base": "b"})
    with pytest.raises(MissingPart, match=r"empathic\[transformers\]"):
        build("mechanisms-roberta", {"er": "a", "ip": "b", "ex": "c", "base": "d"})
