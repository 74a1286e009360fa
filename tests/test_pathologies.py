from __future__ import annotations

from empathic.pathologies import COLUMNS, KINDS, find
from empathic.records import Response, Turn


def responses(texts: list[str | None], *, polarity: str = "negative", reference: str | None = None) -> list[Response]:
    return [
        Response(
            id=f"r{place}", system="s", dialogue=f"d{place}", text=text, missing=None if text else "timeout",
            turns=(Turn(role="speaker", text=f"My day {place} was hard."),), polarity=polarity, reference=reference,  # type: ignore[arg-type]
        )
        for place, text in enumerate(texts)
    ]  # fmt: skip


def found(
    texts: list[str | None], rows: dict[tuple[str, str], dict[str, object]] | None = None, **more: str
) -> dict[str, tuple[int, bool]]:
    return {each.name: (each.hits, each.flagged) for each in find("s", responses(texts, **more), rows or {})}


def test_the_same_words_to_everybody_are_exposed() -> None:
    assert found(["I'm sorry to hear that."] * 9 + ["Oh, a new one."])["repeats itself"] == (9, True)
    assert found([f"Something new {place}" for place in range(9)])["repeats itself"] == (0, False)


def test_an_echo_is_exposed() -> None:
    assert found(["my day 0 was hard", "My day 1 was HARD!", "Tell me."])["says the prompt back"] == (2, True)


def test_a_copy_of_the_reference_is_exposed() -> None:
    assert found(["Oh no, poor you."] * 4, reference="oh no poor you")["equals the reference"] == (4, True)


def test_hardly_anything_and_broken_roles_are_exposed() -> None:
    result = found(["Ok.", "As an AI language model, I cannot feel.", "Listener: I hear you.", "That sounds hard."])
    assert result["hardly says anything"] == (1, True)
    assert result["leaves its role"] == (2, True)


def test_scores_of_other_metrics_are_used() -> None:
    rows: dict[tuple[str, str], dict[str, object]] = {
        ("s", "r0"): {"questions.generic": 1.0, "miti.self_disclose": 0.5, "miti.advise_without_permission": 1.0},
        ("s", "r1"): {"fallacies.count": 2.0, "questions.generic": None},
    }
    result = found(["What kind of dog?", "My dog died too."], rows)
    assert result["generic question"] == (1, True)
    assert result["speaks of itself to someone in distress"] == (1, True)
    assert result["advice without permission"] == (1, True)
    assert result["credibility fallacy"] == (1, True)
    assert found(["What kind of dog?"], rows, polarity="positive")["speaks of itself to someone in distress"][0] == 0


def test_a_system_that_said_nothing_has_no_pathology() -> None:
    assert set(found([None, None]).values()) == {(0, False)}


def test_every_column_that_is_looked_at_is_named() -> None:
    looked = {name for kind in KINDS for name in COLUMNS if name in kind.holds.__code__.co_consts}
    assert looked == set(COLUMNS)
