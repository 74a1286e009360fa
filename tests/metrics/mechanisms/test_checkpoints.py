"""The adapters on tiny checkpoints with random weights: they run where torch and transformers are installed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from empathic.errors import InputError, SettingError
from empathic.metrics.measure import build
from empathic.metrics.mechanisms.checkpoints import LONGEST, Epitome, Pair, windows
from empathic.metrics.mechanisms.pairs import as_batch

POSTS = ["my dog died", "i got the job and i am so happy about it"]
RESPONSES = ["i am sorry", "what happened ?"]
SIZE = 16


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch", reason="the adapters need torch: pip install 'empathic[transformers]'")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, torch: Any) -> Path:
    """A folder like roberta-base's, with a tiny configuration and a tokenizer of single bytes."""
    transformers = pytest.importorskip("transformers", reason="the adapters need transformers")
    from tokenizers import ByteLevelBPETokenizer

    folder = tmp_path_factory.mktemp("base")
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(
        POSTS + RESPONSES, vocab_size=300, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    )
    tokenizer.save_model(str(folder))
    transformers.RobertaTokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(folder)
    config = transformers.RobertaConfig(
        vocab_size=400,
        hidden_size=SIZE,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=514,
        pad_token_id=1,
    )
    config.save_pretrained(folder)
    return folder


def encoder(base: Path) -> Any:
    import transformers

    config = transformers.AutoConfig.from_pretrained(str(base))
    return transformers.AutoModel.from_config(config, add_pooling_layer=False)


