"""The documentation keeps step: everything registered, every verb and every public name has its place."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import empathic
from empathic import registry
from empathic.cli import VERBS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def pages(stem: str) -> str:
    """The text of docs/STEM.md and of every page in docs/STEM/."""
    found = [DOCS / f"{stem}.md", *sorted((DOCS / stem).glob("**/*.md"))]
    return "\n".join(path.read_text() for path in found if path.exists())


@pytest.mark.parametrize("kind", registry.KINDS)
def test_everything_registered_is_named_in_the_docs_of_its_kind(kind: registry.Kind) -> None:
    text, names = pages(f"{kind}s"), {entry.name for entry in registry.entries(kind)}
    missing = sorted(name for name in names if f"`{name}`" not in text)
    assert not missing, f"docs/{kind}s.md does not name {missing}"


def test_every_verb_is_described_in_the_docs() -> None:
    text = pages("commands")
    assert not [verb for verb in VERBS if f"## {verb}" not in text]


def test_every_public_name_is_importable_and_described() -> None:
    text = pages("python")
    for name in empathic.__all__:
        assert getattr(empathic, name) is not None
        assert f"`{name}`" in text, f"docs/python.md does not name {name}"
    assert len(empathic.__all__) <= 40


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        empathic.nonsense  # noqa: B018
    assert "Response" in dir(empathic)


def test_no_relative_link_of_a_markdown_file_is_dead() -> None:
    for path in [*ROOT.glob("*.md"), *DOCS.glob("**/*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.relative_to(ROOT)} links to {target}"


def test_the_project_speaks_of_the_project_alone() -> None:
    words = re.compile(r"/work/|/root/|pypi\.org|files\.pythonhosted|registry\.npmjs|localhost:\d{4}/simple", re.I)
    for path in [*ROOT.glob("*.md"), *ROOT.glob("requirements/*"), *DOCS.glob("**/*.md"), *ROOT.glob("src/**/*.py")]:
        found = words.search(path.read_text())
        assert found is None, f"{path.relative_to(ROOT)} says {found.group() if found else ''}"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").exists()
