"""Replies as they come become one line on a terminal: done, rate, time left, tokens, cost, failures."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from empathic.generation import Progress

WIDTH, INTERVAL = 24, 0.1


class Bar:
    """A progress line on standard error, only if that is a terminal."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total, self.stream = total, stream or sys.stderr
        self.shown = self.stream.isatty()
        self.done = self.fresh = self.failed = self.tokens = 0
        self.cost = 0.0
        self._begin = self._last = time.monotonic()

    def watch(self, progress: Progress) -> None:
        """Count one reply; what was stored already does not count for the rate."""
        generation = progress.reply.generation
        self.done += 1
        self.fresh += not progress.stored
        self.failed += progress.reply.missing is not None
        self.tokens += (generation.prompt_tokens or 0) + (generation.completion_tokens or 0)
        self.cost += generation.cost or 0.0
        if self.shown and time.monotonic() - self._last >= INTERVAL:
            self._last = time.monotonic()
            self.stream.write(f"\r{self.line()}\033[K")
            self.stream.flush()

    def line(self) -> str:
        """The line as it stands now."""
        share = min(1.0, self.done / self.total) if self.total else 1.0
        bar = "█" * int(share * WIDTH) + "·" * (WIDTH - int(share * WIDTH))
        parts = [
            f"{bar} {self.done}/{max(self.total, self.done)}",
            f"{self.rate():.1f}/s",
            f"{_clock(self.left())} left",
        ]
        parts += [f"{self.tokens:,} tokens"] if self.tokens else []
        parts += [f"${self.cost:.4f}"] if self.cost else []
        parts += [f"{self.failed} failed"] if self.failed else []
        return "  ".join(parts)

    def rate(self) -> float:
        """Fresh replies a second."""
        return self.fresh / max(1e-9, time.monotonic() - self._begin)

    def left(self) -> float | None:
        """Seconds until everything is there, at this rate."""
        return (self.total - self.done) / self.rate() if self.fresh else None

    def end(self) -> None:
        """Leave the terminal's line empty."""
        if self.shown:
            self.stream.write("\r\033[K")
            self.stream.flush()


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    return f"{minutes}:{rest:02d}"
