"""A prompt file, an instrument and a subject become messages."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from empathic import registry
from empathic.contracts import Subject
from empathic.errors import InputError
from empathic.judges import prompts
from empathic.judges.prompts import Prompt
from empathic.judges.transcripts import PLAIN, SWAPS, code
from empathic.records import Instrument


@pytest.fixture
def prompt() -> Prompt:
    found: Prompt = registry.find("prompt", "judge-observer").thing
    return found


def text(prompt: Prompt, instrument: Instrument, subject: Subject, **settings: object) -> str:
    shown = prompts.layout(instrument, subject, **{"permute": False, "repeat": 0, "seed": 1, **settings})
    return prompts.messages(prompt, instrument, subject, shown)[1].content


def test_the_messages_hold_every_item_the_points_and_the_transcript(
    prompt: Prompt, eshcc: Instrument, subject: Subject
) -> None:
    found = text(prompt, eshcc, subject)
    assert all(item.text in found and f'"{item.id}":' in found for item in eshcc.items)
    assert "1 (not at all), 2, 3, 4, 5, 6, 7 (extensively)" in found
    assert '2. System: "I am so sorry.' in found
    assert found.count(code(subject)) == 3
    assert "All turns of System are rated together." in found
    assert "$" not in found


def test_the_turns_that_are_only_context_are_named(prompt: Prompt, eshcc: Instrument, subject: Subject) -> None:
    part = msgspec.structs.replace(subject, rated=(3,))
    assert "Only these turns of System are rated: 4." in text(prompt, eshcc, part)


def test_each_perspective_is_told(prompt: Prompt, subject: Subject) -> None:
    second: Instrument = registry.find("instrument", "ieval-likert").thing
    assert "Put yourself in that person's place" in text(prompt, second, subject)


def test_dollar_signs_in_a_transcript_stay_what_they_are(prompt: Prompt, eshcc: Instrument, subject: Subject) -> None:
    rich = msgspec.structs.replace(
        subject, turns=(*subject.turns[:3], msgspec.structs.replace(subject.turns[3], text="$items and $5"))
    )
    assert '"$items and $5"' in text(prompt, eshcc, rich)


def test_unpermuted_the_published_order_is_shown(eshcc: Instrument, subject: Subject) -> None:
    shown = prompts.layout(eshcc, subject, permute=False, repeat=3, seed=9)
    assert shown == (eshcc.items, PLAIN)


def test_permuted_orders_and_names_differ_between_repeats_and_are_the_same_again(
    eshcc: Instrument, subject: Subject
) -> None:
    drawn = [prompts.layout(eshcc, subject, permute=True, repeat=repeat, seed=1) for repeat in range(20)]
    assert len({shown.items for shown in drawn}) == 20
    assert {shown.labels for shown in drawn} == set(SWAPS)
    assert all(set(shown.items) == set(eshcc.items) for shown in drawn)
    assert drawn[7] == prompts.layout(eshcc, subject, permute=True, repeat=7, seed=1)
    assert drawn[7] != prompts.layout(eshcc, subject, permute=True, repeat=7, seed=2)


def test_permuted_every_place_is_taken_by_every_item_about_equally_often(eshcc: Instrument, subject: Subject) -> None:
    firsts = [prompts.layout(eshcc, subject, permute=True, repeat=repeat, seed=1).items[0].id for repeat in range(1000)]
    counts = [firsts.count(item.id) for item in eshcc.items]
    assert min(counts) > 60 and max(counts) < 140  # 100 expected, sd 9.5


def test_a_file_that_is_no_prompt_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text('id = "x"\n')
    with pytest.raises(InputError, match=r"broken\.toml: is no prompt for judges"):
        prompts.read(path)
    path.write_text("= 3")
    with pytest.raises(InputError, match="is no prompt"):
        prompts.read(path)


def test_a_prompt_of_your_own_is_registered_under_its_version(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    source = (prompts.FOLDER / "judge-observer.v1.toml").read_text()
    path.write_text(source.replace("version = 1", "version = 2").replace("careful observer", "strict observer"))
    prompts.register(path)
    assert "strict observer" in registry.find("prompt", "judge-observer").thing.system
    assert "careful observer" in registry.find("prompt", "judge-observer.v1").thing.system
