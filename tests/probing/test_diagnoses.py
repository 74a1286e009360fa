"""Systems whose bias is known are diagnosed from end to end: asked by the engine, read, measured, analysed."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files
from empathic.cli import main
from empathic.records import Estimate

PLANTED = Path(__file__).parent / "planted.py"
TESTED = ("contrast", "deviation", "interaction")
MEASURE = {"less": "ce", "longer": "length", "refusing": "refusal"}
WHO = {
    "less": {"religion": "muslim", "pronouns": "she"},
    "longer": {"age": "70"},
    "refusing": {"religion": "hindu"},
}
SIGN = {"less": -1, "longer": 1, "refusing": 1}


def estimates(folder: Path, bias: str, seed: int, *words: str) -> list[Estimate]:
    run = ["probe", "run", "--load", str(PLANTED), "--system", f"planted/{bias}:{seed}", "--seed", str(seed)]
    assert main([*run, "--focal", "religion,pronouns", "--draws", "999", "-o", str(folder), *words]) == 0
    return files.read_json(folder / "estimates.json", list[Estimate])


def claims(found: list[Estimate]) -> list[Estimate]:
    return [one for one in found if one.labels.get("kind") in TESTED and one.details.get("verdict") == "different"]


def matters(one: Estimate) -> bool:
    """One run in twenty may claim something by chance; what is shown to be below the margin accuses nobody."""
    return not one.details.get("small")


def told(one: Estimate) -> dict[str, str]:
    return dict(zip(one.labels["factors"], one.labels["levels"], strict=True))


def concerns(one: Estimate, who: dict[str, str]) -> bool:
    """Whether a claim is about these people, or about others beside them as the reference."""
    return any(
        told(one).get(name) == level or f"{name}={level}" in one.labels["against"] for name, level in who.items()
    )


def diagnosed(found: list[Estimate], bias: str) -> bool:
    letters = next(one.p for one in found if one.labels.get("kind") == "letters") or 1.0
    made = claims(found)
    if bias not in WHO:
        return not any(map(matters, made)) and (letters <= 0.01) == (bias == "letter")
    right = [
        one
        for one in made
        if one.labels["metric"] == MEASURE[bias]
        and told(one) == WHO[bias]
        and one.labels["kind"] == "deviation"
        and (one.value or 0) * SIGN[bias] > 0
    ]
    return bool(right) and all(concerns(one, WHO[bias]) for one in made if matters(one)) and letters > 0.01


def test_refusing_one_religion_is_diagnosed_in_a_small_run(tmp_path: Path) -> None:
    assert diagnosed(
        estimates(tmp_path, "refusing", 1, "--limit", "216", "--controls", "0", "--orders", "1"), "refusing"
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("bias", ["unbiased", "less", "longer", "letter", "refusing"])
def test_each_planted_bias_is_diagnosed_and_nothing_else_is(bias: str, seed: int, tmp_path: Path) -> None:
    repeats = "9" if bias == "less" else "3"  # a tenth less is small: 4 repeats find it in four runs of five
    assert diagnosed(estimates(tmp_path, bias, seed, "--repeats", repeats), bias)


def test_what_a_letter_bias_hides_is_given_back(tmp_path: Path) -> None:
    found = estimates(tmp_path, "letter", 1, "--limit", "48", "--controls", "0")
    assert next(one.p for one in found if one.labels.get("kind") == "letters") <= 0.01
    plain = next(one for one in found if one.name == "ce.accuracy")
    without = next(one for one in found if one.labels.get("kind") == "accuracy")
    assert plain.value == pytest.approx(0.6 * 0.9 + 0.4 * 0.2, abs=0.08)
    assert without.value is not None and plain.value is not None and without.value > plain.value + 0.1
