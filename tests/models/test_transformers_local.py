from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from empathic import models, parts
from empathic.contracts import Message, Model, Sampling
from empathic.errors import InputError, MissingPart


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no config.json"):
        models.make(f"transformers/{tmp_path}")


@pytest.mark.skipif(parts.present("torch"), reason="torch is installed")
def test_without_the_extra_it_says_what_to_type(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(MissingPart, match=r"pip install 'empathic\[transformers\]'"):
        models.make(f"transformers/{tmp_path}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tiny model with random weights and a tokenizer of single letters, made here."""
    transformers = pytest.importorskip("transformers", reason="the extra `transformers` is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    letters = {letter: i for i, letter in enumerate(["<end>", *map(chr, range(32, 127))])}
    inner = tokenizers.Tokenizer(tokenizers.models.WordLevel(letters, unk_token="<end>"))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    transformers.PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<end>").save_pretrained(tmp_path)
    config = transformers.GPT2Config(
        vocab_size=len(letters), n_positions=256, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    return tmp_path


def test_a_model_saved_to_a_folder_answers_the_same_at_temperature_0(folder: Path) -> None:
    async def ask() -> list[object]:
        model = models.make(f"transformers/{folder}")
        assert isinstance(model, Model)
        await model.check()
        question = [Message(role="user", content="Hi.")]
        greedy = [await model.complete(question, Sampling(temperature=0, max_tokens=6)) for _ in range(2)]
        drawn = [await model.complete(question, Sampling(temperature=1, seed=3, max_tokens=6)) for _ in range(2)]
        await model.close()
        return [*greedy, *drawn]

    one, two, three, four = asyncio.run(ask())
    assert one.text == two.text and three.text == four.text
    assert one.generation.completion_tokens <= 6
    assert one.generation.prompt_tokens == len("user: Hi.\nassistant:")
