"""Template files → everything that is wrong with them, each with its file, its line and what to change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from empathic.errors import InputError
from empathic.probes import factors, pages, released, templates
from empathic.probes.checks import answers, grammar, masks, wording
from empathic.probes.checks.draft import Draft, Finding, draft
from empathic.probes.pages import Page

CHECKS = (masks.check, grammar.check, wording.check, answers.check)


def check(sources: Iterable[str | Path], *, language: str | None = None) -> list[Finding]:
    """What is wrong with the templates of these files and folders; nothing, if all is well."""
    found: list[Finding] = []
    seen: dict[tuple[str, str], Path] = {}
    for path in (path for source in sources for path in _paths(source, language or "en")):
        found.extend(_file(path, language, seen))
    return found


def _paths(source: str | Path, language: str) -> list[Path]:
    paths = templates.paths(source, language=language)
    if not paths or not paths[0].exists():
        raise InputError("there is no template here (a .yaml file, or a .txt file of JaEm-ST)", path=source)
    return paths


def review(draft: Draft) -> Iterator[Finding]:
    """What every rule has to say of one template."""
    for rules in CHECKS:
        yield from rules(draft)


def _file(path: Path, language: str | None, seen: dict[tuple[str, str], Path]) -> Iterator[Finding]:
    try:
        page = _page(path)
        if isinstance(page.content, dict) and isinstance(page.content.get("factors"), dict):
            factors.read_file(path)
            return
        template = templates.read_file(path) if path.suffix == ".txt" else templates.from_page(page)
    except InputError as error:
        yield Finding(path=str(path), line=error.line or 1, rule="shape", what=_where(error), change=_advice(error))
        return
    under_review = draft(template, page)
    if language is not None and template.language != language:
        what = f"the template is in '{template.language}', '{language}' was asked for"
        yield under_review.finding("language", ("language",), "", what, "Check it with its own language")
    key = (template.id, template.language)
    if key in seen:
        what = f"the id '{template.id}' is also that of {seen[key]}"
        yield under_review.finding("duplicate-id", ("id",), "", what, "Rename one of them")
    seen.setdefault(key, path)
    yield from sorted(review(under_review), key=lambda finding: finding.line)


def _page(path: Path) -> Page:
    if path.suffix != ".txt":
        return pages.read(path)
    released.read(path)  # says what is wrong with its shape
    return Page(path, None, tuple(map(released.ours, path.read_text("utf-8-sig").splitlines())), {})


def _where(error: InputError) -> str:
    return f"`{error.field}`: {error.what}" if error.field else error.what


def _advice(error: InputError) -> str:
    missing = re.search(r"missing required field `(\w+)`", error.what)
    if missing:
        return f"Add `{missing.group(1)}:`"
    if "unknown field" in error.what:
        return "Remove it or correct its name; docs/probes.md lists the keys"
    return "Correct it; docs/probes.md shows a whole template"
