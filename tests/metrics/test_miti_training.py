from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic.errors import InputError
from empathic.metrics import fitted, miti_training
from empathic.metrics.mechanisms.pairs import as_batch
from empathic.metrics.miti import LABELS, Miti

HEAD = "dialog_id,speaker_uttr,response_human,response_chatgpt,miti_human,miti_chatgpt,miti_chatgpt_empathy\n"
ROWS = [
    ("d{n}", "hi", "I am sorry. What happened?", "You should rest.", "['Support', 'Open Question']"),
    ("e{n}", "yo", "Too few labels. Here.", "That is great!", "['Support']"),
]


def written(folder: Path, label: str = "Affirm") -> Path:
    lines = [HEAD]
    for n in range(6):
        for (key, prompt, human, chatgpt, labels), own in zip(ROWS, ("Advise without Permission", label), strict=True):
            cells = (key.format(n=n), prompt, human, chatgpt, f'"{labels}"', f"\"['{own}']\"", "\"['nonsense']\"")
            lines.append(",".join(cells) + "\n")
    (folder / miti_training.FILE).write_text("".join(lines))
    return folder


def test_sentences_get_their_labels_and_misfits_are_left_out_and_counted(tmp_path: Path) -> None:
    found = miti_training.read(written(tmp_path))
    assert found.left_out == 6
    assert found.sentences[:2] == ["I am sorry.", "What happened?"]
    assert [LABELS[int(label)] for label in found.labels[:2]] == ["Support", "Open Question"]
    assert set(found.conditions) == {"human", "chatgpt"}
    assert len(found.rows) == len(found.marks) == len(found.labels) == 24


def test_a_fitted_classifier_can_replace_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    fitted.save("miti", miti_training.fit(miti_training.read(written(tmp_path, "Warn"))))
    metric = Miti(model="miti")
    found = metric.score(as_batch(["yo"], ["That is great!"]))
    assert found["warn"] == [1.0]
    assert metric.settings()["model"].startswith("miti@")


def test_cross_validation_gives_every_label_a_probability(tmp_path: Path) -> None:
    found = miti_training.read(written(tmp_path))
    probability = miti_training.cross_validated(found, folds=3, seed=1)
    assert probability.shape == (24, len(LABELS))
    assert probability.sum(axis=1) == pytest.approx(np.ones(24))
    assert (probability.argmax(axis=1) == found.labels).mean() > 0.9


def test_a_table_without_labels_is_refused(tmp_path: Path) -> None:
    (tmp_path / miti_training.FILE).write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="has no column miti_human"):
        miti_training.read(tmp_path)
    with pytest.raises(InputError, match="is no list of MITI labels"):
        miti_training.read(written(tmp_path, "Bogus"))
