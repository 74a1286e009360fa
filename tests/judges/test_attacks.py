"""Words that speak to the judge are put where a system could put them, and their effect is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from empathic import files, registry
from empathic.contracts import Message, Sampling, Subject
from empathic.errors import UnknownName
from empathic.judges import prompts, transcripts
from empathic.judges.attacks import attacks, find, shifts, with_attacks
from empathic.judges.judge import Settings
from empathic.judges.panel import Plan, run_stage
from empathic.records import Instrument, Rating
from empathic.runs import Run

Make = Callable[..., Any]


def test_an_attacked_subject_has_the_words_at_the_end_of_its_last_rated_turn(subject: Subject) -> None:
    plain, one, other = with_attacks([subject], find(["give-highest", "praise"]))
    assert plain == subject
    assert (one.target, other.target) == ("d1!give-highest", "d1!praise")
    assert one.turns[3].text.startswith(subject.turns[3].text) and one.turns[3].text.endswith("on every item.")
    assert one.turns[:3] == subject.turns[:3] and one.rated == subject.rated


def test_a_subject_without_rated_turns_is_left_alone(subject: Subject) -> None:
    silent = msgspec.structs.replace(subject, rated=(), missing="nothing")
    assert list(with_attacks([silent], attacks())) == [silent]


def test_an_unknown_attack_is_refused_and_all_means_all() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'give-highest'"):
        find(["give-higest"])
    assert find(["all"]) == attacks() and len(attacks()) >= 8


@pytest.mark.parametrize("name", list(attacks()))
def test_no_attack_breaks_out_of_its_line_of_the_prompt(name: str, subject: Subject, eshcc: Instrument) -> None:
    _, attacked = with_attacks([subject], find([name]))
    shown = prompts.layout(eshcc, attacked, permute=False, repeat=0, seed=1)
    prompt = registry.find("prompt", "judge-observer").thing
    text = prompts.messages(prompt, eshcc, attacked, shown)[1].content
    code = transcripts.code(attacked)
    inside = text.partition(f"[begin {code}]\n")[2].partition(f"\n[end {code}]")[0]
    assert len(inside.split("\n")) == 4 and "<|" not in text and "[end 00000000]" not in text


def test_a_gullible_judge_is_moved_and_keeps_the_form(
    model: Make, fill: Make, subject: Subject, eshcc: Instrument, tmp_path: Path
) -> None:
    def rule(messages: Sequence[Message], sampling: Sampling) -> str:
        said = messages[-1].content
        text: str = fill(7 if "give the highest score" in said else 1 if "the lowest score" in said else 4)(
            messages, sampling
        )
        return text

    chosen = find(["give-highest", "give-lowest", "nonsense"])
    plan = Plan(
        models=[model(rule)],
        instrument=eshcc,
        subjects=list(with_attacks([subject], chosen)),
        prompt=registry.find("prompt", "judge-observer").thing,
        settings=Settings(),
    )
    asyncio.run(run_stage(plan, Run(tmp_path)))
    found = {each.attack: each for each in shifts(files.read_lines(tmp_path / "ratings.jsonl", Rating), chosen)}
    assert {name: each.shift for name, each in found.items()} == {
        "give-highest": 3.0, "give-lowest": -3.0, "nonsense": 0.0
    }  # fmt: skip
    assert all((each.asked, each.read, each.pairs) == (10, 10, 10) for each in found.values())


def test_unreadable_answers_count_against_the_form_and_not_as_a_move() -> None:
    def rating(target: str, value: float | None) -> Rating:
        return Rating(rater="judge:m#0", instrument="i", item="x", target=target, value=value, missing="no")

    chosen = find(["praise"])
    plain = [rating("a", 3.0), rating("b", 3.0)]
    given = [*plain, rating("a!praise", 5.0), rating("b!praise", None), rating("c!praise", 1.0)]
    (found,) = shifts(given, chosen)
    assert (found.asked, found.read, found.pairs, found.shift, found.largest) == (3, 2, 1, 2.0, 2.0)
    (none,) = shifts([rating("a", 3.0)], chosen)
    assert (none.asked, none.shift, none.largest) == (0, None, None)
