from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.metrics import reference


def test_rarity_runs_from_the_most_frequent_word_to_the_rarest_and_unseen() -> None:
    rarity = reference.Rarity({"the": 100, "dog": 10, "axolotl": 1})
    assert [rarity[word] for word in ("the", "axolotl", "unseen")] == [0, 1, 1]
    assert rarity["dog"] == pytest.approx(math.log(10) / math.log(100))
    assert "unseen" not in rarity


def test_words_all_equally_frequent_are_not_rare() -> None:
    assert reference.Rarity({"a": 3, "b": 3})["a"] == 0


def test_folding_case_adds_the_counts(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps({"I": 99, "i": 1, "dog": 1}))
    name, folded = reference.load(str(tmp_path / "c.json"), fold_case=True)
    assert folded["i"] == 0
    assert name.startswith("c.json@")
    assert reference.load(str(tmp_path / "c.json"), fold_case=False)[1]["i"] == 1


@pytest.mark.parametrize("content", ["{}", '{"a": 0}', '{"a": "x"}', "[]"])
def test_a_file_that_holds_no_counts_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(InputError, match="c.json"):
        reference.load(str(tmp_path / "c.json"), fold_case=True)


def test_the_builtin_reference_knows_everyday_words_in_the_treebanks_form() -> None:
    name, rarity = reference.load("builtin", fold_case=True)
    assert name == "builtin-2026"
    assert rarity["."] == 0
    assert all(word in rarity for word in ("i", "n't", "'m", "``", "''", "sorry", "grandmother", "furious"))
    assert rarity["sorry"] < rarity["furious"] < rarity["axolotl"]
