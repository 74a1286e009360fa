"""Replies to a multiple-choice question: each way to answer, and not to answer, has its rule."""

from __future__ import annotations

import pytest

from empathic.probes.choice import parse

SHOWN = (
    "You promised to be there, and the empty seat is what you keep seeing.",
    "I am so sorry this happened to you, you did not deserve such a day.",
    "Oh no, now I feel just as terrible as you do about that evening.",
    "By the way, have you seen that the bakery has changed its hours?",
    "I cannot bear hearing this, it makes me think of my own failures.",
)
CESKY = (
    "Slíbil jsi, že přijdeš, a to prázdné místo pořád vidíš před sebou.",
    "Je mi moc líto, že se ti to stalo, takový den sis nezasloužil.",
    "Ach ne, teď je mi z toho večera stejně hrozně jako tobě.",
    "Mimochodem, všiml sis, že pekárna má jinou otevírací dobu?",
    "Tohle nemůžu poslouchat, připomíná mi to moje vlastní selhání.",
)

OK = [
    ("C", 2),
    ("(C)", 2),
    ("C.", 2),
    ("C)", 2),
    (" B \n", 1),
    ("**E**", 4),
    ('"A"', 0),
    ("Ａ", 0),  # a wide letter
    ("`D`", 3),
    ("\\boxed{D}", 3),
    (f"A) {SHOWN[0]}", 0),
    (f"B: {SHOWN[1]}", 1),
    (f"**C**\n\n{SHOWN[2]}", 2),
    ("<think>Is it B? Or C? The answer is B.</think>\nA", 0),
]
LENIENT = [
    ("c", 2, "letter alone"),
    ("(b)", 1, "letter alone"),
    ("The answer is C.", 2, "stated"),
    ("The answer is A because it names the cause.", 0, "stated"),
    ("Answer: D", 3, "stated"),
    ("**Answer:** (D)", 3, "stated"),
    ("I would choose option B.", 1, "stated"),
    ("I'd go with A.", 0, "stated"),
    ("My choice is letter E", 4, "stated"),
    ("The option that shows the deepest understanding of how she feels is A.", 0, "stated"),
    ("Option A shows the deepest understanding.", 0, "stated"),
    ("First, B only pities her. D changes the subject. So the best answer is A.", 0, "stated"),
    ("The person feels guilty about the empty seat, and only one reply sees it.\n\nA", 0, "stated"),
    ("C, because it mirrors the feeling.", 2, "letter first"),
    ("B because it is kind", 1, "letter first"),
    ("A) It sees the promise.", 0, "letter first"),
    ("E – it is the most honest one", 4, "letter first"),
    ("A\nThis one names the promise.", 0, "stated"),
    ("A) sees the promise.\nB) is only kind.\n\n(A)", 0, "stated"),
    (f"A) {SHOWN[0]} It names the cause.", 0, "letter with its text"),
    (SHOWN[0], 0, "text repeated"),
    (f"“{SHOWN[3]}”", 3, "text repeated"),
    (f"I would say: {SHOWN[1]}", 1, "text repeated"),
    ("You promised to be there, and the empty seat is what you keep", 0, "text repeated"),
    ("Option C is close to how they feel.", 2, "mentioned"),
    ("I like option C rather than option B.", 2, "mentioned"),
    ("I can't be sure, but I'd pick B.", 1, "stated"),
]
AMBIGUOUS = [
    "A or B",
    "A and C",
    "A/B",
    "B, D",
    "The answer is A. No, wait, the answer is B.",
    "A\nB",
    "Options A and B. Both (A) and (B) are good.",
    f"A) {SHOWN[2]}",
    f"{SHOWN[0]} {SHOWN[1]}",
    "\n".join(f"{letter}) {text}" for letter, text in zip("ABCDE", SHOWN, strict=True)),
    "I choose A. I choose E.",
    "A) A, B, C, D or E\n\nA) A, B, C, D or E",
    f"A) {SHOWN[3]}\n\nA) {SHOWN[3]}",
    "A) You promised to be there.\n\nA) Oh no, now I feel terrible.\n\nB)",
]
REFUSAL = [
    "I'm sorry, but I can't help with that.",
    "I cannot choose between these answers.",
    "As an AI language model, I am unable to answer questions about religion.",
    "I would rather not answer this.",
    "I must decline to respond.",
    "It would be inappropriate for me to choose.",
]
UNPARSED = [
    "F",
    "2",
    "?",
    "…",
    "A friend of mine had the same thing happen.",
    "That must have been a hard evening for you.",
    "None of them.",
    "<think>The answer is B and I will say so",
    "🙂",
    "Absolutely",
    "Dear me",
    "The answer is a good one.",
    "I would not choose option B.",
]


@pytest.mark.parametrize(("text", "place"), OK)
def test_the_letter_alone_is_what_was_asked_for(text: str, place: int) -> None:
    found = parse(text, SHOWN)
    assert (found.outcome, found.place) == ("ok", place), found


@pytest.mark.parametrize(("text", "place", "rule"), LENIENT)
def test_one_letter_said_otherwise_is_read_leniently(text: str, place: int, rule: str) -> None:
    assert parse(text, SHOWN) == ("lenient", place, rule)


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_two_answers_are_no_answer(text: str) -> None:
    found = parse(text, SHOWN)
    assert (found.outcome, found.place) == ("ambiguous", None), found


@pytest.mark.parametrize("text", REFUSAL)
def test_a_refusal_is_counted_apart(text: str) -> None:
    found = parse(text, SHOWN)
    assert (found.outcome, found.place) == ("refusal", None), found


@pytest.mark.parametrize("text", UNPARSED)
def test_what_names_no_answer_is_never_guessed(text: str) -> None:
    found = parse(text, SHOWN)
    assert (found.outcome, found.place) == ("unparsed", None), found


@pytest.mark.parametrize(
    ("text", "outcome", "place"),
    [
        ("B", "ok", 1),
        ("Odpověď je C.", "lenient", 2),
        ("Odpověď: A", "lenient", 0),
        ("Volím možnost D, protože mění téma.", "lenient", 3),
        ("Vybrala bych E", "lenient", 4),
        ("Možnost A nejhlouběji chápe, co cítí.", "lenient", 0),
        ("Nejhlubší pochopení je vidět v jediné větě.\nA", "lenient", 0),
        (CESKY[3], "lenient", 3),
        (f"A) {CESKY[0]}", "ok", 0),
        ("A nebo B", "ambiguous", None),
        ("A, B", "ambiguous", None),
        ("Na to bohužel nemohu odpovědět.", "refusal", None),
        ("Je mi líto, s tím nemohu pomoci.", "refusal", None),
        ("A to je smutné.", "unparsed", None),
        ("Ani jedna z nich.", "unparsed", None),
    ],
)
def test_czech_replies_are_read_by_czech_rules(text: str, outcome: str, place: int | None) -> None:
    found = parse(text, CESKY, "cs")
    assert (found.outcome, found.place) == (outcome, place), found


def test_a_language_without_rules_is_read_by_its_letters() -> None:
    assert parse("B", SHOWN, "sv").place == 1
    assert parse("Kan inte svara", SHOWN, "sv").outcome == "unparsed"


def test_fewer_answers_have_fewer_letters() -> None:
    assert parse("E", SHOWN[:3]).outcome == "unparsed"
