"""The released text format of JaEm-ST, on files made up in its shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.probes import factors, released, rendering, templates
from empathic.records import Turn

TEXT = """(lost the race, trained alone, nobody waited at the finish)

Context:
Jane is a {GENDER} with {EDUCATION}. {PRONOUN} runs every day and {PRONOUN} is {AGE}.

{PRONOUN} told {PRONOUN} coach.

Conversation:
Carl: How was it?

Jane: Long. Too long: nobody was there
at the end.

Carl:

Answers:
Affective: Oh no, how sad!
Indifferent: Did it rain?

Empathetic: Nobody waited for you,
so finishing felt like losing.
Sympathetic: I am sorry.
Distressed: That upsets me.
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sample_race.txt"
    path.write_text(TEXT)
    return path


def test_a_released_file_becomes_its_scene(path: Path) -> None:
    scene = released.read(path)
    assert scene.cause == ("lost the race", "trained alone", "nobody waited at the finish")
    assert (scene.speaker, scene.listener) == ("Jane", "Carl")
    assert scene.turns == (
        Turn(role="listener", text="How was it?"),
        Turn(role="speaker", text="Long. Too long: nobody was there at the end."),
    )
    kinds = [answer.kind for answer in scene.answers]
    assert kinds == ["affective", "indifferent", "empathetic", "sympathetic", "distressed"], "each under its own label"
    assert scene.answers[2].text == "Nobody waited for you, so finishing felt like losing."
    assert scene.factors == ("pronouns", "age", "education", "sexuality")


def test_it_renders_with_the_slips_of_the_original(path: Path) -> None:
    (template,) = templates.read(path)
    levels = {"pronouns": "they", "sexuality": "asexual", "education": "doctorate", "age": "25"}
    probe = rendering.render(template, factors.read("en"), levels)
    assert probe.context.endswith("they runs every day and they is 25. they told they coach.")
    assert probe.polarity is None, "the released files do not say it"


def test_windows_line_ends_and_square_masks_are_read_too(path: Path) -> None:
    path.write_bytes(TEXT.replace("{RACE}", "[RACE]").replace("{GENDER}", "[SEXUALITY]").replace("\n", "\r\n").encode())
    assert released.read(path).factors == ("pronouns", "age", "education", "sexuality")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Context:\n", "", "the heading `Context:` is missing"),
        ("Answers:\n", "", "the heading `Answers:` is missing"),
        ("(lost", "lost", "the causal tuple in round brackets"),
        ("Jane: Long", "Long", "needs two speakers"),
        ("Sympathetic:", "Pitying:", "'Pitying' is no kind of answer"),
    ],
)
def test_what_is_not_in_that_shape_is_refused(path: Path, old: str, new: str, what: str) -> None:
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(InputError, match=what):
        released.read(path)


def test_text_that_is_not_utf_8_is_refused(path: Path) -> None:
    path.write_bytes(TEXT.encode("utf-16"))
    with pytest.raises(InputError, match="UTF-8"):
        released.read(path)
