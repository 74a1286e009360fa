"""Tables, dialogues and lists become HTML, every text of a user escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from empathic.records import Turn
from empathic.reports.material import Answer, Branch, Example


class Cell(str):
    """HTML that is ready, as against text, which is escaped."""


def cell(content: object) -> str:
    """A cell's content."""
    return str(content) if isinstance(content, Cell) else escape(str(content))


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str) -> str:
    """A table people can sort, and whose data they can have."""
    heads = "".join(f'<th scope="col"><button type="button">{escape(each) or "measure"}</button></th>' for each in head)
    body = "".join(
        f'<tr><th scope="row">{cell(row[0])}</th>{"".join(f"<td>{cell(each)}</td>" for each in row[1:])}</tr>'
        for row in rows
    )
    tools = f'<p class="tools"><button type="button" class="quiet" data-table="{name}">Data as CSV</button></p>'
    return (
        f'<div class="table" role="region" aria-label="Table: {escape(caption, quote=True)}" tabindex="0">'
        f'<table class="sortable" id="{name}"><caption class="hidden">{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{tools}"
    )


def figure(svg: str, caption: str) -> str:
    """A figure with its caption."""
    return f'<figure tabindex="0">{svg}<figcaption>{escape(caption)}</figcaption></figure>'


def section(name: str, title: str, *content: str) -> str:
    """A section with its heading."""
    heading = f'<h2 id="{name}-title">{escape(title)}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">{heading}{"".join(content)}</section>'


def paragraph(text: str, class_: str = "") -> str:
    """A paragraph of text."""
    return f'<p class="{class_}">{escape(text)}</p>' if class_ else f"<p>{escape(text)}</p>"


def items(texts: Iterable[str]) -> str:
    """A list."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def tree(branches: Sequence[Branch]) -> str:
    """A tree that opens branch by branch."""
    if not branches:
        return "<p>Nothing repeats.</p>"
    return f'<ul class="tree">{"".join(f"<li>{_branch(each)}</li>" for each in branches)}</ul>'


def _branch(branch: Branch) -> str:
    label = f"{branch.hits} × {escape(branch.text)}"
    return f"<details><summary>{label}</summary>{tree(branch.branches)}</details>" if branch.branches else label


def example(found: Example) -> str:
    """One place of a dialogue: what was said, and every system's answer with the words that earned a score."""
    label = f"{found.dialogue}{f' · {found.emotion}' if found.emotion else ''}: {_start(found.turns)}"
    turns = "".join(
        f'<li class="{turn.role}"><span class="who">{turn.role}</span>{escape(turn.text)}</li>' for turn in found.turns
    )
    answers = "".join(
        f'<dt class="system">{escape(each.system)}</dt><dd>{_answer(each)}</dd>' for each in found.answers
    )
    emotion = escape(found.emotion or "", quote=True)
    return (
        f'<details data-emotion="{emotion}"><summary>{escape(label)}</summary>'
        f'<ol class="turns">{turns}</ol><dl>{answers}</dl></details>'
    )


def _start(turns: Sequence[Turn]) -> str:
    text = turns[-1].text if turns else ""
    return text if len(text) <= 80 else text[:79] + "…"


def _answer(answer: Answer) -> str:
    if answer.text is None:
        return f'<span class="flag">missing: {escape(answer.missing or "no reason given")}</span>'
    parts, at = [], 0
    for (start, end), scores in sorted(_spans(answer.text, answer.marks).items()):
        if start >= at:  # words inside words that are marked already stay as they are
            title = escape(", ".join(scores), quote=True)
            parts += [escape(answer.text[at:start]), f'<mark title="{title}">{escape(answer.text[start:end])}</mark>']
            at = end
    return "".join([*parts, escape(answer.text[at:])])


def _spans(text: str, marks: Iterable[tuple[str, str]]) -> dict[tuple[int, int], list[str]]:
    """Where marked words stand in a text, and the scores they earned."""
    found: dict[tuple[int, int], list[str]] = {}
    for words, score in marks:
        place = re.search(re.escape(words), text, re.IGNORECASE) if words else None
        if place is not None:
            found.setdefault(place.span(), []).append(score)
    return found
