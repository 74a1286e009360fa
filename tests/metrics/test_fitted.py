from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from empathic import registry
from empathic.errors import InputError, MissingPart, SettingError
from empathic.metrics import fitted

TEXTS = ["i am so sorry", "sorry to hear that", "what happened", "what did you do"] * 10
FEATURES = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 2.0]] * 10)
VALUES = {"er": np.array([2.0, 2.0, 0.0, 0.0] * 10), "ex": np.array([0.0, 0.0, 1.0, 1.0] * 10)}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_a_classifier_learns_what_tells_the_levels_apart() -> None:
    model = fitted.fit(TEXTS, FEATURES, VALUES, source="made up")
    found = model.expected(["so sorry to hear that", "what did you do"], np.array([[0.0, 1.0], [1.0, 1.0]]))
    assert found["er"][0] > 1.5
    assert found["er"][1] < 0.5
    assert found["ex"][1] > 0.7
    assert model.levels["er"].tolist() == [0.0, 2.0]


def test_a_kept_classifier_gives_the_same_numbers() -> None:
    model = fitted.fit(TEXTS, FEATURES, VALUES, source="made up")
    path = fitted.save("mine", model)
    for name in ("mine", str(path)):
        again = fitted.load(name)
        assert again.source == "made up"
        assert again.expected(TEXTS[:4], FEATURES[:4])["er"] == pytest.approx(
            model.expected(TEXTS[:4], FEATURES[:4])["er"], abs=1e-12
        )


def test_a_classifier_that_is_not_there_says_what_to_type() -> None:
    with pytest.raises(MissingPart, match="empathic models fit epitome --data DIR"):
        fitted.load("epitome")


def test_a_file_that_is_no_classifier_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(b"nonsense")
    with pytest.raises(InputError, match="is no fitted classifier"):
        fitted.load(str(path))


def test_folds_keep_groups_together_and_cover_everything() -> None:
    groups = [f"g{place // 3}" for place in range(30)]
    folds = fitted.grouped_folds(groups, folds=5, seed=1)
    assert sorted(place for _, outside in folds for place in outside) == list(range(30))
    for inside, outside in folds:
        assert not {groups[place] for place in inside} & {groups[place] for place in outside}


def test_cross_validation_scores_each_text_without_its_group() -> None:
    groups = [f"g{place // 4}" for place in range(40)]
    found = fitted.cross_validated(TEXTS, FEATURES, VALUES, groups, folds=5, seed=1)
    assert found["er"].sum(axis=1) == pytest.approx(np.ones(40))
    assert (found["er"].argmax(axis=1) == (VALUES["er"] > 0)).all()


class Letters:
    """An encoder: how long a text is, and how many of its letters are vowels."""

    label = "letters@1"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[len(text), sum(letter in "aeiou" for letter in text)] for text in texts], dtype=float)


def test_a_classifier_keeps_the_encoder_it_was_fitted_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entries", {**registry._entries, "encoder": {}})
    registry.register("encoder", "letters")(Letters)
    encoded = Letters().encode(TEXTS)
    model = fitted.fit(TEXTS, FEATURES, VALUES, source="made up", encoder=Letters(), encoded=encoded)
    fitted.save("mine", model)
    again = fitted.load("mine")
    assert again.encode(TEXTS[:2]) == pytest.approx(encoded[:2])
    found = again.expected(TEXTS[:4], FEATURES[:4], again.encode(TEXTS[:4]))["er"]
    assert found == pytest.approx(model.expected(TEXTS[:4], FEATURES[:4], encoded[:4])["er"], abs=1e-12)
    assert fitted.fit(TEXTS, FEATURES, VALUES, source="made up").encode(TEXTS) is None
    monkeypatch.setattr(Letters, "label", "letters@2")
    with pytest.raises(SettingError, match="fitted with letters@1, here is letters@2. Fit it again"):
        fitted.load("mine")


def test_what_the_encoder_says_counts_in_cross_validation() -> None:
    values = {"er": np.array([0.0, 1.0] * 20)}
    told = np.array([[0.0], [1.0]] * 20) * np.ones((1, 400))
    texts, nothing, groups = ["the same"] * 40, np.zeros((40, 1)), [str(place) for place in range(40)]
    with_it = fitted.cross_validated(texts, nothing, values, groups, folds=4, seed=1, encoded=told)["er"]
    assert (with_it.argmax(axis=1) == values["er"]).all()


def test_a_classifier_with_an_encoder_says_how_to_fit_it() -> None:
    with pytest.raises(MissingPart, match="empathic models fit epitome --data DIR --encoder minilm"):
        fitted.load("epitome-minilm")
