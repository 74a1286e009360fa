from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

from empathic.metrics.mechanisms.levels import OTHER_PROMPTS
from empathic.metrics.mechanisms.pairs import PAIRS, as_batch, read_pairs

ROOT = Path(__file__).parents[3]


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mechanisms_{name}", ROOT / "tools" / "mechanisms" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_pairs_are_what_their_sources_give(tmp_path: Path) -> None:
    made = tmp_path / "pairs.jsonl"
    tool("build").main(made)
    assert made.read_bytes() == PAIRS.read_bytes()


def test_the_pairs_pass_their_own_check() -> None:
    assert tool("check").main(PAIRS) == 0


def test_there_are_as_many_pairs_as_the_datasheet_says_and_no_prompt_is_in_both_splits() -> None:
    pairs = read_pairs()
    assert len(pairs) == 1768
    assert Counter(pair.split for pair in pairs) == {"train": 1407, "test": 361}
    assert not {pair.prompt for pair in read_pairs("train")} & {pair.prompt for pair in read_pairs("test")}
    assert Counter(pair.er for pair in pairs) == {0: 1053, 1: 458, 2: 257}


def test_the_other_prompts_of_the_context_column_are_not_among_them() -> None:
    assert not {pair.prompt.lower() for pair in read_pairs()} & set(OTHER_PROMPTS)


def test_texts_become_a_batch() -> None:
    batch = as_batch(["hi"], ["Oh no!"])
    assert batch.prompts == ["hi"]
    assert batch.texts == ["Oh no!"]
