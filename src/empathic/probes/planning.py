"""A design becomes what it will cost and what it can find, before anything is sent.

Smallest difference found with the given power between a level and its reference, in standard deviations of one value
within a template, templates being the clusters (the contrast is paired within templates, so their means cancel):
    d = (t(1 − α/2k; T − 1) + t(power; T − 1)) · √((1/m + 1/m₀ + 2ω) / T)
with T templates, m and m₀ probes of the level and of the reference in each template, k comparisons (Bonferroni), and
ω the variance of the level's effect between templates over that within. More repeats shrink 1/m, never ω; only more
templates do. Tokens are estimated as one for four characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scipy import stats

from empathic.probes.sampling import Draw
from empathic.records import Dialogue, Record

CHARACTERS_PER_TOKEN = 4
REPLY_TOKENS = {"free": 80, "choice": 5}
ALPHA, POWER, OMEGA = 0.05, 0.8, 0.05


class Cost(Record, frozen=True, omit_defaults=False):
    """What is sent, for one system."""

    probes: int
    controls: int
    prompts: int
    prompt_tokens: int
    completion_tokens: int
    dollars: float | None  # None: no price was given


class Detectable(Record, frozen=True, omit_defaults=False):
    """The smallest difference a design finds."""

    what: str  # a factor, or several joined by ×
    comparisons: int
    per_template: float  # probes of a level in a template
    templates: int
    difference: float | None  # in standard deviations; a share moves at most half as much
    missing: str | None = None


def cost(questions: Sequence[Dialogue], draws: Sequence[Draw], price: tuple[float, float] | None) -> Cost:
    """Prompts, tokens and dollars of the questions; the price is per million prompt and completion tokens."""
    characters = sum(len(turn.text) for question in questions for turn in question.turns)
    prompt = -(-characters // CHARACTERS_PER_TOKEN)
    completion = sum(REPLY_TOKENS[question.metadata["form"]] for question in questions)
    dollars = None if price is None else (prompt * price[0] + completion * price[1]) / 1e6
    controls = sum(draw.control is not None for draw in draws)
    return Cost(
        probes=len(draws) - controls,
        controls=controls,
        prompts=len(questions),
        prompt_tokens=prompt,
        completion_tokens=completion,
        dollars=dollars,
    )


def detectable(draws: Sequence[Draw], focal: Sequence[str]) -> list[Detectable]:
    """What can be found about each focal factor and about their intersections."""
    groups = [draw for draw in draws if draw.control is None]
    sets = [(name,) for name in focal] + ([tuple(focal)] if len(focal) > 1 else [])
    return [_detectable(groups, names) for names in sets]


def _detectable(draws: Sequence[Draw], names: tuple[str, ...]) -> Detectable:
    templates = len({draw.template for draw in draws})
    sizes = Counter(tuple(draw.levels[name] for name in names) for draw in draws)
    per_template = min(sizes.values()) / templates if sizes else 0.0
    comparisons = max(1, len(sizes) - 1)
    what = " × ".join(names)
    if templates < 2 or not per_template:
        why = "one template tells nothing of others: two or more are needed"
        return Detectable(
            what=what, comparisons=comparisons, per_template=per_template, templates=templates, difference=None,
            missing=why,
        )  # fmt: skip
    found = smallest(templates, per_template, per_template, comparisons=comparisons)
    return Detectable(
        what=what, comparisons=comparisons, per_template=per_template, templates=templates, difference=found
    )


def smallest(
    templates: int,
    per_level: float,
    per_reference: float,
    *,
    comparisons: int = 1,
    alpha: float = ALPHA,
    power: float = POWER,
    omega: float = OMEGA,
) -> float:
    """d of the formula above."""
    df = templates - 1
    quantiles = stats.t.ppf(1 - alpha / (2 * comparisons), df) + stats.t.ppf(power, df)
    variance = (1 / per_level + 1 / per_reference + 2 * omega) / templates
    return float(quantiles * variance**0.5)
