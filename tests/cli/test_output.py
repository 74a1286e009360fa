from __future__ import annotations

import argparse

import pytest

from empathic.cli import output


def test_a_table_is_aligned_with_numbers_to_the_right() -> None:
    assert output.table(("name", "n"), [("a", 1), ("bcd", 20)]).split("\n") == [
        "name   n",
        "----  --",
        "a      1",
        "bcd   20",
    ]


def test_a_missing_value_is_a_dash_and_an_empty_table_has_its_head() -> None:
    assert "–" in output.table(("x",), [(None,)])
    assert output.table(("x", "y"), []).startswith("x  y")


def test_common_flags_are_json_and_load() -> None:
    parser = argparse.ArgumentParser()
    output.add_common(parser)
    options = parser.parse_args(["--json", "--load", "a.py", "--load", "b.py"])
    assert options.json
    assert [path.name for path in options.load] == ["a.py", "b.py"]


def test_results_go_to_standard_output_and_news_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("result")
    output.log("news")
    output.print_json({"a": None})
    captured = capsys.readouterr()
    assert captured.out == 'result\n{\n  "a": null\n}\n'
    assert captured.err == "news\n"
