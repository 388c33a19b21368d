from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.text_cosine import NO_VECTOR, SentenceCosine
from gistmark.models import model_folder
from tiny_models import SENTENCES, sentence_encoder

GIST, OTHER = SENTENCES[:2]
LONG = " ".join(SENTENCES)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
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


def test_a_copy_scores_1(tiny: str) -> None:
    assert metric(tiny).score(Batch.of([Item(LONG, (LONG,))])).values[0, 0] == pytest.approx(1)


@pytest.mark.parametrize("item", [Item("", (GIST,)), Item(GIST, (" ",)), Item("", ("",))])
def test_an_empty_text_has_no_direction(tiny: str, item: Item) -> None:
    assert metric(tiny).score(Batch.of([item])).reasons == {0: NO_VECTOR}


def test_of_several_references_the_best_counts_and_an_empty_one_is_passed_over(tiny: str) -> None:
    result = metric(tiny).score(Batch.of([Item(GIST, ("", OTHER, GIST)), Item(GIST, (OTHER,))]))
    assert result.values[0, 0] == pytest.approx(1)
    assert result.values[1, 0] < 0.9999


def test_against_the_document_the_whole_of_a_long_one_is_read(tiny: str) -> None:
    """The texts differ only behind what the model reads at once."""
    items = [Item(GIST, (), LONG), Item(GIST, (), LONG + " Money, money, money!")]
    windows = metric(tiny, against="document").score(Batch.of(items)).values
    cut = metric(tiny, against="document", long="cut").score(Batch.of(items)).values
    assert cut[0] == pytest.approx(cut[1], abs=1e-6)
    assert abs(windows[0, 0] - windows[1, 0]) > 1e-5


def test_metrics_on_the_same_model_share_the_vectors_of_a_batch(tiny: str) -> None:
    batch = Batch.of([Item(GIST, (OTHER,), LONG)])
    metric(tiny).score(batch)
    (kept,) = [memo for memo in batch._memos.values() if memo]
    before = dict(kept)
    assert len(before) == 2
    metric(tiny, against="document").score(batch)
    assert len(kept) == 3
    assert all(np.shares_memory(kept[number], row) for number, row in before.items())


def test_a_model_that_cannot_be_had_is_a_sentence(tmp_path: Path) -> None:
    from gistmark.errors import GistmarkError

    with pytest.raises(GistmarkError, match="is not a model folder"):
        metric(str(tmp_path)).score(Batch.of([Item(GIST, (OTHER,))]))
