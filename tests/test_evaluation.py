from __future__ import annotations

import json
from pathlib import Path

import pytest

import empathic
from empathic.cli import main
from empathic.errors import InputError, SettingError, UnknownName
from empathic.evaluation import Evaluation
from empathic.records import Response, Turn

NAMES = ["length", "questions", "distinct"]
FILES = ("responses.jsonl", "scores.parquet", "scores.json", "estimates.json")


def write(path: Path, answer: str) -> Path:
    path.write_text(json.dumps([{"query": [f"I am sad {n}"], "response": f"{answer} {n} ."} for n in range(8)]))
    return path


def record(text: str | None) -> Response:
    turns = (Turn(role="speaker", text="I failed."),)
    missing = None if text else "timeout"
    return Response(id=f"r-{text}", system="<b>", dialogue=f"d-{text}", turns=turns, text=text, missing=missing)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("evaluation")
    paths = {"human": write(folder / "a.json", "Oh no , why ?"), "mine": write(folder / "b.json", "I am sorry")}
    return empathic.evaluate(paths, folder / "run", metrics=NAMES, draws=100)  # type: ignore[no-any-return]


def test_the_files_are_those_of_the_command(found: Evaluation) -> None:
    folder = found.run.folder.parent
    sources = [f"human={folder / 'a.json'}", f"mine={folder / 'b.json'}"]
    chosen = ["--metrics", ",".join(NAMES), "--draws", "100", "-o", str(folder / "command")]
    assert main(["evaluate", "--responses", *sources, *chosen]) == 0
    for name in FILES:
        assert found.run.path(name).read_bytes() == (folder / "command" / name).read_bytes(), name


def test_the_profile_is_a_table_of_the_estimates(found: Evaluation) -> None:
    rows = {(row["metric"], row["system"]): row for row in found.profile.to_pylist()}
    means = [each for each in found.estimates if each.labels["kind"] == "mean"]
    assert rows["questions.marks", "human"]["value"] == 1.0
    for each in means:
        row = rows[each.labels["metric"], each.labels["system"]]
        assert (row["value"], row["low"], row["high"], row["n"]) == (each.value, each.low, each.high, each.n)
    assert rows["distinct.2", "mine"]["dimension"] == "diversity"


def test_the_profile_goes_to_pandas(found: Evaluation) -> None:
    pandas = pytest.importorskip("pandas")
    frame = found.profile.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert set(frame["system"]) == {"human", "mine"}


def test_scores_have_a_row_per_response(found: Evaluation) -> None:
    assert found.scores.num_rows == 16
    assert found.report.read_text().startswith("<!doctype html>")
    assert repr(found) == f"Evaluation('{found.run.folder}')"


def test_a_notebook_shows_the_headline_numbers(found: Evaluation) -> None:
    text = found._repr_html_()
    assert '<th scope="col">human</th><th scope="col">mine</th>' in text
    assert '<th scope="row">questions: sentences</th><td>1 <small>[1, 1]</small></td><td>0' in text


def test_records_are_evaluated_and_names_escaped(tmp_path: Path) -> None:
    answers = [record(f"That is hard {n}.") for n in range(4)] + [record(None)]
    result = empathic.evaluate(iter(answers), tmp_path / "run", metrics=["length"], draws=100)
    assert "&lt;b&gt;" in result._repr_html_()
    assert result.scores["length.words"].null_count == 1


def test_one_file_or_several_are_taken_as_they_are(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}_responses.json", name) for name in ("x", "y")]
    both = empathic.evaluate(paths, tmp_path / "both", metrics=["length"], draws=100)
    one = empathic.evaluate(str(paths[0]), tmp_path / "one", metrics=["length"], draws=100)
    assert set(both.scores["system"].to_pylist()) == {"x", "y"}
    assert set(one.scores["system"].to_pylist()) == {"x"}


def test_scores_of_records_are_a_table() -> None:
    table = empathic.score([record("How did it happen?"), record(None)], metrics=["length", "questions"])
    assert table["questions.marks"].to_pylist() == [1.0, None]
    assert dict(table["missing"].to_pylist()[1])["length.words"] == "timeout"


def test_what_does_not_fit_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="either paths of files or Response records"):
        empathic.evaluate([record("x"), "a.json"], tmp_path / "run")
    with pytest.raises(UnknownName, match="Did you mean 'length'"):
        empathic.score([record("x")], metrics=["lenght"])
    with pytest.raises(InputError, match="holds no estimates.json"):
        Evaluation(tmp_path)
