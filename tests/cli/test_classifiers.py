from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main
from empathic.models import MiniLM


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


def answers(folder: Path) -> Path:
    path = folder / "a_responses.json"
    found = [{"query": [f"my {pet} died"], "response": "I am so sorry. What happened?"} for pet in ("dog", "cat")]
    path.write_text(json.dumps(found))
    return path


def released(folder: Path) -> Path:
    head = "sp_id,rp_id,seeker_post,response_post,level,rationales\n"
    lines = [f"s{n},r{n},so sad,{'i am so sorry' if n % 2 else 'what happened ?'},{n % 2},\n" for n in range(20)]
    for stem in ("emotional-reactions", "interpretations", "explorations"):
        (folder / f"{stem}-reddit.csv").write_text(head + "".join(lines))
    return folder


def test_a_model_is_fitted_checked_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "fit", "epitome", "--data", str(released(tmp_path)), "--folds", "2", "--json"]) == 0
    shown = capsys.readouterr()
    assert "not the files the figures" in shown.err
    found = json.loads(shown.out)
    assert found["cross_validated"][0]["quality"]["accuracy"] == 1.0
    words = ["score", str(answers(tmp_path)), "--metrics", "mechanisms", "--set", "mechanisms.model=epitome"]
    assert main([*words, "--json"]) == 0
    cells = json.loads(capsys.readouterr().out)
    assert "model:epitome@" in cells["systems"]["a"]["mechanisms.er"]["signature"]
    assert "fitted on epitome@" in cells["cautions"]["mechanisms"]


def test_every_embedded_model_is_measured_by_one_command(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = shared / "data"
    words = ["models", "measure", "--epitome", str(data / "epitome2020"), "--miti", str(data / "welivita2024")]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    models = {(row["model"], row["measured_on"]) for row in found["quality"]}
    assert models >= {(label, "test split of the pairs") for label in ("er", "ip", "ex", "reflection")}
    assert {("er", "EPITOME"), ("miti rules", "Welivita & Pu, human")} <= models
    assert set(found["context_sensitivity"]) == {"er", "ip", "ex", "reflection"}
    for row in found["quality"]:
        assert {"accuracy", "macro_f1", "kappa"} <= set(row["quality"])


def test_measuring_without_released_data_says_how_to_add_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "measure"]) == 0
    shown = capsys.readouterr().out
    assert "test split of the pairs" in shown
    assert "--epitome DIR measures on released data" in shown


def test_any_metric_is_probed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "probe", "sentiment.response", str(answers(tmp_path)), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["context_sensitivity"]["mean_change"] == 0
    assert {probe["id"] for probe in found["probes"]} >= {"negated-sorry", "late-reply", "canned"}
    assert main(["models", "probe", "mechanisms.er", str(answers(tmp_path))]) == 0
    shown = capsys.readouterr().out
    assert "I am not sorry to hear that." in shown
    assert "mean change" in shown


def test_a_column_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "probe", "mechanisms.err"]) == 1
    assert "Did you mean 'er'" in capsys.readouterr().err


def test_a_model_with_an_encoder_is_fitted_and_used_beside_the_one_without(
    tmp_path: Path, minilm: MiniLM, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "fit", "epitome", "--data", str(released(tmp_path)), "--encoder", "minilm", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "epitome-minilm"
    words = ["score", str(answers(tmp_path)), "--metrics", "mechanisms", "--set", "mechanisms.model=epitome-minilm"]
    assert main([*words, "--json"]) == 0
    cell = json.loads(capsys.readouterr().out)["systems"]["a"]["mechanisms.er"]
    assert "+minilm@8199be6f" in cell["signature"]
    assert 0 <= cell["value"] <= 2


def test_an_encoder_is_for_epitome_and_has_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "fit", "miti", "--data", str(tmp_path), "--encoder", "minilm"]) == 1
    assert "--encoder is for epitome" in capsys.readouterr().err
    assert main(["models", "fit", "epitome", "--data", str(released(tmp_path)), "--encoder", "minilmm"]) == 1
    assert "Did you mean 'minilm'?" in capsys.readouterr().err
