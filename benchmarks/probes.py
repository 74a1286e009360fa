"""maxT within templates for the paper's 486 probes × 20 templates, 2,000 permutations, against a loop over permutations.

The loop deals each template's values anew and sums them per group, one data set after the other; it is timed on 20
permutations and multiplied by 100, since every permutation costs it the same. It does not even studentise.
"""

from __future__ import annotations

import itertools
import time

import numpy as np

from empathic.statistics.groups import layout, observations
from empathic.statistics.maxt import maxt

TEMPLATES, REPEATS, DRAWS, LOOPED = 20, 6, 2000, 20
LEVELS = {"sexuality": 9, "pronouns": 3, "age": 3}


def data():  # noqa: ANN201
    cells = list(itertools.product(*(range(count) for count in LEVELS.values()))) * REPEATS
    names = np.repeat([f"t{place:02d}" for place in range(TEMPLATES)], len(cells))
    factors = {name: np.tile([str(cell[place]) for cell in cells], TEMPLATES) for place, name in enumerate(LEVELS)}
    values = np.random.default_rng(1).normal(size=len(names))
    return observations(
        values, names, factors, references=dict.fromkeys(LEVELS, "0"), crossed=("sexuality", "pronouns")
    )


def loop(found, values: np.ndarray) -> None:  # noqa: ANN001
    random = np.random.default_rng(1)
    for _ in range(LOOPED):
        for row, member in zip(found.rows, found.members, strict=True):
            dealt = random.permutation(values[row])
            for group in range(member.shape[1]):
                dealt[member[:, group] > 0].mean()


def main() -> None:
    observed = data()
    found = layout(observed)
    start = time.process_time()
    loop(found, observed.values)
    looped = (time.process_time() - start) * DRAWS / LOOPED
    start = time.process_time()
    maxt(found, observed.values, draws=DRAWS, seed=1)
    own = time.process_time() - start
    print(
        f"{len(observed.values):,} values, {len(found.groups)} groups, {len(found.contrasts)} comparisons, {DRAWS:,} draws"
    )
    print(f"{'loop (s)':>10}{'empathic (s)':>14}{'times faster':>14}")
    print(f"{looped:>10.1f}{own:>14.2f}{looped / own:>14.0f}")


if __name__ == "__main__":
    main()
