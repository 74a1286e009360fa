from __future__ import annotations

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.diversity import Diversity, Rarefaction
from empathic.records import Response

TEXTS = [f"i am {feeling} to hear that ." for feeling in ("sorry", "sorry", "glad", "happy")] * 10


def batch(texts: list[str]) -> Batch:
    return Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text) for text in texts])


def test_the_shape_of_a_small_trie_by_hand() -> None:
    metric = Diversity()
    found = metric.finish([metric.gather(batch(["a b c", "a b c", "a d"]))])
    assert found["templates"] == 2
    assert found["span_types"] == 1
    assert found["span_nodes"] == 1
    assert found["total_nodes"] == 4  # root, span, a, d
    assert found["unfolded_nodes"] == 5  # root, a, b, c, d
    assert found["compression"] == 0.8
    assert found["templates_share"] == 2 / 3
    assert found["start_words"] == 1


def test_every_column_is_given() -> None:
    for metric in (Diversity(), Rarefaction(n=5, samples=2)):
        assert set(metric.finish([metric.gather(batch(TEXTS))])) == {column.name for column in metric.columns}


def test_rarefaction_depends_on_the_seed_alone_and_holds_its_range() -> None:
    metric = Rarefaction(n=10, samples=8, seed=3)
    gathered = [metric.gather(batch(TEXTS))]
    found = metric.finish(gathered)
    assert found == metric.finish(gathered)
    assert found["templates_share.low"] <= found["templates_share"] <= found["templates_share.high"]


def test_rarefaction_of_all_responses_is_the_diversity_itself() -> None:
    metric = Rarefaction(n=len(TEXTS), samples=2)
    found, whole = metric.finish([metric.gather(batch(TEXTS))]), Diversity().finish([metric.gather(batch(TEXTS))])
    assert found["compression"] == found["compression.low"] == whole["compression"]


def test_too_few_responses_are_missing_with_both_numbers() -> None:
    metric = Rarefaction(n=100)
    reason = "there are 40 responses, rarefaction.n is 100"
    assert metric.finish([metric.gather(batch(TEXTS))])["compression"] == Missing(reason=reason)
