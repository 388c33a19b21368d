"""Masked models fill in what the whole network would, one sequence at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.errors import GistmarkError
from gistmark.models.language_models.masked import Gapped, MaskedModel, masked_model
from tiny_models import causal_model
from tiny_models import masked_model as tiny_masked_model

SMALL: dict[str, Any] = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
    "max_position_embeddings": 64, "pad_token_id": 0, "initializer_range": 0.5,
}  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "Roberta": SMALL | {"pad_token_id": 1},
    "Electra": SMALL | {"embedding_size": 16},
    "Albert": SMALL | {"embedding_size": 16},
    "DistilBert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64, "pad_token_id": 0},
    "DebertaV2": SMALL,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> MaskedModel:
    return masked_model(str(tiny_masked_model(tmp_path_factory.mktemp("models") / "bert")))


def sequences(model: MaskedModel, count: int = 30) -> list[Gapped]:
    """Sequences of many lengths with some masks in each."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(count):
        body = rng.integers(5, len(model.tokenizer), rng.integers(3, 40))
        positions = np.flatnonzero(rng.random(len(body)) < 0.3)
        body[positions] = model.mask
        tokens = (*model.opening, *map(int, body), *model.closing)
        made.append(
            Gapped(tokens, tuple(int(position) + len(model.opening) for position in positions))
        )
    return made


def whole(model: MaskedModel, sequence: Gapped) -> list[int]:
    """The likeliest tokens by the whole network, on one sequence."""
    import torch

    with torch.inference_mode():
        logits = model.network(input_ids=torch.tensor([sequence.tokens])).logits[0]
    return [int(logits[position].argmax()) for position in sequence.positions]


def test_what_is_filled_in_is_what_the_whole_network_says(model: MaskedModel) -> None:
    asked = sequences(model)
    result = model.predict(asked)
    assert [answer.tolist() for answer in result] == [whole(model, each) for each in asked]
    assert len({token for answer in result for token in answer.tolist()}) > 5


@pytest.mark.parametrize("kind", KINDS)
def test_other_kinds_of_masked_models_work_too(
    kind: str, tmp_path: Path, build: Callable[[str, Path], MaskedModel]
) -> None:
    model = build(kind, tmp_path)
    asked = sequences(model, 8)
    assert [result.tolist() for result in model.predict(asked)] == [whole(model, a) for a in asked]


@pytest.fixture
def build(model: MaskedModel) -> Callable[[str, Path], MaskedModel]:
    """Makes a small model of some kind with the tokenizer of the BERT."""
    import torch
    import transformers

    def made(kind: str, folder: Path) -> MaskedModel:
        torch.manual_seed(0)
        config = getattr(transformers, f"{kind}Config")(
            **KINDS[kind], vocab_size=len(model.tokenizer)
        )
        getattr(transformers, f"{kind}ForMaskedLM")(config).save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)
        return masked_model(str(folder))

    return made


def test_the_network_of_a_bert_is_taken_apart_up_to_its_last_layer(model: MaskedModel) -> None:
    assert model.parts is not None
    assert model.parts.last is model.network.base_model.encoder.layer[-1]
    assert len(model.network.base_model.encoder.layer) == 2


def test_a_network_that_cannot_be_taken_apart_gives_the_same(model: MaskedModel) -> None:
    asked = sequences(model)
    plain = dataclasses.replace(model, parts=None).predict(asked)
    for result, expected in zip(model.predict(asked), plain, strict=True):
        assert result.tolist() == expected.tolist()


def test_parts_follow_the_weights_of_the_network(model: MaskedModel) -> None:
    """Tuning changes weights in place, and predictions are to change with them."""
    import torch

    asked = sequences(model)
    before = [answer.tolist() for answer in model.predict(asked)]
    weights = model.network.base_model.encoder.layer[-1].output.dense.weight
    kept = weights.detach().clone()
    try:
        with torch.no_grad():
            weights.mul_(-3)
        changed = [answer.tolist() for answer in model.predict(asked)]
        assert changed == [whole(model, each) for each in asked]
        assert changed != before
    finally:
        with torch.no_grad():
            weights.copy_(kept)


def test_equal_sequences_are_read_once(model: MaskedModel) -> None:
    read: list[int] = []
    hook = model.network.base_model.embeddings.register_forward_hook(
        lambda _module, _inputs, output: read.append(len(output))
    )
    asked = sequences(model, 4)
    try:
        result = model.predict([*asked, *asked, asked[0]])
    finally:
        hook.remove()
    assert sum(read) == 4
    assert result[0].tolist() == result[4].tolist() == result[8].tolist()


def test_a_small_token_budget_changes_nothing(
    model: MaskedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = sequences(model)
    expected = [answer.tolist() for answer in model.predict(asked)]
    monkeypatch.setenv("GISTMARK_TOKENS", "10")
    assert [answer.tolist() for answer in model.predict(asked)] == expected


def test_nothing_asked_gives_nothing(model: MaskedModel) -> None:
    assert model.predict([]) == []
    (nothing,) = model.predict([Gapped((2, 5, 3), ())])
    assert nothing.tolist() == []


def test_the_marks_around_a_text_and_the_mask_are_those_of_the_tokenizer(
    model: MaskedModel,
) -> None:
    known = model.tokenizer.get_vocab()
    assert model.opening == (known["[CLS]"],)
    assert model.closing == (known["[SEP]"],)
    assert model.mask == known["[MASK]"]
    assert model.longest == 128


def test_models_that_count_positions_after_the_filling_read_less(
    tmp_path: Path, build: Callable[[str, Path], MaskedModel]
) -> None:
    model = build("Roberta", tmp_path)
    assert model.longest == 64 - 2
    full = Gapped((*model.opening, *[model.mask] * 60, *model.closing), (1,))
    assert len(model.predict([full])[0]) == 1


def test_a_causal_model_is_refused_in_one_sentence(tmp_path: Path) -> None:
    folder = causal_model(tmp_path / "gpt2")
    with pytest.raises(GistmarkError, match="cannot be loaded"):
        masked_model(str(folder))
