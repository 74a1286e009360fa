"""The study of Welivita & Pu (2024) becomes what the paper should have said: each finding with its numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from empathic.metrics.text import sentences
from empathic.papers.checks import Finding
from empathic.papers.welivita2024_study import FILE, TIMES, TITLES, Study
from empathic.papers.welivita2024_tables import ADVISE, PAIRS, SETS, Printed, group_slope, left_out, reversed_items
from empathic.records import Estimate
from empathic.statistics import clusters, comparisons, effects, factorial, linear, multiplicity, power, slopes, tables
from empathic.statistics.linear_mixed import linear_mixed
from empathic.statistics.ordinal_mixed import ordinal_mixed

Numbers = dict[str, float | str | None]


def findings(study: Study, printed: Printed) -> Iterator[Finding]:
    """Everything found, the gravest first."""
    without, mixed = left_out(study, printed), _mixed(study)
    yield duplicated_labels(study)
    yield undisclosed_exclusion(study, without)
    yield rounded_errors(study, printed, without)
    yield paired_test(study)
    yield dependence(study, mixed)
    yield ordinal(study)
    yield percent_gains(study)
    yield advice_and_valence(study)
    yield slope_ratio(study)
    yield many_emotions(study)
    yield interactions(study)
    yield sample_size(study, mixed)
    yield questionnaire(study)
    yield highest_rated(study)
    if study.seconds is None:
        yield Finding(
            id="no-completion-times",
            text=f"Completion times (Appendix K, two cells) stand in {TIMES}/, which is not beside {FILE}.",
        )


def duplicated_labels(study: Study) -> Finding:
    """The MITI labels of the empathy-defined responses are those of the vanilla ones."""
    one, other = study.labels["chatgpt"], study.labels["chatgpt_empathy"]
    numbers: Numbers = {
        "rows with equal labels": float(sum(a == b for a, b in zip(one, other, strict=True))),
        "rows with equal responses": float(
            sum(a == b for a, b in zip(study.texts["chatgpt"], study.texts["chatgpt_empathy"], strict=True))
        ),
        "rows": float(len(one)),
    }
    for group, title in TITLES.items():
        counts = [(len(a), len(sentences(b))) for a, b in zip(study.labels[group], study.texts[group], strict=True)]
        numbers[f"rows with as many labels as sentences, {title}"] = float(sum(a == b for a, b in counts))
    return Finding(
        id="duplicated-miti-column", numbers=numbers,
        text="The MITI labels of GPT-4 (empathy-defined) are a verbatim copy of those of GPT-4 (vanilla): 45 cells of "
        "Table 13 and '73.79 % more' do not describe the empathy-defined responses.",
    )  # fmt: skip


def undisclosed_exclusion(study: Study, without: Mapping[str, str]) -> Finding:
    """One rater is left out of Table 12 without a word."""
    numbers: Numbers = {}
    for group, rater in without.items():
        person, kept, dropped = study.people[rater], group_slope(study, group), group_slope(study, group, rater)
        numbers |= {"rater left out": rater, "part": float(person["part"]), "TEQ": float(person["teq"])}
        for name, found in (("all raters", kept), ("as published", dropped)):
            numbers |= {f"slope, {name}": found.value, f"t, {name}": found.statistic, f"p, {name}": found.p}
    return Finding(
        id="undisclosed-exclusion", numbers=numbers,
        text=f"Table 12 is reproduced only without {len(without)} rater ({', '.join(TITLES[g] for g in without)}), "
        "found by leaving out each in turn; the paper names no exclusion.",
    )  # fmt: skip


def rounded_errors(study: Study, printed: Printed, without: Mapping[str, str]) -> Finding:
    """Tests of slope differences used standard errors of three decimals."""
    numbers: Numbers = {}
    largest = _slope_difference(study, "human", "chatgpt_empathy", without)
    for a, b in PAIRS:
        published = printed["table12", f"{TITLES[a]} vs {TITLES[b]}", "t"]
        name = f"{TITLES[a]} vs {TITLES[b]}"
        for label, rater in (("published exclusion", without), ("all raters", {})):
            found = _slope_difference(study, a, b, rater)
            numbers |= {f"{name}, t unrounded, {label}": found.statistic, f"{name}, p unrounded, {label}": found.p}
        numbers[f"{name}, t printed"] = float(published)
    return Finding(
        id="rounded-standard-errors", numbers=numbers,
        text="The tests of slope differences in Table 12 were computed from standard errors rounded to three decimals; "
        f"unrounded, human against empathy-defined is t = {largest.statistic:.2f}, p = {largest.p:.5f}.",
    )  # fmt: skip


def paired_test(study: Study) -> Finding:
    """Table 3 pairs dialogues; the unit should be the block of ten dialogues that share two raters."""
    numbers: Numbers = {}
    for row, (a, b) in itertools.product(SETS, PAIRS):
        keep = study.chosen(row)
        data = study.long(keep)
        places = list(TITLES).index(a), list(TITLES).index(b)
        student = effects.difference(study.ratings[a][keep], study.ratings[b][keep], equal_variances=True)
        block = comparisons.block_mean_difference(data["values"], data["groups"], data["parts"], pair=places)
        name = f"{row}, {TITLES[a]} vs {TITLES[b]}"
        numbers |= {f"{name}, Student t": student.statistic, f"{name}, paired over parts t": block.statistic}
        numbers[f"{name}, paired over parts p"] = block.p
    return Finding(
        id="paired-test", numbers=numbers,
        text="Table 3 is a paired t test over dialogues, which the paper does not say; ten consecutive pairs share the "
        "same two raters, so the part is the unit: every conclusion of Table 3 holds, with far larger p values.",
    )  # fmt: skip


def dependence(study: Study, mixed: Numbers) -> Finding:
    """Ratings of one rater and of one dialogue are alike: the published F is too large."""
    numbers: Numbers = {}
    for row in SETS:
        data = study.long(study.chosen(row))
        values, groups = data["values"], data["groups"]
        tests = {
            "one-way (published)": comparisons.one_way(values, groups),
            "block means": comparisons.block_means(values, groups, data["parts"]),
            "cluster-robust by rater": clusters.cluster_test(values, groups, data["raters"]),
            "cluster-robust by part": clusters.cluster_test(values, groups, data["parts"]),
            "cluster-robust by rater and dialogue": clusters.cluster_test(
                values, groups, data["raters"], data["items"]
            ),
        }
        for name, found in tests.items():
            numbers |= {f"{row}, {name}, F": found.statistic, f"{row}, {name}, p": found.p}
        corrected = tables.rao_scott(values, groups, data["parts"]).second_order
        numbers |= {f"{row}, Rao-Scott chi2": corrected.statistic, f"{row}, Rao-Scott p": corrected.p}
    numbers |= mixed
    return Finding(
        id="dependent-ratings", numbers=numbers,
        text="Tables 3 and 8 to 11 take 6,000 ratings by 600 raters as independent. With raters and dialogues in the "
        "model GPT-4 is still rated higher than people; vanilla and empathy-defined still do not differ.",
    )  # fmt: skip


def ordinal(study: Study) -> Finding:
    """Odds ratios from the ordinal mixed model."""
    data = study.long()
    found = ordinal_mixed(data["values"], data["groups"], raters=data["raters"], items=data["items"])
    numbers: Numbers = {"LR chi2(2)": found.groups.statistic, "p": found.groups.p}
    for estimate in found.pairs:
        name = f"{_title(estimate.labels['baseline'])} vs {_title(estimate.labels['system'])}"
        numbers |= {f"{name}, odds ratio": estimate.value, f"{name}, low": estimate.low, f"{name}, high": estimate.high}
    numbers |= {estimate.name: estimate.value for estimate in found.deviations}
    return Finding(
        id="ordinal-model", numbers=numbers,
        text="Bad, Okay and Good are ordered words, not amounts: the ordinal mixed model gives the odds of a higher "
        "rating, with raters and dialogues as random effects.",
    )  # fmt: skip


def percent_gains(study: Study) -> Finding:
    """Percentages of a rating: rounded before division, and dependent on where the scale begins."""
    means = {g: float(study.ratings[g].mean()) for g in TITLES}
    numbers: Numbers = {}
    for row, (a, b) in itertools.product(SETS, PAIRS):
        below, above = (float(study.ratings[g][study.chosen(row)].mean()) for g in (a, b))
        numbers[f"{row}, {TITLES[b]} over {TITLES[a]}, % unrounded"] = 100 * (above / below - 1)
    for start in (0, 1, 2):
        low, high = means["human"] + start - 1, means["chatgpt_empathy"] + start - 1
        numbers[f"empathy-defined over human, % if Bad is {start}"] = 100 * (high / low - 1)
    return Finding(
        id="percent-of-a-rating", numbers=numbers,
        text="Percent gains were computed from means rounded to two decimals, and a percentage of a rating depends on "
        "where the scale begins. Report differences or odds ratios.",
    )  # fmt: skip


def advice_and_valence(study: Study) -> Finding:
    """Advice without permission is commoner in negative dialogues, which are rated lower anyway."""
    numbers: Numbers = {}
    for group in ("human", "chatgpt"):
        ratings = study.ratings[group]
        keep = (ratings == 1) | (ratings == 3)
        counted = np.array([[sheet.count(ADVISE), len(sheet)] for sheet in study.labels[group]], float)[keep]
        given = counted[:, 0], counted[:, 1], ratings[keep] == 1
        crude = tables.stratified_ratio(*given, np.zeros(int(keep.sum())), study.raters[group][keep])
        adjusted = tables.stratified_ratio(*given, study.polarities[keep], study.raters[group][keep])
        for name, found in (("unadjusted", crude), ("adjusted for valence", adjusted)):
            key = f"{TITLES[group]}, Bad over Good, {name}"
            numbers |= {f"{key}, ratio": found.value, f"{key}, low": found.low, f"{key}, high": found.high}
    return Finding(
        id="advice-confounded-with-valence", numbers=numbers,
        text="'More advice without permission in Bad than in Good' (GPT-4, vanilla) is a difference between negative "
        f"and positive dialogues: adjusted for valence the ratio is {adjusted.value or float('nan'):.2f}.",
    )  # fmt: skip


def slope_ratio(study: Study) -> Finding:
    """'About 5 times': the denominator is not told from zero."""
    found = slopes.fieller(group_slope(study, "chatgpt_empathy"), group_slope(study, "human"))
    human, empathic = (group_slope(study, group).value or 0.0 for group in ("human", "chatgpt_empathy"))
    robust = slopes.slopes(*_by_rater(study))
    numbers: Numbers = {
        "ratio of slopes": empathic / human, "Fieller g": found.details["g"], "Fieller set": found.details.get("set"),
        "equal slopes, HC3, F": robust.equality.statistic, "equal slopes, HC3, p": robust.equality.p,
    }  # fmt: skip
    for gap in multiplicity.adjust_family(robust.differences, family="slope differences"):
        name = f"{_title(gap.labels['baseline'])} vs {_title(gap.labels['system'])}, HC3"
        numbers |= {f"{name}, difference": gap.value, f"{name}, p": gap.p, f"{name}, p Holm": gap.p_adjusted}
    return Finding(
        id="ratio-of-slopes", numbers=numbers,
        text="'About 5 times more closely aligned' divides by the slope of the human group: "
        f"{found.missing or 'the ratio has a bounded interval'}.",
    )  # fmt: skip


def many_emotions(study: Study) -> Finding:
    """32 tests without a correction."""
    tests = []
    for emotion in np.unique(study.emotions):
        data = study.long(study.emotions == emotion)
        tests.append(comparisons.one_way(data["values"], data["groups"]))
    numbers: Numbers = {"p < .05, uncorrected": float(sum((t.p or 1) < 0.05 for t in tests))}
    for method in ("bonferroni", "holm", "bh", "by"):
        adjusted = multiplicity.adjust([t.p for t in tests], method=method)
        numbers[f"p < .05, {method}"] = float(sum((p if p is not None else 1) < 0.05 for p in adjusted))
    return Finding(
        id="thirty-two-tests", numbers=numbers,
        text=f"Table 9 makes {len(tests)} tests without a correction for their number. Test the interaction first.",
    )  # fmt: skip


def interactions(study: Study) -> Finding:
    """Does the effect differ between emotions, or between positive and negative ones?"""
    data = study.long()
    emotion = np.tile(study.emotions, len(TITLES))
    found = factorial.factorial(data["values"], {"condition": data["groups"], "emotion": emotion})[2]
    valence = _valence(study)
    numbers: Numbers = {
        "condition x emotion, F": found.statistic, "condition x emotion, p": found.p,
        "condition x valence (cluster-robust by part), F": valence.f, "condition x valence, p": valence.p,
    }  # fmt: skip
    return Finding(
        id="interaction-before-emotions", numbers=numbers,
        text="Whether the effect differs between emotions, or between positive and negative ones, is not tested in the "
        "paper and comes before any claim about one emotion.",
    )  # fmt: skip


def sample_size(study: Study, mixed: Numbers) -> Finding:
    """The power analysis counts participants with one rating each, the tests count ratings."""
    data = study.long()
    effect = comparisons.one_way(data["values"], data["groups"])
    icc = mixed["intraclass correlation of a rater"]
    share = float(icc) if isinstance(icc, float) else 0.0
    plan = power.between(0.25, 3, icc=share, ratings=10, power=0.95).answer
    numbers: Numbers = {
        "f assumed": 0.25, "f observed": effect.details["cohens_f"],
        "raters for f = .25, 10 ratings each, with the ICC observed": plan.value,
    }  # fmt: skip
    return Finding(
        id="power-on-the-unit", numbers=numbers,
        text="The sample sizes of the paper are for one rating per participant; its tests use ten that are alike. The "
        f"effect found is f = {effect.details['cohens_f']:.2f}, f = .25 was assumed.",
    )  # fmt: skip


def questionnaire(study: Study) -> Finding:
    """The Toronto Empathy Questionnaire: which items are reversed."""
    totals = np.array([float(person["teq"]) for person in study.people.values()])
    answers = np.array([study.answers[rater] for rater in study.people])
    turned = answers.copy()
    turned[:, reversed_items()] = 4 - turned[:, reversed_items()]
    as_printed = turned.copy()
    as_printed[:, 3] = answers[:, 3]
    wrong = (answers[:, reversed_items()] >= 3).sum(axis=1)
    numbers: Numbers = {
        "totals reproduced with 8 reversed items": float((turned.sum(axis=1) == totals).sum()),
        "totals reproduced with the 7 marked in Table 7": float((as_printed.sum(axis=1) == totals).sum()),
        "raters": float(len(totals)),
        "no reversed item answered Often or Always, %": 100 * float((wrong == 0).mean()),
        "more than half of them, %": 100 * float((wrong > 4).mean()),
    }
    return Finding(
        id="teq-item-4", numbers=numbers,
        text="Table 7 forgets the mark on item 4: the totals need it reversed. '60 %' and '2.17 %' of Appendix K are "
        "not reproduced from the answers.",
    )  # fmt: skip


def highest_rated(study: Study) -> Finding:
    """Which group has the highest mean in each emotion."""
    wins = dict.fromkeys(TITLES.values(), 0) | {"tie": 0}
    for emotion in np.unique(study.emotions):
        means = {g: float(study.ratings[g][study.emotions == emotion].mean()) for g in TITLES}
        best = [TITLES[g] for g, mean in means.items() if np.isclose(mean, max(means.values()))]
        wins[best[0] if len(best) == 1 else "tie"] += 1
    return Finding(
        id="highest-in-most-emotions", numbers={f"highest mean, {name}": float(count) for name, count in wins.items()},
        text="'Empathy-defined scores highest across most emotions': strictly highest in "
        f"{wins[TITLES['chatgpt_empathy']]} of {sum(wins.values())}.",
    )  # fmt: skip


def _mixed(study: Study) -> Numbers:
    data = study.long()
    found = linear_mixed(data["values"], data["groups"], raters=data["raters"], items=data["items"])
    deviations = {estimate.name: estimate.value or 0.0 for estimate in found.deviations}
    total = sum(value**2 for value in deviations.values())
    numbers: Numbers = {
        "all, linear mixed model, F": found.groups.statistic,
        "all, linear mixed model, p": found.groups.p,
    }
    numbers.update(deviations)
    numbers["intraclass correlation of a rater"] = deviations["sd_rater"] ** 2 / total
    return numbers


def _slope_difference(study: Study, a: str, b: str, without: Mapping[str, str]) -> Estimate:
    first, second = (group_slope(study, g, without.get(g)) for g in (a, b))
    error = float(np.hypot(first.details["se"], second.details["se"]))
    n = (first.n or 0) + (second.n or 0)
    return effects.t_estimate(
        "difference", (second.value or 0.0) - (first.value or 0.0), error, n - 4, method="ols", n=n
    )


def _by_rater(study: Study) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    means = [study.rater_means(group) for group in TITLES]
    groups = np.repeat(np.arange(len(TITLES)), [len(names) for names, _, _ in means])
    return np.concatenate([m for _, m, _ in means]), np.concatenate([t for _, _, t in means]), groups


def _valence(study: Study) -> linear.Wald:
    """Is the effect of condition equal for positive and negative dialogues? Cell means, clustered by part."""
    data = study.long()
    positive = np.tile(study.polarities == "positive", len(TITLES))
    fit = linear.least_squares(linear.indicators(data["groups"] * 2 + positive), data["values"])
    restrictions = np.kron(linear.equality(len(TITLES)), np.array([[-1.0, 1.0]]))
    found = linear.wald(
        fit.coefficients, linear.clustered(fit, data["parts"]), restrictions, len(np.unique(study.parts)) - 1
    )
    return found or linear.Wald(np.nan, 0, 0, np.nan)


def _title(place: int) -> str:
    return list(TITLES.values())[place]
