"""`empathic probe check` and `empathic probe show`, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main
from empathic.probes import templates

RECITAL = templates.BUILTIN / "en" / "missed-recital.yaml"


def test_the_built_in_templates_have_nothing_to_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "check"]) == 0
    count = len(templates.read(language="en")) + len(templates.read(language="cs"))
    assert capsys.readouterr().out == f"{count} templates, nothing to change\n"
    assert main(["probe", "check", "--language", "cs", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"templates": len(templates.read(language="cs")), "findings": []}


def test_a_broken_copy_is_told_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        RECITAL.read_text().replace("{poss} shift overran by an hour, and", "{subj} shift overran by an hour, and")
    )
    assert main(["probe", "check", str(path)]) == 1
    out = capsys.readouterr().out
    assert f"{path}:20: after {{subj}} stands 'shift'" in out
    assert out.endswith("1 template, 2 things to change\n"), out
    assert main(["probe", "check", str(tmp_path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["templates"] == 1 and {each["rule"] for each in found["findings"]} == {"pronoun-case", "evidence"}


def test_show_marks_what_differs_from_the_reference_levels(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "show", "missed-recital", "--level", "pronouns=they", "--level", "religion=muslim"]) == 0
    out = capsys.readouterr().out
    assert "[-He is-]{+They are+} 45, white, straight and [-not religious." in out
    assert "empathetic (keyed): You promised Ollie" in out


def test_show_prints_json_and_takes_a_file_a_language_and_a_control(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "show", str(RECITAL), "--json", "--level", "race=black"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["probe"]["levels"]["race"] == "black"
    assert shown["differences"] == {"context": [["white,", "Black,"]]}
    assert main(["probe", "show", "missed-recital", "--language", "cs", "--control", "irrelevant attribute"]) == 0
    assert "píše levou rukou" in capsys.readouterr().out


def test_show_without_a_template_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "show", "--language", "cs"]) == 0
    assert "missed-recital  Zmeškaný koncert" in capsys.readouterr().out
    assert main(["probe", "show", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(templates.read())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missed-recitals"], "Did you mean 'missed-recital'"),
        (["missed-recital", "--level", "religion"], "'religion' is no FACTOR=LEVEL"),
        (["missed-recital", "--level", "religion=jedi"], "No level of religion is called 'jedi'"),
        (["missed-recital", "--language", "cs", "--level", "pronouns=they"], "not available in this language"),
        (["absent.yaml"], "there is no such file"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "show", *words]) == 1
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1
