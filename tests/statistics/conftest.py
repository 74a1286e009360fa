"""What the tests of statistics share: a simulated null, and R if it is there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats


@pytest.fixture
def null_rate() -> Callable[..., None]:
    """Checks that the share of p < .05 under a true null lies in its 99.9 % Monte-Carlo interval around .05."""

    def check(once: Callable[[np.random.Generator], float], *, runs: int, seed: int = 20240305) -> None:
        random = np.random.default_rng(seed)
        rejected = sum(once(random) < 0.05 for _ in range(runs))
        low, high = stats.binom.interval(0.999, runs, 0.05)
        assert low <= rejected <= high, f"{rejected} of {runs} rejected, between {low} and {high} expected"

    return check


@pytest.fixture
def r() -> Callable[[str], list[float]]:
    """Runs a piece of R and gives the numbers it prints; skipped where there is no Rscript."""
    if shutil.which("Rscript") is None:
        pytest.skip("Rscript is not installed")

    def run(code: str) -> list[float]:
        done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False)
        if "there is no package called" in done.stderr:
            pytest.skip(done.stderr.strip().splitlines()[-1])
        assert done.returncode == 0, done.stderr
        return [float(word) for word in done.stdout.split()]

    return run
