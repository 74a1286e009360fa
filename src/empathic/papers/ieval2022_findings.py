"""The iEval study becomes what the paper should have said: each finding a sentence with the numbers that show it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from scipy import stats

from empathic.papers.checks import Finding, cell_matches
from empathic.papers.ieval2022_cells import Cells, contrasts, questions, regression, repetitiveness_and_rating
from empathic.papers.ieval2022_data import BOTS, CONTEXTS, TURNS, Array, Study
from empathic.records import Estimate
from empathic.statistics import comparisons, effects
from empathic.statistics.concordance import friedman
from empathic.statistics.consistency import cronbach_alpha, two_items
from empathic.statistics.correlation import pearson, pearson_difference
from empathic.statistics.inflation import swap_null
from empathic.statistics.multiplicity import adjust
from empathic.statistics.quality import contradictions, duplicated_sheets, suspected_repeats
from empathic.statistics.rankings import plackett_luce
from empathic.statistics.repeated import contrast, repeated_measures

Numbers = dict[str, float | str | None]
DRAWS = 1000
MINIMUM_WAGE, REWARD = 7.25, 2.5
FACTORS = ("chatbot", "context")


def findings(
    study: Study, published: dict[str, Any], cells: Cells, *, draws: int = DRAWS, seed: int = 20220907
) -> list[Finding]:
    """All findings; `draws` and `seed` are those of the simulated null."""
    return [
        _inflation(study, draws, seed),
        _strata(study),
        _df_typo(cells, published["cells"]),
        _reversal(study),
        _lowest(study),
        _order_within_blocks(study),
        _questions(study),
        _rounding(cells, published["cells"]),
        _averaged_pairs(study),
        _repetitive(study),
        _correlations(study),
        _repeat_workers(study, seed),
        _contradictions(study),
        _reliability(study),
        _predictors(study),
        _wages(study),
        _self_disclosure(published["orientation"]),
    ]


def _inflation(study: Study, draws: int, seed: int) -> Finding:
    found = {(one.test, one.term): one for one in swap_null(study.rating, factors=FACTORS, draws=draws, seed=seed)}
    numbers: Numbers = {"draws": float(draws), "seed": float(seed)}
    for (test, term), one in found.items():
        numbers[f"{test}, {term}: rejected true nulls"] = one.size.value
        numbers[f"{test}, {term}: p against the null"] = one.honest.value
    return Finding(
        id="art-inflation",
        text=(
            "ART does not hold its size on three categories: with contexts swapped at random within workers, so that "
            f"there is no context effect of any kind, it rejects at .05 in {_percent(found['ART', 'context'].size)} "
            f"(context) and {_percent(found['ART', 'chatbot:context'].size)} (interaction) of the data sets; the "
            f"own-stratum F in {_percent(found['own stratum', 'context'].size)} and "
            f"{_percent(found['own stratum', 'chatbot:context'].size)}. The printed F and p of context and "
            "interaction are no measure of evidence."
        ),
        numbers=numbers,
    )


def _strata(study: Study) -> Finding:
    numbers: Numbers = {}
    for one in repeated_measures(study.rating, factors=FACTORS):
        term = one.labels["term"]
        numbers[f"{term}: F"], numbers[f"{term}: p (Greenhouse–Geisser)"] = one.statistic, one.p
        numbers[f"{term}: generalised η²"] = one.value
    return Finding(
        id="error-strata",
        text=(
            "The paper pools all error within workers. In their own strata all three effects stand, but the context "
            f"explains {numbers['context: generalised η²']:.1%} and the interaction "
            f"{numbers['chatbot:context: generalised η²']:.1%} of the variation, the chatbot "
            f"{numbers['chatbot: generalised η²']:.0%}."
        ),
        numbers=numbers,
    )


def _df_typo(cells: Cells, printed: list[list[Any]]) -> Finding:
    key = ("5.1 ART", "chatbot:context", "df1")
    said = next(cell[4] for cell in printed if tuple(cell[:3]) == key)
    right = cells[key]
    return Finding(
        id="df-typo",
        text=f"The interaction has {right:.0f} numerator degrees of freedom; the paper prints {said}.",
        numbers={"printed": float(said), "correct": right},
    )


def _reversal(study: Study) -> Finding:
    pairs = contrasts(study.rating, study, FACTORS)
    every = list(pairs)
    bonferroni = dict(zip(every, adjust([pairs[pair].p for pair in every], method="bonferroni"), strict=True))
    weights = np.zeros((len(BOTS), len(CONTEXTS)))
    weights[BOTS.index("MEED")], weights[BOTS.index("Plain")] = [1, -1], [-1, 1]
    direct = contrast(study.rating, weights=weights, name="(MEED − Plain) positive − negative")
    numbers: Numbers = {"difference": direct.value, "low": direct.low, "high": direct.high}
    numbers |= {"t": direct.statistic, "p": direct.p}
    for context in CONTEXTS:
        pair = (f"MEED|{context}", f"Plain|{context}")
        numbers[f"{context}: p (Holm)"] = pairs[pair].p_adjusted
        numbers[f"{context}: p (Bonferroni)"] = bonferroni[pair]
    return Finding(
        id="reversal",
        text=(
            "No adjustment is named for the pairwise claims; Holm over 28 pairs fits the printed bands, under "
            f"Bonferroni its halves have p = {numbers['positive: p (Bonferroni)']:.3f} and "
            f"{numbers['negative: p (Bonferroni)']:.3f}. The reversal itself should be tested, by one contrast: "
            f"{direct.value:.3f} [{direct.low:.2f}, {direct.high:.2f}], t(239) = {direct.statistic:.2f}."
        ),
        numbers=numbers,
    )


def _lowest(study: Study) -> Finding:
    means = study.rating.mean(axis=0)
    main = contrasts(study.rating, study, ("chatbot",))
    negative = CONTEXTS.index("negative")
    numbers: Numbers = {f"{bot}, negative": float(means[place, negative]) for place, bot in enumerate(BOTS)}
    numbers["MIME vs MEED, p (Holm)"] = main["MEED", "MIME"].p_adjusted
    numbers["MIME vs Plain, p (Holm)"] = main["MIME", "Plain"].p_adjusted
    return Finding(
        id="mime-lowest",
        text=(
            f"'MIME is rated the lowest' holds for the overall mean only: in negative contexts MEED "
            f"({means[0, negative]:.4f}) is below MIME ({means[2, negative]:.4f}), and MIME against Plain has p = "
            f"{numbers['MIME vs Plain, p (Holm)']:.3f}."
        ),
        numbers=numbers,
    )


def _order_within_blocks(study: Study) -> Finding:
    numbers: Numbers = {}
    for side, context in enumerate(CONTEXTS):
        block = study.rating[:, :, side]
        found = plackett_luce(block, names=BOTS, clusters=study.raters)
        for one in found.contrasts:
            numbers[f"{context}: odds {one.labels['system']} over {one.labels['baseline']}"] = one.details.get(
                "odds_ratio"
            )
        numbers[f"{context}: Kendall's W"] = friedman(block).value
    blocks = np.moveaxis(study.rating, 1, 2).reshape(-1, len(BOTS))
    numbers["blocks all tied"] = float((np.ptp(blocks, axis=1) == 0).sum())
    numbers["blocks without Good"] = float((blocks.max(axis=1) < 3).sum())
    numbers["blocks without Bad"] = float((blocks.min(axis=1) > 1).sum())
    return Finding(
        id="ranking-with-ties",
        text=(
            "Bad, Okay and Good given side by side are an order with ties within a block: of 480 blocks "
            f"{numbers['blocks all tied']:.0f} are all tied, {numbers['blocks without Good']:.0f} have no Good. A "
            "Plackett–Luce model with ties puts Blender far ahead in both contexts and reverses MEED and Plain (odds "
            f"{numbers['positive: odds MEED over Plain']:.2f} positive, "
            f"{numbers['negative: odds MEED over Plain']:.2f} negative)."
        ),
        numbers=numbers,
    )


def _questions(study: Study) -> Finding:
    asked = questions(study)[:, :, CONTEXTS.index("negative")]
    meed, plain = asked[:, BOTS.index("MEED")], asked[:, BOTS.index("Plain")]
    chats = effects.difference(meed.sum(axis=-1), plain.sum(axis=-1), equal_variances=True)
    turns = effects.difference(meed.ravel(), plain.ravel(), equal_variances=True)
    paired = effects.paired_difference(meed.sum(axis=-1), plain.sum(axis=-1))
    return Finding(
        id="wrong-unit",
        text=(
            f"'MEED asks more questions than Plain in negative contexts, p < .01' holds only if the {TURNS} turns of a "
            f"chat count as independent (p = {turns.p:.4f}); over chats p = {chats.p:.3f}, paired by worker p = "
            f"{paired.p:.3f}."
        ),
        numbers={"p over turns": turns.p, "p over chats": chats.p, "p paired": paired.p},
    )


def _rounding(cells: Cells, printed: list[list[Any]]) -> Finding:
    """Printed numbers that are the recomputed ones cut off, or rounded a second time, instead of rounded."""
    numbers: Numbers = {}
    for table, row, column, relation, value, digits in printed:
        computed = cells.get((table, row, column))
        if relation != "=" or computed is None or cell_matches(value, computed, digits):
            continue
        if digits and abs(computed - value) < 10.0**-digits:
            numbers[f"{table}, {row}, {column}: printed {value}"] = computed
    shown = "; ".join(f"{name}, is {value:.5f}" for name, value in numbers.items())
    return Finding(id="truncated", text=f"Cut off or rounded twice: {shown}.", numbers=numbers)


def _averaged_pairs(study: Study) -> Finding:
    found = pearson(study.answers["A"], study.answers["S"])
    return Finding(
        id="averaged-pairs",
        text=f"The README says both averaged pairs of items have r > .85; A and S have {found.value:.4f}.",
        numbers={"A and S": found.value, "low": found.low, "high": found.high},
    )


def _repetitive(study: Study) -> Finding:
    meed, plain = (study.answers["R"][:, BOTS.index(bot)].ravel() for bot in ("MEED", "Plain"))
    numbers: Numbers = {
        "ART-C": contrasts(study.answers["R"], study, ("chatbot",))["MEED", "Plain"].p_adjusted,
        "paired t": effects.paired_difference(meed, plain).p,
        "independent t": effects.difference(meed, plain, equal_variances=True).p,
        "Wilcoxon": comparisons.wilcoxon(meed, plain).p,
    }
    shown = ", ".join(f"{name} {p:.4f}" for name, p in numbers.items())
    return Finding(
        id="repetitive",
        text=f"'Plain is significantly more repetitive than MEED' hangs on the test: p = {shown}.",
        numbers=numbers,
    )


def _correlations(study: Study) -> Finding:
    positive, negative = (repetitiveness_and_rating(study, context) for context in CONTEXTS)
    gap = pearson_difference(negative, positive)
    return Finding(
        id="correlations-differ",
        text=(
            f"The explanation in 5.3.1 leans on r = {negative.value:.2f} against {positive.value:.2f}; their "
            f"difference has z = {gap.statistic:.2f}, p = {gap.p:.3f}."
        ),
        numbers={"negative": negative.value, "positive": positive.value, "z": gap.statistic, "p": gap.p},
    )


def _repeat_workers(study: Study, seed: int) -> Finding:
    sheets = np.array([trait["teq_raw"] for trait in study.traits])
    same = duplicated_sheets(sheets, raters=study.raters, seed=seed)
    repeats = suspected_repeats(sheets, raters=study.raters)
    _, first = np.unique(sheets, axis=0, return_index=True)
    numbers: Numbers = {
        "tasks with a duplicated sheet": float(len(same.flagged)),
        "groups": float(len(same.groups)),
        "by chance": same.by_chance.value if same.by_chance else None,
        "suspected repeats": float(len(repeats.flagged)),
        "suspected groups": float(len(repeats.groups)),
        "ids": "; ".join(" ".join(group) for group in repeats.groups),
        **_sensitivity(study.rating[np.sort(first)], "one task per sheet"),
    }
    return Finding(
        id="repeat-workers",
        text=(
            f"One worker per task is doubtful: {len(same.flagged)} tasks in {len(same.groups)} groups have identical "
            f"answers to all 16 TEQ items ({numbers['by chance']:.1f} expected by chance), {len(repeats.flagged)} of "
            f"them in {len(repeats.groups)} groups that no third sheet resembles. Without worker ids this is a "
            f"suspicion. With one task per sheet (n = {len(first)}): {_shown(numbers, 'one task per sheet')}."
        ),
        numbers=numbers,
    )


def _contradictions(study: Study) -> Finding:
    block = study.long()[1]
    counts: Counter[str] = Counter()
    numbers: Numbers = {}
    for item in ("P", "A"):
        answers = (study.answers[item].ravel(), study.answers[f"^{item}"].ravel())
        found = contradictions(*answers, raters=[str(rater) for rater in block], points=(1, 5))
        counts.update(found.counts)
        numbers[f"{item}: contradictory of {found.share.n}"] = float(found.share.details["count"])
    careful = np.array([counts[rater] < 3 for rater in study.raters])
    numbers["tasks with one or more"] = float(len(counts))
    numbers["tasks with four or more"] = float(sum(count >= 4 for count in counts.values()))
    numbers["tasks left without those of three or more"] = float(careful.sum())
    numbers |= _sensitivity(study.rating[careful], "without contradictors")
    return Finding(
        id="contradictions",
        text=(
            f"{len(counts)} of {len(study.raters)} tasks contradict themselves at least once on polite/impolite or "
            f"appropriate/inappropriate, {numbers['tasks with four or more']:.0f} four times or more, after the "
            f"authors' own removal of outliers. Without those of three or more (n = {careful.sum()}): "
            f"{_shown(numbers, 'without contradictors')}."
        ),
        numbers=numbers,
    )


def _reliability(study: Study) -> Finding:
    sheets = np.array([trait["teq_raw"] for trait in study.traits], dtype=np.float64)
    sums = np.array([trait["teq"] for trait in study.traits], dtype=np.float64)
    turned = np.where(np.corrcoef(sheets.T, sums)[-1, :-1] < 0, 4 - sheets, sheets)
    numbers: Numbers = {
        "EU and ER (Spearman–Brown)": _halves(study, "EU", "ER", turn=False).value,
        "A and S (Spearman–Brown)": _halves(study, "A", "S", turn=False).value,
        "P and ^P": _halves(study, "P", "^P", turn=True).value,
        "A and ^A": _halves(study, "A", "^A", turn=True).value,
        "TEQ (Cronbach's α)": cronbach_alpha(turned).value,
    }
    shown = ", ".join(f"{name} {value:.3f}" for name, value in numbers.items())
    return Finding(id="reliability", text=f"Reliability, not reported: {shown}.", numbers=numbers)


def _predictors(study: Study) -> Finding:
    clustered, scaled = regression(study, clustered=True), regression(study, unit="sd")
    numbers: Numbers = {}
    for one, other in zip(clustered.slopes, scaled.slopes, strict=True):
        numbers[f"{one.labels['predictor']}: p (clustered by task)"] = one.p
        numbers[f"{one.labels['predictor']}: slope per SD"] = other.value
    significant = sum(one.p is not None and one.p < 0.05 for one in clustered.slopes)
    return Finding(
        id="predictors",
        text=(
            "The order of the predictors depends on their unit: per standard deviation repetitiveness has "
            f"{numbers['repetitiveness: slope per SD']:.2f} and empathy {numbers['empathy: slope per SD']:.2f}, while "
            f"the paper lists empathy first. With errors clustered by task {significant} of 5 have p < .05."
        ),
        numbers=numbers,
    )


def _wages(study: Study) -> Finding:
    minutes = np.array([trait["elapsed_min"] for trait in study.traits], dtype=np.float64)
    below = float((REWARD / minutes * 60 < MINIMUM_WAGE).mean())
    return Finding(
        id="wages",
        text=f"The minimum wage is met at the mean time, but {below:.1%} of the workers fell below it.",
        numbers={"share below": below},
    )


def _self_disclosure(orientation: dict[str, list[int]]) -> Finding:
    """Self-oriented (self or both) responses of Blender, from the printed Table 2."""
    table = np.array(orientation["Blender"]).reshape(len(CONTEXTS), 3, TURNS)
    own = table[:, 1:].sum(axis=(1, 2))
    total = table.sum(axis=(1, 2))
    p = float(stats.fisher_exact(np.column_stack([own, total - own])).pvalue)
    return Finding(
        id="self-disclosure",
        text=(
            f"In Table 2 Blender speaks of itself in {own[0]} of {total[0]} positive and {own[1]} of {total[1]} "
            f"negative responses (Fisher p = {p:.2f}), so self-disclosure does not explain its loss in the latter."
        ),
        numbers={"positive": float(own[0]), "negative": float(own[1]), "p": p},
    )


def _halves(study: Study, first: str, second: str, *, turn: bool) -> Estimate:
    other = study.answers[second].ravel()
    return two_items(study.answers[first].ravel(), 6 - other if turn else other, name=f"{first} and {second}")


def _sensitivity(rating: Array, label: str) -> Numbers:
    found = repeated_measures(rating, factors=FACTORS)
    return {f"{label}: F of {one.labels['term']}": one.statistic for one in found}


def _shown(numbers: Numbers, label: str) -> str:
    found = {key.removeprefix(f"{label}: "): value for key, value in numbers.items() if key.startswith(label)}
    return ", ".join(f"{key} {value:.1f}" for key, value in found.items())


def _percent(share: Estimate) -> str:
    return "–" if share.value is None else f"{share.value:.0%}"
