from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from empathic import files
from empathic.cli import main
from empathic.errors import UnknownName
from empathic.profile import analyse, dimensions
from empathic.records import Estimate, Response, Turn


def responses(system: str, extra: int, seed: int) -> list[Response]:
    """Sixty dialogues, half of them sad; `extra` more words on the sad ones."""
    random = np.random.default_rng(seed)
    made = []
    for place in range(60):
        sad = place % 2 == 0
        length = int(random.integers(5, 15)) + (extra if sad else 0)
        words = " ".join(random.choice(["sorry", "glad", "hard", "nice", "what", "day"], length))
        made.append(
            Response(
                id=f"{system}-{place}", system=system, dialogue=f"d{place}", text=words,
                turns=(Turn(role="speaker", text="My day was hard and I am sad."),),
                emotion="sad" if sad else "joyful", polarity="negative" if sad else "positive",
            )
        )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("run")
    everything = [*responses("a", 0, 1), *responses("b", 0, 2), *responses("c", 8, 3)]
    files.write_lines(base / "responses.jsonl", everything)
    assert main(["score", str(base / "responses.jsonl"), "-o", str(base), "--json"]) == 0
    return base


@pytest.fixture(scope="module")
def estimates(folder: Path) -> list[Estimate]:
    return analyse(folder, seed=1, draws=400, reference="a")


def of(estimates: list[Estimate], **labels: str) -> list[Estimate]:
    return [each for each in estimates if labels.items() <= each.labels.items()]


def test_every_estimate_says_what_it_is_and_how_to_get_it_again(estimates: list[Estimate]) -> None:
    kinds = {each.labels["kind"] for each in estimates}
    assert {"mean", "corpus", "difference", "interaction", "emotion", "polarity"} <= kinds
    assert all(each.signature for each in estimates)
    assert all(each.value is not None or each.missing for each in estimates)


def test_a_mean_is_the_mean_of_the_table(folder: Path, estimates: list[Estimate]) -> None:
    (found,) = of(estimates, kind="mean", metric="length.words", system="c")
    texts = [each.text for each in files.read_lines(folder / "responses.jsonl", Response) if each.system == "c"]
    assert found.value == pytest.approx(np.mean([len((text or "").split()) for text in texts]))


def test_each_pair_is_compared_once(estimates: list[Estimate]) -> None:
    found = of(estimates, kind="difference", metric="length.words")
    pairs = [(each.labels["base"], each.labels["system"]) for each in found]
    assert pairs == list(itertools.combinations("abc", 2))


def test_an_effect_of_one_polarity_shows_as_an_interaction(estimates: list[Estimate]) -> None:
    (test,) = of(estimates, kind="interaction", by="polarity", metric="length.words", system="c")
    assert test.p is not None
    assert test.p < 0.001
    groups = {each.labels["group"]: each for each in of(estimates, kind="polarity", metric="length.words", system="c")}
    assert groups["negative"].value == pytest.approx(8, abs=3)
    (none,) = of(estimates, kind="interaction", by="polarity", metric="length.words", system="b")
    assert none.p is not None
    assert none.p > 0.01


def test_the_same_seed_gives_the_same_estimates(folder: Path, estimates: list[Estimate]) -> None:
    assert analyse(folder, seed=1, draws=400, reference="a") == estimates


def test_an_unknown_reference_is_refused(folder: Path) -> None:
    with pytest.raises(UnknownName, match="No system to compare with is called 'human'"):
        analyse(folder, seed=1, reference="human")


def test_every_dimension_has_a_title_a_question_and_columns() -> None:
    for dimension in dimensions():
        assert dimension.title
        assert dimension.question
        assert dimension.columns
        assert all(dimension.holds(name) for name in dimension.headline)
