from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_encoders
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.text_cosine import NO_VECTOR, ClsCosine
from tiny_models import SENTENCES, encoder

GIST, OTHER = SENTENCES[:2]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(encoder(tmp_path_factory.mktemp("models") / "tiny"))


def value(model: str, item: Item, **options: Any) -> float:
    metric = ClsCosine(ClsCosine.Options(model=model, **options))
    return float(metric.score(Batch.of([item])).values[0, 0])


def first_states(folder: str, texts: list[str]) -> np.ndarray:
    """The last hidden state of the first token, by transformers itself."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = (
        AutoModel.from_pretrained(folder).eval(),
        AutoTokenizer.from_pretrained(folder),
    )
    with torch.no_grad():
        return np.stack([
            model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 0].numpy()
            for text in texts
        ])  # fmt: skip


def cosine(left: np.ndarray, right: np.ndarray) -> float:
    return float(left @ right / np.sqrt((left @ left) * (right @ right)))


def test_it_is_the_cosine_of_the_last_states_of_the_first_token(tiny: str) -> None:
    expected = cosine(*first_states(tiny, [GIST, OTHER]))
    assert value(tiny, Item(GIST, (OTHER,))) == pytest.approx(expected, abs=1e-5)


def test_roberta_calls_it_by_another_name(tmp_path: Path) -> None:
    folder = str(tiny_encoders.roberta(tmp_path / "roberta", space=True))
    expected = cosine(*first_states(folder, [GIST, OTHER]))
    assert value(folder, Item(GIST, (OTHER,))) == pytest.approx(expected, abs=1e-5)


def test_a_copy_scores_1(tiny: str) -> None:
    assert value(tiny, Item(GIST, (GIST,))) == pytest.approx(1)


def test_a_long_document_is_read_to_its_end(tiny: str) -> None:
    """The documents differ only behind what the model reads at once."""
    long = " ".join(SENTENCES) * 3
    both = [Item(GIST, (), long), Item(GIST, (), long + " Money, money, money!")]
    windows = [value(tiny, item, against="document") for item in both]
    cut = [value(tiny, item, against="document", long="cut") for item in both]
    assert cut[0] == pytest.approx(cut[1], abs=1e-6)
    assert abs(windows[0] - windows[1]) > 1e-5


@pytest.mark.parametrize("item", [Item("", (GIST,)), Item(GIST, ("",)), Item(" ", ("\n",))])
def test_an_empty_text_has_no_direction(tiny: str, item: Item) -> None:
    metric = ClsCosine(ClsCosine.Options(model=tiny))
    assert metric.score(Batch.of([item])).reasons == {0: NO_VECTOR}
