"""The study of Welivita & Pu (2024) becomes the cells of its tables, by the recipes that give the printed digits.

Recipes the paper does not state: Table 3 is the *paired* t test over dialogues; Table 12 leaves one rater out and tests
differences of slopes with rounded standard errors; percentages in the text are ratios of two-decimal means.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from scipy import stats

from empathic.metrics.text import words
from empathic.papers.checks import cell_matches, printed_digits
from empathic.papers.welivita2024_study import TITLES, Floats, Study
from empathic.records import Estimate
from empathic.registry import find
from empathic.statistics import comparisons, effects, power, slopes, tables

Cell = tuple[str, str, str, float | None]  # table, row, column, value
Printed = Mapping[tuple[str, str, str], str]
SETS = ("all", "positive", "negative")
PAIRS = tuple(itertools.combinations(TITLES, 2))
CATEGORIES = {1.0: "Bad", 2.0: "Okay", 3.0: "Good"}
ADVISE = "Advise without Permission"


def cells(study: Study, printed: Printed) -> Iterator[Cell]:
    """Every cell that can be computed; `printed` is needed to find who was left out of Table 12."""
    yield from table2(study)
    yield from table3(study)
    yield from table6(study)
    yield from tables8_and_9(study)
    yield from tables10_and_11(study)
    yield from table12(study, left_out(study, printed))
    yield from table13(study)
    yield from percentages(study)
    yield from sample_sizes()
    yield from appendix_k(study)


def table2(study: Study) -> Iterator[Cell]:
    """Pairs, and words (Penn Treebank) of prompts and responses."""
    prompts = [len(words(text)) for text in study.prompts]
    for group, title in TITLES.items():
        answers = [len(words(text)) for text in study.texts[group]]
        yield "table2", "# prompt-response pairs", title, float(len(answers))
        for name, counts in (("prompt", prompts), ("response", answers)):
            yield "table2", f"Avg # {name} tokens", title, float(np.mean(counts))
            yield "table2", f"Max # {name} tokens", title, float(max(counts))


def table3(study: Study) -> Iterator[Cell]:
    """Paired t test over dialogues."""
    for row, (a, b) in itertools.product(SETS, PAIRS):
        keep = study.chosen(row)
        found = effects.paired_difference(study.ratings[a][keep], study.ratings[b][keep])
        yield "table3", row, f"{_pair(a, b)} | t", found.statistic
        yield "table3", row, f"{_pair(a, b)} | p", found.p


def table6(study: Study) -> Iterator[Cell]:
    """Dialogues per emotion and polarity."""
    counts = {f"{polarity.title()} emotions": study.chosen(polarity).sum() for polarity in SETS[1:]}
    counts |= {str(e).title(): (study.emotions == e).sum() for e in np.unique(study.emotions)}
    for row, count in counts.items():
        yield "table6", row, "# dialogues", float(count)
        yield "table6", row, "% of dialogues", 100 * float(count) / len(study.dialogues)


def tables8_and_9(study: Study) -> Iterator[Cell]:
    """Mean, standard error and one-way ANOVA, every rating taken as independent."""
    rows = [("table8", row, study.chosen(row)) for row in SETS]
    rows += [("table9", str(e).title(), study.emotions == e) for e in np.unique(study.emotions)]
    for table, row, keep in rows:
        for group, title in TITLES.items():
            found = effects.mean(study.ratings[group][keep])
            yield table, row, f"{title} | mean", found.value
            yield table, row, f"{title} | se", found.details["se"]
        data = study.long(keep)
        test = comparisons.one_way(data["values"], data["groups"])
        yield table, row, "F", test.statistic
        yield table, row, "p", test.p


def tables10_and_11(study: Study) -> Iterator[Cell]:
    """Counts of Bad, Okay and Good, and Pearson's chi-square of three groups and of each pair."""
    for row in SETS:
        data = study.long(study.chosen(row))
        counted = tables.counts(data["values"], data["groups"])
        for (place, title), (column, name) in itertools.product(
            enumerate(TITLES.values()), enumerate(CATEGORIES.values())
        ):
            yield "table10", row, f"{title} | {name}", float(counted[place, column])
        yield from _chi_square("table10", row, "", counted)
        for a, b in PAIRS:
            two = counted[[list(TITLES).index(a), list(TITLES).index(b)]]
            yield from _chi_square("table11", row, f"{_pair(a, b)} | ", two)
    for table, df in (("table10", 4), ("table11", 2)):
        yield table, f"critical value (df={df}, alpha=.05)", "chi2", float(stats.chi2.isf(0.05, df))


def table12(study: Study, without: Mapping[str, str]) -> Iterator[Cell]:
    """Slopes of rater means on the TEQ, and their differences from rounded slopes (5) and standard errors (3)."""
    found = {group: group_slope(study, group, without.get(group)) for group in TITLES}
    for group, slope in found.items():
        for column, value in (
            ("slope", slope.value),
            ("se", slope.details["se"]),
            ("t", slope.statistic),
            ("p", slope.p),
        ):
            yield "table12", TITLES[group], column, value
    for a, b in PAIRS:
        (b1, s1, n1), (b2, s2, n2) = (
            (round(found[g].value or 0.0, 5), round(found[g].details["se"], 3), found[g].n or 0) for g in (a, b)
        )
        error = float(np.hypot(s1, s2))
        test = effects.t_estimate("difference", b2 - b1, error, n1 + n2 - 4, method="rounded", n=n1 + n2)
        yield "table12", _pair(a, b), "t", test.statistic
        yield "table12", _pair(a, b), "p", test.p


