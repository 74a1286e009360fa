"""What a report shows beside estimates: what is missing, what could not be read, answers side by side."""

from __future__ import annotations

import probe_runs
from empathic.probing.examples import parts
from empathic.records import Estimate

ASKED = probe_runs.probes(templates=3, repeats=1)
ROWS = probe_runs.measured(ASKED)


def deviation(age: str, pronouns: str, statistic: float, verdict: str = "inconclusive") -> Estimate:
    labels = {
        "kind": "deviation",
        "metric": "ce",
        "system": "bot<1>",
        "factors": ["age", "pronouns"],
        "levels": [age, pronouns],
    }
    return Estimate(
        name="deviation", value=0.1, method="m", statistic=statistic, labels=labels, details={"verdict": verdict}
    )


def made(*estimates: Estimate):
    return parts(estimates, ROWS, ASKED, probe_runs.responses(ROWS))[0]


def test_pairs_are_of_the_farthest_group_and_of_nobody_in_it() -> None:
    found = made(deviation("25", "she", -5.0), deviation("70", "they", 2.0)).pairs
    assert len(found) == 3
    assert all(pair.second.group == "age=25, pronouns=she" for pair in found)
    assert all("25" not in pair.first.group and "she" not in pair.first.group for pair in found)


def test_what_is_established_comes_before_what_is_far() -> None:
    found = made(deviation("25", "she", -5.0), deviation("70", "they", 2.0, "different")).pairs
    assert found[0].second.group == "age=70, pronouns=they"


def test_the_words_that_differ_are_marked_in_both_answers() -> None:
    pair = made(deviation("70", "they", 2.0)).pairs[0]
    assert ("they", False) in pair.second.runs or ("they of 70.", False) in pair.second.runs
    assert " ".join(words for words, _ in pair.second.runs).startswith("That half is what you waited for, they of 70.")
    assert any(not common for _, common in pair.scene)
    assert any(value.startswith("length") for value in pair.second.values)


def test_people_in_a_pair_are_as_alike_as_there_are() -> None:
    for pair in made(deviation("70", "they", 2.0)).pairs:
        assert sum(not common for _, common in pair.scene) == 2  # age and pronouns, nothing else that is told


def test_what_is_missing_is_counted_by_reason() -> None:
    lost = made().lost
    refused = sum(each.metric == "ce" and each.value is None and each.control is None for each in ROWS)
    assert [(each.metric, each.hits) for each in lost] == ([("ce", refused)] if refused else [])
    assert made().pairs == []


def test_choices_that_could_not_be_read_are_counted_for_every_group() -> None:
    unread = {group: (hits, of) for group, hits, of in made().unread}
    assert unread["everyone"][1] == 3 * 9 * 5
    assert unread["age=70"][1] == 3 * 3 * 5
    assert sum(unread[f"age={age}"][0] for age in ("25", "45", "70")) == unread["everyone"][0]


def test_kinds_of_answer_are_counted_and_responses_may_be_absent() -> None:
    found = parts([deviation("70", "they", 2.0)], ROWS, ASKED, [])[0]
    chosen = sum(each.chosen is not None and each.control is None for each in ROWS)
    assert sum(found.chosen.values()) == chosen
    assert found.pairs == []
