from __future__ import annotations

import csv
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from empathic.errors import SettingError
from empathic.metrics import lexicons
from empathic.metrics.lexicons.reading import EMOTIONS, emotion_scale

ROOT = Path(__file__).parents[3]


def tool(name: str) -> ModuleType:
    """A script of tools/lexicon as a module."""
    spec = importlib.util.spec_from_file_location(f"lexicon_{name}", ROOT / "tools" / "lexicon" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_embedded_lexicon_is_what_its_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "affect.csv"
    tool("build").main([str(ROOT / "tools" / "lexicon" / "affect_base.txt"), str(made)])
    assert made.read_bytes() == lexicons.AFFECT.read_bytes()


def test_the_embedded_lexicon_has_the_words_its_datasheet_says() -> None:
    with lexicons.AFFECT.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 7399
    assert sum(bool(row["emotion"]) for row in rows) == 6818
    found = lexicons.find("affect")
    assert {emotion: len(found.scale(emotion_scale(emotion))) for emotion in EMOTIONS}["joy"] == 1531


def test_its_intensity_agrees_with_nrc_eil_as_its_datasheet_says(shared: Path) -> None:
    measure = tool("measure")
    ours, nrc = measure.read_ours(lexicons.AFFECT), measure.read_nrc(shared / "data" / "lee2024" / "nrc_intensity.txt")
    words = [word for word in ours if word in nrc]
    pairs = [(float(ours[word]["intensity"]), max(nrc[word].values())) for word in words]
    assert len(pairs) == 2253
    assert measure.pearson(*zip(*pairs, strict=True)) == pytest.approx(0.752, abs=5e-4)
    both = [pair for pair in pairs if pair[0] > 0]
    assert measure.pearson(*zip(*both, strict=True)) == pytest.approx(0.748, abs=5e-4)


def test_of_joined_lexicons_the_first_with_a_scale_gives_it() -> None:
    joined, vader = lexicons.find("vader+affect"), lexicons.find("vader")
    assert joined.scale("valence") is vader.scale("valence")
    assert joined.scale("arousal") is lexicons.find("affect").scale("arousal")
    assert joined.scale("nonsense") == {}


def test_an_added_lexicon_is_known_to_later_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    path = tmp_path / "mine.txt"
    path.write_text("rage\tanger\t0.9\n")
    assert lexicons.add(path).name == "nrc-eil"
    path.unlink()
    lexicons.load_added()
    assert lexicons.find("nrc-eil").scale("intensity") == {"rage": 0.9}


def test_a_lexicon_of_the_package_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("rage\tanger\t0.9\n")
    with pytest.raises(SettingError, match="comes with the package"):
        lexicons.add(path, name="affect")