def group_slope(study: Study, group: str, without: str | None = None) -> Estimate:
    """The OLS slope of one group, perhaps without one rater."""
    names, means, teq = study.rater_means(group)
    keep = np.array([name != without for name in names])
    return slopes.slopes(means[keep], teq[keep], np.full(int(keep.sum()), group), errors="ols").slopes[0]


def left_out(study: Study, printed: Printed) -> dict[str, str]:
    """For each group whose printed slope and t are not those of all raters: the one rater without whom they are."""
    found = {}
    for group, title in TITLES.items():
        if _prints_as(group_slope(study, group), title, printed):
            continue
        names = study.rater_means(group)[0]
        fitting = [name for name in names if _prints_as(group_slope(study, group, name), title, printed)]
        if len(fitting) == 1:
            found[group] = fitting[0]
    return found


def table13(study: Study) -> Iterator[Cell]:
    """Share of each MITI label among all labels of the responses with one rating."""
    for group, (value, name) in itertools.product(TITLES, CATEGORIES.items()):
        for label, share in label_shares(study, group, study.ratings[group] == value).items():
            yield "table13", label, f"{TITLES[group]} | {name}", share


def label_shares(study: Study, group: str, keep: Floats) -> dict[str, float]:
    """Per cent of each label among the labels of the responses kept."""
    known = sorted({label for labels in study.labels.values() for sheet in labels for label in sheet})
    chosen = [label for sheet, kept in zip(study.labels[group], keep, strict=True) if kept for label in sheet]
    return {label: 100 * chosen.count(label) / len(chosen) for label in known}


def percentages(study: Study) -> Iterator[Cell]:
    """Percent gains as in the text: ratios of means (and of shares) that were rounded to two decimals first."""
    claims = [
        ("all", "chatgpt_empathy", "human"),
        ("negative", "chatgpt_empathy", "human"),
        ("positive", "chatgpt", "human"),
    ]
    claims += [(row, "chatgpt_empathy", "chatgpt") for row in SETS]
    for row, a, b in claims:
        above, below = (round(float(study.ratings[g][study.chosen(row)].mean()), 2) for g in (a, b))
        column = "percent (from 2-decimal means, as published)"
        yield "text_percentages", f"{row}: {_short(a)} over {_short(b)}", column, 100 * (above / below - 1)
    for group in ("chatgpt", "chatgpt_empathy"):
        bad, good = (round(label_shares(study, group, study.ratings[group] == v)[ADVISE], 2) for v in (1.0, 3.0))
        column = "percent (from 2-decimal percentages, as published)"
        yield "text_percentages", f"{ADVISE}, Bad over Good, {_short(group)}", column, 100 * (bad / good - 1)


def sample_sizes() -> Iterator[Cell]:
    """The paper's power analyses: one observation per participant."""
    anova, chi = power.between(0.25, 3, power=0.95).answer, power.chi_square(0.3, 4, groups=3, power=0.95).answer
    row = "one-way ANOVA f=.25 alpha=.05 power=.95 k=3"
    yield "power", row, "total N (rounded up to equal groups)", anova.value
    yield "power", row, "per group", float(anova.details["per_group"])
    row = "chi-square w=.3 alpha=.05 power=.95 df=4"
    yield "power", row, "total N", chi.value
    yield "power", row, "per group", float(chi.details["per_group"])


def appendix_k(study: Study) -> Iterator[Cell]:
    """Reversed TEQ items answered Often or Always, and completion times."""
    wrong = np.array([(study.answers[rater][reversed_items()] >= 3).sum() for rater in study.people])
    yield "appendix_K", "no reverse item wrong (%)", "percent", 100 * float((wrong == 0).mean())
    share = 100 * float((wrong > len(reversed_items()) / 2).mean())
    yield "appendix_K", "more than half of reverse items wrong (%)", "percent", share
    minutes = None if study.seconds is None else study.seconds / 60
    yield "appendix_K", "mean completion time", "minutes", None if minutes is None else float(minutes.mean())
    yield "appendix_K", "under 5 minutes (%)", "percent", None if minutes is None else 100 * float((minutes < 5).mean())


def reversed_items() -> list[int]:
    """Places of the reversed items of the questionnaire."""
    return [place for place, item in enumerate(find("instrument", "teq").thing.items) if item.reversed]


def _chi_square(table: str, row: str, prefix: str, counted: Floats) -> Iterator[Cell]:
    found = tables.chi_square(counted)
    yield table, row, f"{prefix}chi2", found.statistic
    yield table, row, f"{prefix}p", found.p


def _prints_as(slope: Estimate, title: str, printed: Printed) -> bool:
    wanted = ((printed["table12", title, "slope"], slope.value), (printed["table12", title, "t"], slope.statistic))
    return all(value is not None and cell_matches(float(text), value, printed_digits(text)) for text, value in wanted)


def _pair(a: str, b: str) -> str:
    return f"{TITLES[a]} vs {TITLES[b]}"


def _short(group: str) -> str:
    return {"human": "human", "chatgpt": "vanilla", "chatgpt_empathy": "empathy-defined"}[group]
