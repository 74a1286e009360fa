from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from empathic.cli import main
from empathic.cli.trie import dot, lines, page
from empathic.metrics.trie import Node

TREE = Node(text="", count=3, children=(Node(text='say "a" <b>', count=2, span=True), Node(text="c", count=1)))


@pytest.fixture
def cem(tmp_path: Path) -> Path:
    path = tmp_path / "cem_responses.json"
    texts = ["i am sorry .", "i am sorry .", "i am glad !", "wow !"]
    answers = [{"query": ["x"], "response": text, "beam_search": "oh no"} for text in texts]
    path.write_text(json.dumps([{**answer, "query": [f"q{n}"]} for n, answer in enumerate(answers)]))
    return path


def test_spans_templates_and_the_tree_are_shown(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trie", str(cem), "--least", "1"]) == 0
    shown = capsys.readouterr().out
    assert "[i am sorry .]" in shown
    assert "tree of 4 responses" in shown
    assert "├─" in shown


def test_the_document_holds_shape_spans_templates_and_tree(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trie", str(cem), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["shape"]["templates"] == 3
    assert document["spans"][0] == {"text": "i am sorry .", "count": 2}
    assert document["tree"]["count"] == 4


def test_another_decoding_is_folded_when_asked_for(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trie", str(cem), "--json", "--decoding", "beam_search"]) == 0
    assert json.loads(capsys.readouterr().out)["shape"]["templates"] == 1


@pytest.mark.parametrize("suffix", ["json", "dot", "html"])
def test_the_tree_is_exported(cem: Path, tmp_path: Path, suffix: str) -> None:
    assert main(["trie", str(cem), "-o", str(tmp_path / f"tree.{suffix}")]) == 0
    assert "i am sorry ." in (tmp_path / f"tree.{suffix}").read_text()


def test_words_are_escaped_in_every_export() -> None:
    assert 'label="say \\"a\\" <b>\\n2" style=filled' in dot(TREE)
    assert "say &quot;a&quot; &lt;b&gt;" in page(TREE)
    assert list(lines(TREE.children)) == ['├─ [say "a" <b>]  2', "└─ c  1"]


def test_mistakes_say_what_to_do(cem: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trie", str(cem), "-o", "tree.png"]) == 1
    assert ".json, .dot, .html" in capsys.readouterr().err
    assert main(["trie", str(cem), "--system", "moel"]) == 1
    assert "holds no responses with a text" in capsys.readouterr().err


def test_graphviz_reads_what_is_written(tmp_path: Path) -> None:
    import subprocess

    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    (tmp_path / "tree.dot").write_text(dot(TREE))
    assert subprocess.run(["dot", "-Tsvg", tmp_path / "tree.dot"], capture_output=True, check=False).returncode == 0
