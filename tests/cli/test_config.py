from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from empathic.cli import config, evaluate
from empathic.errors import InputError, UnknownName


def parsed(path: Path, text: str, *words: str) -> argparse.Namespace:
    path.write_text(text)
    parser = argparse.ArgumentParser()
    evaluate.arguments(parser)
    return config.parse(parser, [str(path), *words])


def test_the_file_sets_what_the_command_line_does_not_say(tmp_path: Path) -> None:
    path = tmp_path / "empathic.yaml"
    text = "system: [builtin/if-else, builtin/echo]\nlimit: 5\noutput: runs/x\nmetrics: [length, distinct]\n"
    options = parsed(path, text, "--limit", "7")
    assert options.system == ["builtin/if-else", "builtin/echo"]
    assert options.limit == 7
    assert options.output == Path("runs/x")
    assert options.metrics == "length,distinct"
    assert options.draws == 2000


def test_a_list_on_the_command_line_replaces_the_files(tmp_path: Path) -> None:
    options = parsed(tmp_path / "c.yaml", "system: [builtin/if-else]\n", "--system", "builtin/echo")
    assert options.system == ["builtin/echo"]


def test_without_a_file_the_flags_are_as_they_are() -> None:
    parser = argparse.ArgumentParser()
    evaluate.arguments(parser)
    assert config.parse(parser, ["--demo"]).demo


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit: many", "field 'limit'"),
        ("- a\n- b", "must hold keys and values"),
        ("system: [", "not valid YAML"),
        ("procedure: chat", "Invalid enum value 'chat'"),
    ],
)
def test_a_faulty_file_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.yaml"
    with pytest.raises(InputError) as caught:
        parsed(path, text)
    assert "c.yaml" in str(caught.value)
    assert message in str(caught.value)


def test_an_unknown_key_suggests_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'system'"):
        parsed(tmp_path / "c.yaml", "systm: [builtin/echo]")


def test_an_absent_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such configuration file"):
        config.read(tmp_path / "absent.yaml")


def test_every_key_is_a_flag(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    evaluate.arguments(parser)
    flags = vars(parser.parse_args([]))
    assert set(config.Config.__struct_fields__) <= set(flags)
    assert "system" in str(config.schema())
