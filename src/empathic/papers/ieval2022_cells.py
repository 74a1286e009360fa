"""The iEval study becomes every number that the paper printed, by table, row and column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from empathic.metrics.text import words
from empathic.papers.ieval2022_data import BOTS, CONTEXTS, TURNS, Array, Study
from empathic.records import Estimate
from empathic.statistics import effects
from empathic.statistics.art import art, art_contrasts
from empathic.statistics.correlation import pearson
from empathic.statistics.ordinal_regression import OrdinalRegression, ordinal_regression

Cells = dict[tuple[str, str, str], float | None]
REWARD = 2.5  # US dollars for a task
REVERSED = (2, 4, 7, 10, 11, 12, 14, 15)  # items of the TEQ, from 1
PREDICTORS = {"making sense": "SENSE", "empathy": "EMP", "repetitiveness": "R", "politeness": "P", "likability": "L"}


def compute(study: Study, published: dict[str, Any]) -> Cells:
    """Every cell of the paper; `published` holds the printed chats, Table 2 and Table 3."""
    cells: Cells = {}
    for part in (_design, _art, _contrasts, _ordinal, _questions, _repetitiveness, _readme):
        cells.update(part(study))
    cells["Figures 4-6", "printed chat logs", "found with the printed rank"] = _printed_chats(study, published["logs"])
    cells["Table 2", "all", "triples that sum to 25"] = _triples(published["orientation"])
    for number, bot in enumerate(BOTS):
        found = top_tokens(study, number, len(published["tokens"][bot]))
        same = sum(one == other for one, other in zip(found, published["tokens"][bot], strict=False))
        cells["Table 3", bot, "tokens in their printed place"] = same
    return cells


def scores(study: Study) -> dict[str, Array]:
    """The five predictors: making sense is the mean of A and S, empathy of EU and ER."""
    made = {
        "SENSE": (study.answers["A"] + study.answers["S"]) / 2,
        "EMP": (study.answers["EU"] + study.answers["ER"]) / 2,
    }
    return {**made, **{item: study.answers[item] for item in ("R", "P", "L")}}


def questions(study: Study) -> Array:
    """Question marks of each response: tasks × bots × contexts × turns."""
    flat = [text.count("?") for text in study.responses.ravel()]
    return np.array(flat, dtype=np.float64).reshape(study.responses.shape)


def top_tokens(study: Study, bot: int, count: int) -> list[str]:
    """The most frequent tokens of one chatbot: lower case, `" ' m"` joined, Penn Treebank, punctuation kept."""
    counted: Counter[str] = Counter()
    for text in study.responses[:, bot].ravel():
        counted.update(words(re.sub(r" ' (?=(?:m|s|re|ve|ll|d|t)\b)", "'", text.lower())))
    return [token for token, _ in counted.most_common(count)]


def _design(study: Study) -> Cells:
    minutes = float(np.mean([trait["elapsed_min"] for trait in study.traits]))
    found = {
        "tasks": len(study.raters),
        "scenarios": len({chat.metadata["scenario"] for chat in study.chats.values()}),
        "emotions": len({chat.emotion for chat in study.chats.values()}),
        "mean minutes": minutes,
        "dollars per hour at the mean": REWARD / minutes * 60,
    }
    return {("Design", "study", column): value for column, value in found.items()}


def _art(study: Study) -> Cells:
    factors, block = study.long()
    cells: Cells = {}
    for found in art(study.rating, factors=factors, block=block):
        row = found.labels["term"]
        cells["5.1 ART", row, "F"], cells["5.1 ART", row, "p"] = found.statistic, found.p
        cells["5.1 ART", row, "df1"] = found.df[0]
        cells["5.1 ART", "residual", "df"] = found.df[1]
    return cells


def _contrasts(study: Study) -> Cells:
    pairs = contrasts(study.rating, study, ("chatbot", "context"))
    main = contrasts(study.rating, study, ("chatbot",))
    against = [one.p_adjusted for (first, second), one in pairs.items() if _involves(first, second)]
    found = {
        "Blender positive vs negative": pairs["Blender|positive", "Blender|negative"].p_adjusted,
        "MEED vs Plain, positive": pairs["MEED|positive", "Plain|positive"].p_adjusted,
        "MEED vs Plain, negative": pairs["MEED|negative", "Plain|negative"].p_adjusted,
        "MIME vs MEED": main["MEED", "MIME"].p_adjusted,
    }
    cells: Cells = {("5.1 contrasts", row, "p (Holm)"): p for row, p in found.items()}
    cells["5.1 contrasts", "Blender vs any other", "largest p (Holm)"] = max(p for p in against if p is not None)
    return cells


def contrasts(values: Array, study: Study, among: Sequence[str]) -> dict[tuple[str, str], Estimate]:
    """ART-C contrasts by the pair of levels."""
    factors, block = study.long()
    found = art_contrasts(values, factors=factors, block=block, among=among)
    return {(one.labels["level"], one.labels["against"]): one for one in found}


def _involves(first: str, second: str) -> bool:
    return ("Blender" in first) != ("Blender" in second)


def _ordinal(study: Study) -> Cells:
    found = regression(study)
    cells: Cells = {("5.2 ordinal regression", "model", "McFadden R2"): found.fit.value}
    for slope in found.slopes:
        row = slope.labels["predictor"]
        cells["5.2 ordinal regression", row, "beta"] = slope.value
        cells["5.2 ordinal regression", row, "p"] = slope.p
    return cells


def regression(study: Study, *, clustered: bool = False, unit: str = "raw") -> OrdinalRegression:
    """Rating on the five scores, as the paper did: raw units, all chats pooled; or clustered by task, or per SD."""
    columns = {name: scores(study)[key].ravel() for name, key in PREDICTORS.items()}
    if unit == "sd":
        columns = {name: column / column.std(ddof=1) for name, column in columns.items()}
    return ordinal_regression(study.rating.ravel(), columns, clusters=study.long()[1] if clustered else None)


def _questions(study: Study) -> Cells:
    asked = questions(study)
    cells: Cells = {}
    for number, bot in enumerate(BOTS):
        per_chat = asked[:, number].sum(axis=-1)
        columns = {"overall": per_chat, "positive": per_chat[:, 0], "negative": per_chat[:, 1]}
        for side, context in enumerate(CONTEXTS):
            for turn in range(TURNS):
                columns[f"{context}, turn {turn + 1}"] = asked[:, number, side, turn]
        for column, values in columns.items():
            cells["Table 1", bot, f"{column}, mean"] = float(values.mean())
            cells["Table 1", bot, f"{column}, SD"] = float(values.std(ddof=1))
    meed, plain = (asked[:, BOTS.index(bot), CONTEXTS.index("negative")] for bot in ("MEED", "Plain"))
    chats = effects.difference(meed.sum(axis=-1), plain.sum(axis=-1), equal_variances=True)
    turns = effects.difference(meed.ravel(), plain.ravel(), equal_variances=True)
    cells["5.3.1 questions", "MEED vs Plain, negative", "p over dialogues"] = chats.p
    cells["5.3.1 questions", "MEED vs Plain, negative", "p over turns"] = turns.p
    return cells


def _repetitiveness(study: Study) -> Cells:
    cells: Cells = {}
    pair = contrasts(study.answers["R"], study, ("chatbot",))["MEED", "Plain"]
    cells["5.3.1 repetitiveness", "MEED vs Plain", "p (ART-C, Holm)"] = pair.p_adjusted
    for context in CONTEXTS:
        found = repetitiveness_and_rating(study, context)
        cells["5.3.1 repetitiveness", f"with rating, {context}", "Pearson r"] = found.value
        cells["5.3.1 repetitiveness", f"with rating, {context}", "p"] = found.p
    return cells


def repetitiveness_and_rating(study: Study, context: str) -> Estimate:
    """Pearson's r of repetitiveness and rating over the chats of MEED and Plain in one context."""
    bots, side = [BOTS.index(bot) for bot in ("MEED", "Plain")], CONTEXTS.index(context)
    return pearson(study.answers["R"][:, bots, side], study.rating[:, bots, side])


