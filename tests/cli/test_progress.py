from __future__ import annotations

import io

from empathic.cli.progress import Bar
from empathic.contracts import Reply
from empathic.generation import Progress
from empathic.records import Generation


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def seen(text: str | None, stored: bool = False) -> Progress:
    generation = Generation(prompt_tokens=900, completion_tokens=100, cost=0.01)
    reply = Reply(text=text, missing=None if text else "HTTP 500", generation=generation)
    return Progress(system="s", reply=reply, stored=stored)


def test_the_line_tells_done_tokens_cost_and_failures() -> None:
    bar = Bar(4, io.StringIO())
    assert "? left" in bar.line()
    for progress in (seen("a"), seen(None), seen("b", stored=True)):
        bar.watch(progress)
    line = bar.line()
    assert line.startswith("█" * 18 + "·" * 6 + " 3/4  ")
    assert "3,000 tokens  $0.0300  1 failed" in line
    assert (bar.fresh, bar.rate() > 0) == (2, True)


def test_nothing_is_written_where_nobody_looks() -> None:
    stream = io.StringIO()
    bar = Bar(1, stream)
    bar.watch(seen("a"))
    bar.end()
    assert stream.getvalue() == ""


def test_a_terminal_gets_one_line_that_is_cleared_at_the_end() -> None:
    stream = Terminal()
    bar = Bar(1, stream)
    bar._last -= 1
    bar.watch(seen("a"))
    bar.end()
    assert "1/1" in stream.getvalue() and "\n" not in stream.getvalue()
    assert stream.getvalue().endswith("\r\033[K")
