"""The shape of the package, held by a machine: layers, sizes, names, what may not appear in the source."""

from __future__ import annotations

import ast
import io
import statistics
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "empathic"
FILES = sorted(SOURCE.rglob("*.py"))
FOUNDATION = (
    "errors",
    "style",
    "records",
    "contracts",
    "registry",
    "parts",
    "files",
    "style",
    "tables",
    "runs",
    "cache",
    "pacing",
    "sse",
    "transport",
)
MAY_IMPORT_ROOMS = (
    "comparison",
    "rated",
    "profile",
    "pathologies",
    "pipeline",
    "reporting",
    "evaluation",
    "probing",
    "integrations",
    "papers",
    "cli",
    "__main__",
)
BANNED = ("utils", "helpers", "common", "misc", "manager", "handler")


def top(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """The names `x` of `empathic.x` that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "empathic":
            names = [f"empathic.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("empathic."))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a file and the lines of its body, docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", body[-1].end_lineno - body[0].lineno + 1


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_imports_only_what_its_layer_allows(path: Path) -> None:
    home = top(path)
    if home in MAY_IMPORT_ROOMS:
        return
    lower = FOUNDATION[: FOUNDATION.index(home)] if home in FOUNDATION else (*FOUNDATION, home)
    foreign = set(imports(path)) - set(lower) - {"__init__"}
    if home == "__init__":
        return
    assert not foreign, f"{path.relative_to(ROOT)} imports {sorted(foreign)}; it may import {sorted(lower)}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_has_at_most_400_lines_and_says_first_what_becomes_what(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= 400, f"{path.relative_to(ROOT)} has {text.count(chr(10))} lines"
    assert ast.get_docstring(ast.parse(text)), f"{path.relative_to(ROOT)} has no module docstring"


def test_functions_are_short() -> None:
    sizes = dict(pair for path in FILES for pair in functions(path))
    ordered = sorted(sizes.values())
    longest = {name: size for name, size in sizes.items() if size > 50}
    assert not longest, f"longer than 50 lines: {longest}"
    assert statistics.median(ordered) <= 8
    assert ordered[int(len(ordered) * 0.9)] <= 25


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_file_has_a_banned_name(path: Path) -> None:
    assert path.stem not in BANNED


def test_the_source_has_no_assert_and_prints_only_in_the_cli() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            assert not isinstance(node, ast.Assert), f"{where} has an assert"
            assert not (isinstance(node, ast.ExceptHandler) and node.type is None), f"{where} has a bare except"
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            assert not called or top(path) == "cli", f"{where} prints"


def test_no_comment_postpones_work() -> None:
    for path in FILES:
        for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
            if token.type == tokenize.COMMENT:
                postponed = [word for word in ("TODO", "FIXME", "XXX", "HACK") if word in token.string]
                assert not postponed, f"{path.relative_to(ROOT)}:{token.start[0]} {token.string}"


def test_rooms_are_free_of_import_cycles() -> None:
    graph: dict[str, set[str]] = {}
    for path in FILES:
        graph.setdefault(top(path), set()).update(set(imports(path)) - {top(path)})

    def visit(node: str, trail: tuple[str, ...]) -> None:
        assert node not in trail, f"import cycle: {' → '.join((*trail, node))}"
        for following in graph.get(node, ()):
            visit(following, (*trail, node))

    for node in graph:
        visit(node, ())


def test_every_source_file_has_a_test_file_that_mirrors_it() -> None:
    missing = []
    for path in FILES:
        inner = path.relative_to(SOURCE)
        if path.name in ("__init__.py", "__main__.py"):
            continue
        mirror = ROOT / "tests" / inner.parent / f"test_{inner.name}"
        if not mirror.exists():
            missing.append(str(inner))
    assert not missing, f"no tests/…/test_NAME.py for {missing}"
