from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from empathic.metrics import fitted
from empathic.metrics.batch import Batch
from empathic.metrics.features import quantities
from empathic.metrics.mechanisms import embedded, epitome
from empathic.metrics.mechanisms.levels import OTHER_PROMPTS, embedded_scores, fitted_scores, rescored_scores, strongest
from empathic.metrics.mechanisms.pairs import as_batch, read_pairs
from empathic.metrics.mechanisms.training import rows_of

PROMPTS = ["My dog died yesterday.", "I got the job!", "I feel alone."]
TEXTS = ["I'm so sorry. What was his name?", "Congratulations!", "ok. It is late. You must feel so lost without her."]


def test_the_evidence_is_the_sentence_that_carries_the_level() -> None:
    found = embedded_scores({name: embedded()[name] for name in ("er", "ip", "ex")}, as_batch(PROMPTS, TEXTS))
    assert found["er_evidence"][:2] == ["I'm so sorry.", "Congratulations!"]
    assert found["ex_evidence"][0] == "What was his name?"
    assert found["ip_evidence"][2] == "You must feel so lost without her."


def test_the_strongest_sentence_is_the_first_whose_absence_costs_most() -> None:
    level, without = np.array([1.0, 0.5]), np.array([0.9, 0.2, 0.2, 0.5])
    assert strongest(level, without, np.array([0, 3, 4])).tolist() == [1, 3]


def test_the_context_column_is_the_mean_change_over_the_other_prompts() -> None:
    model = embedded()["ip"]
    batch = as_batch(PROMPTS, TEXTS)
    found = embedded_scores({"ip": model}, batch)
    level = model.expected(rows_of(PROMPTS, TEXTS))
    changes = [np.abs(model.expected(rows_of([other] * 3, TEXTS)) - level) for other in OTHER_PROMPTS]
    assert found["ip_context"] == pytest.approx(np.mean(changes, axis=0).tolist(), abs=1e-9)


def test_a_fitted_model_gives_levels_evidence_and_context() -> None:
    pairs = read_pairs("train")[:300]
    texts = [pair.response for pair in pairs]
    values = {"ex": np.array([float(pair.ex) for pair in pairs])}
    model = fitted.fit(texts, rows_of([pair.prompt for pair in pairs], texts), values, source="pairs")
    found = fitted_scores(model, ("ex",), as_batch(PROMPTS, TEXTS))
    assert found["ex"][0] > 0.7 > found["ex"][1] + 0.3
    assert found["ex_evidence"][0] == "What was his name?"
    assert all(change >= 0 for change in found["ex_context"])


def test_any_function_of_a_batch_can_be_given_evidence_and_context() -> None:
    model = embedded()["er"]
    batch = as_batch(PROMPTS, TEXTS)

    def score(texts: Batch) -> dict[str, np.ndarray]:
        return {"er": model.expected(quantities(texts).whole())}

    slow, fast = rescored_scores(score, ("er",), batch), embedded_scores({"er": model}, batch)
    assert slow["er"] == pytest.approx(fast["er"])
    assert slow["er_evidence"] == fast["er_evidence"]
    assert slow["er_context"] == pytest.approx(fast["er_context"])


@pytest.mark.parametrize(("label", "n", "share"), [("er", 713, 0.717), ("ip", 999, 0.747), ("ex", 289, 0.879)])
def test_the_evidence_overlaps_the_passages_people_marked_as_the_docs_say(
    shared: Path, label: str, n: int, share: float
) -> None:
    folder = shared / "data" / "epitome2020"
    with (folder / f"{epitome.NAMES[label]}-reddit.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    batch = as_batch([row["seeker_post"] for row in rows], [row["response_post"] for row in rows])
    evidence = embedded_scores({label: embedded()[label]}, batch)[f"{label}_evidence"]
    hits = []
    for row, sentences, chosen in zip(rows, batch.sentences, evidence, strict=True):
        marked = [plain(passage) for passage in row["rationales"].split("|") if passage.strip()]
        if row["level"] != "0" and len(sentences) > 1 and any(overlaps(each, marked) for each in sentences):
            hits.append(overlaps(str(chosen), marked))
    assert len(hits) == n
    assert sum(hits) / n == pytest.approx(share, abs=0.006)


def plain(text: str) -> str:
    return " ".join(text.lower().split())


def overlaps(sentence: str, passages: list[str]) -> bool:
    return any(passage in plain(sentence) or plain(sentence) in passage for passage in passages)