@pytest.fixture(scope="module")
def epitome(base: Path, torch: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with the tensors of the original, its unused ones and an old buffer included."""
    torch.manual_seed(1)
    layers = {f"attn.{name}": torch.nn.Linear(SIZE, SIZE) for name in ("q_linear", "k_linear", "v_linear", "out")}
    layers |= {
        "empathy_classifier.dense": torch.nn.Linear(SIZE, SIZE),
        "rationale_classifier": torch.nn.Linear(SIZE, 2),
    }
    layers["empathy_classifier.out_proj"] = torch.nn.Linear(SIZE, 3)
    found = {f"{name}.{part}": getattr(layer, part) for name, layer in layers.items() for part in ("weight", "bias")}
    for side in ("seeker_encoder", "responder_encoder"):
        found |= {f"{side}.roberta.{name}": value for name, value in encoder(base).state_dict().items()}
        found[f"{side}.roberta.embeddings.position_ids"] = torch.arange(514)[None]
    path = tmp_path_factory.mktemp("epitome") / "er.pth"
    torch.save({name: value.detach().clone() for name, value in found.items()}, path)
    return path


def by_hand(torch: Any, path: Path, base: Path, padding: str) -> Any:
    """The published forward pass written out: every position of the response attends, the first is classified."""
    import transformers

    state = torch.load(path, weights_only=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(base))
    hidden = {}
    for side, texts in (("seeker", POSTS), ("responder", RESPONSES)):
        model, prefix = encoder(base), f"{side}_encoder.roberta."
        model.load_state_dict(
            {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}, strict=False
        )
        tokens = tokenizer(texts, max_length=LONGEST, truncation=True, padding=padding, return_tensors="pt")
        hidden[side] = model.eval()(**tokens)[0].detach()

    def layer(name: str, value: Any) -> Any:
        return value @ state[f"{name}.weight"].T + state[f"{name}.bias"]

    q, k, v = (layer(f"attn.{n}_linear", hidden[s]) for n, s in (("q", "responder"), ("k", "seeker"), ("v", "seeker")))
    attention = torch.softmax(torch.einsum("bid,bjd->bij", q, k) / math.sqrt(SIZE), dim=2)
    mixed = hidden["responder"] + layer("attn.out", torch.einsum("bij,bjd->bid", attention, v))
    return layer("empathy_classifier.out_proj", torch.relu(layer("empathy_classifier.dense", mixed[:, 0])))


def test_the_logits_are_those_of_the_published_forward_pass(torch: Any, epitome: Path, base: Path) -> None:
    for padding, written in (("train", "max_length"), ("wrapper", "longest")):
        found = Epitome(epitome, base, padding=padding).logits(POSTS, RESPONSES)
        assert torch.allclose(found, by_hand(torch, epitome, base, written), atol=1e-5)


def test_padding_as_in_training_and_as_in_the_wrapper_differ(torch: Any, epitome: Path, base: Path) -> None:
    one, other = (Epitome(epitome, base, padding=padding).logits(POSTS, RESPONSES) for padding in ("train", "wrapper"))
    assert not torch.allclose(one, other, atol=1e-4)


def test_a_long_response_has_the_level_of_its_highest_window(epitome: Path, base: Path) -> None:
    model = Epitome(epitome, base)
    text = " ".join(f"Sentence number {n} is about my dog and nothing else." for n in range(12))
    cut = list(windows(text, model._length))
    assert len(cut) > 1
    assert " ".join(cut) == text
    assert model.levels([POSTS[0]], [text])[0] == pytest.approx(max(model.levels([POSTS[0]] * len(cut), cut)), abs=1e-6)


def test_levels_lie_between_0_and_2_and_do_not_depend_on_the_batch(epitome: Path, base: Path) -> None:
    model = Epitome(epitome, base)
    together = model.levels(POSTS * 10, RESPONSES * 10)
    assert ((together >= 0) & (together <= 2)).all()
    assert together[:2] == pytest.approx(
        [model.levels([p], [r])[0] for p, r in zip(POSTS, RESPONSES, strict=True)], abs=1e-5
    )


def test_pair_is_the_sigmoid_of_two_layers_over_the_first_token(torch: Any, base: Path, tmp_path: Path) -> None:
    import transformers

    torch.manual_seed(2)
    model, first, second = encoder(base).eval(), torch.nn.Linear(SIZE, 8), torch.nn.Linear(8, 1)
    state = {f"cross_encoder.{name}": value for name, value in model.state_dict().items()}
    for name, layer in (("l1", first), ("l2", second)):
        state |= {f"{name}.weight": layer.weight.detach(), f"{name}.bias": layer.bias.detach()}
    torch.save({"model_state_dict": state, "epoch": 3}, tmp_path / "pair.pth")
    tokens = transformers.AutoTokenizer.from_pretrained(str(base))(POSTS, RESPONSES, padding=True, return_tensors="pt")
    expected = torch.sigmoid(second(torch.nn.functional.elu(first(model(**tokens)[0][:, 0])))).flatten()
    found = Pair(tmp_path / "pair.pth", base).levels(POSTS, RESPONSES)
    assert found == pytest.approx(expected.detach().numpy(), abs=1e-5)


def test_another_kind_of_checkpoint_is_refused(torch: Any, epitome: Path, base: Path, tmp_path: Path) -> None:
    torch.save({"x": torch.zeros(2)}, tmp_path / "x.pth")
    (tmp_path / "y.pth").write_bytes(b"nonsense")
    with pytest.raises(InputError, match="another kind of checkpoint"):
        Epitome(tmp_path / "x.pth", base)
    with pytest.raises(InputError, match="is no checkpoint of tensors alone"):
        Epitome(tmp_path / "y.pth", base)
    with pytest.raises(InputError, match="holds no config.json"):
        Epitome(epitome, tmp_path)
    with pytest.raises(SettingError, match="train or wrapper"):
        Epitome(epitome, base, padding="none")


def test_the_metric_scores_a_batch_with_evidence_context_and_probes(torch: Any, epitome: Path, base: Path) -> None:
    path = str(epitome)
    measure = build("mechanisms-roberta", {"er": path, "ip": path, "ex": path, "base": str(base)})
    found = measure.metric.score(as_batch(POSTS, ["I am sorry. What happened?", "Congratulations!"]))
    assert set(found) == {column.name for column in measure.columns}
    assert found["er_evidence"][0] in ("I am sorry.", "What happened?")
    assert all(value >= 0 for value in found["er_context"])
    assert "probes:" in measure.caution
    assert "padding:train" in measure.signature("ptb")


def test_windows_are_runs_of_whole_sentences() -> None:
    def length(text: str) -> int:
        return len(text.split())

    short, long = "One two.", "a " * (LONGEST - 1) + "end."
    assert list(windows(short, length)) == [short]
    assert list(windows(f"{short} {long} {short}", length)) == [short, long, short]
