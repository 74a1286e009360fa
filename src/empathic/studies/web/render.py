"""Templates and plain texts become HTML; everything a person wrote is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from empathic.studies.desk.pictures import moment

FOLDER = Path(__file__).parent
_BULLET = re.compile(r"^[-*•]\s+")
_HEADING = re.compile(r"^#{1,6}\s+")


def prose(text: str) -> Markup:
    """Plain text as paragraphs: blank lines part them, `- ` makes a list, `## ` a heading. No markup gets through."""
    blocks = re.split(r"\n\s*\n", text.strip()) if text.strip() else []
    return Markup("\n").join(_block([line.strip() for line in block.splitlines()]) for block in blocks)


def _block(lines: list[str]) -> Markup:
    if all(_BULLET.match(line) for line in lines):
        items = Markup("").join(Markup("<li>{}</li>").format(_BULLET.sub("", line)) for line in lines)
        return Markup("<ul>{}</ul>").format(items)
    if _HEADING.match(lines[0]):
        heading = Markup("<h2>{}</h2>").format(_HEADING.sub("", lines[0]))
        return heading + Markup("\n") + _block(lines[1:]) if lines[1:] else heading
    if any(_BULLET.match(line) for line in lines):
        return Markup("\n").join(_block(part) for part in _runs(lines))
    return Markup("<p>{}</p>").format(Markup("<br>").join(escape(line) for line in lines))


def _runs(lines: list[str]) -> Iterator[list[str]]:
    """Stretches of list lines and of other lines."""
    run: list[str] = []
    for line in lines:
        if run and bool(_BULLET.match(run[-1])) != bool(_BULLET.match(line)):
            yield run
            run = []
        run.append(line)
    yield run


def _environment() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(FOLDER / "templates")
    made = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["prose"] = prose
    made.filters["moment"] = moment
    return made


ENVIRONMENT = _environment()
EMPTY: dict[str, Any] = {
    **dict.fromkeys(("study", "csrf", "owner", "progress", "back", "bot", "instrument", "thing", "problem")),
    "title": "Study",
    "may_withdraw": False,
    "ended": False,
    "long": False,
    "wrong": (),
    "refused": (),
}


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the study."""
    return HTMLResponse(ENVIRONMENT.get_template(template).render({**EMPTY, **values}), status)