def _readme(study: Study) -> Cells:
    sheets = np.array([trait["teq_raw"] for trait in study.traits], dtype=np.float64)
    sums = np.array([trait["teq"] for trait in study.traits], dtype=np.float64)
    signs = np.array([-1.0 if item in REVERSED else 1.0 for item in range(1, 17)])
    scored = np.where(signs < 0, 4 - sheets, sheets).sum(axis=1)
    fitted = np.linalg.lstsq(np.column_stack([np.ones(len(sheets)), sheets]), sums, rcond=None)[0]
    recovered = np.allclose(fitted, [4.0 * len(REVERSED), *signs], atol=1e-8)
    answers = study.answers
    return {
        ("README", "EU and ER", "Pearson r"): pearson(answers["EU"], answers["ER"]).value,
        ("README", "A and S", "Pearson r"): pearson(answers["A"], answers["S"]).value,
        ("README", "TEQ", "sums that differ"): float((scored != sums).sum()),
        ("README", "TEQ", "reversed items recovered"): float(recovered),
    }


def _printed_chats(study: Study, logs: Sequence[tuple[str, str, int, str, str]]) -> float:
    found = 0
    for bot, context, rank, first, last in logs:
        for chat in study.chats.values():
            here = (chat.metadata["system"], chat.polarity, study.rated[chat.id]) == (bot, context, rank)
            begins = _plain(chat.turns[0].text).startswith(_plain(first))
            if here and begins and _plain(chat.turns[-1].text).startswith(_plain(last)):
                found += 1
                break
    return float(found)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _triples(orientation: dict[str, list[int]]) -> float:
    table = np.array([orientation[bot] for bot in BOTS]).reshape(len(BOTS), len(CONTEXTS), 3, TURNS)
    return float((table.sum(axis=2) == 25).sum())
