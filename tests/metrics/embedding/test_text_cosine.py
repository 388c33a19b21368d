"""Cosines of texts by one vector for each: of [CLS], and of a sentence encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_encoders
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.text_cosine import NO_VECTOR, ClsCosine, SentenceCosine
from gistmark.models import model_folder
from tiny_models import SENTENCES, encoder, sentence_encoder

GIST, OTHER = SENTENCES[:2]

LONG = " ".join(SENTENCES)


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


@pytest.fixture(scope="module")
def tiny_sentences(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(sentence_encoder(tmp_path_factory.mktemp("models") / "tiny"))


def metric(model: str, **options: Any) -> SentenceCosine:
    return SentenceCosine(SentenceCosine.Options(model=model, **options))


def test_values_are_those_of_sentence_transformers_on_the_embedded_model() -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.util import pairwise_cos_sim

    peer = SentenceTransformer(str(model_folder("all-MiniLM-L6-v2")), device="cpu")
    summaries, references = list(SENTENCES[:5]), list(SENTENCES[1:])
    expected = pairwise_cos_sim(peer.encode(summaries), peer.encode(references)).numpy()
    items = [Item(s, (r,)) for s, r in zip(summaries, references, strict=True)]
    result = SentenceCosine().score(Batch.of(items)).values[:, 0]
    assert result == pytest.approx(expected, abs=1e-5)


def test_a_copy_scores_1_by_a_sentence_encoder(tiny_sentences: str) -> None:
    assert metric(tiny_sentences).score(Batch.of([Item(LONG, (LONG,))])).values[
        0, 0
    ] == pytest.approx(1)


@pytest.mark.parametrize("item", [Item("", (GIST,)), Item(GIST, (" ",)), Item("", ("",))])
def test_an_empty_text_has_no_direction_for_a_sentence_encoder(
    tiny_sentences: str, item: Item
) -> None:
    assert metric(tiny_sentences).score(Batch.of([item])).reasons == {0: NO_VECTOR}


def test_of_several_references_the_best_counts_and_an_empty_one_is_passed_over(
    tiny_sentences: str,
) -> None:
    result = metric(tiny_sentences).score(
        Batch.of([Item(GIST, ("", OTHER, GIST)), Item(GIST, (OTHER,))])
    )
    assert result.values[0, 0] == pytest.approx(1)
    assert result.values[1, 0] < 0.9999


def test_against_the_document_the_whole_of_a_long_one_is_read(tiny_sentences: str) -> None:
    """The texts differ only behind what the model reads at once."""
    items = [Item(GIST, (), LONG), Item(GIST, (), LONG + " Money, money, money!")]
    windows = metric(tiny_sentences, against="document").score(Batch.of(items)).values
    cut = metric(tiny_sentences, against="document", long="cut").score(Batch.of(items)).values
    assert cut[0] == pytest.approx(cut[1], abs=1e-6)
    assert abs(windows[0, 0] - windows[1, 0]) > 1e-5


def test_metrics_on_the_same_model_share_the_vectors_of_a_batch(tiny_sentences: str) -> None:
    batch = Batch.of([Item(GIST, (OTHER,), LONG)])
    metric(tiny_sentences).score(batch)
    (kept,) = [memo for memo in batch._memos.values() if memo]
    before = dict(kept)
    assert len(before) == 2
    metric(tiny_sentences, against="document").score(batch)
    assert len(kept) == 3
    assert all(np.shares_memory(kept[number], row) for number, row in before.items())


def test_a_model_that_cannot_be_had_is_a_sentence(tmp_path: Path) -> None:
    from gistmark.errors import GistmarkError

    with pytest.raises(GistmarkError, match="is not a model folder"):
        metric(str(tmp_path)).score(Batch.of([Item(GIST, (OTHER,))]))
