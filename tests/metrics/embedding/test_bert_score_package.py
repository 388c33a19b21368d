"""The values are those of bert-score 0.3.13, called live on the same model folder and layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_encoders
from gistmark.metrics.batch import Batch
from gistmark.metrics.embedding.bertscore import BertScore
from gistmark.models import model_folder
from tiny_models import SENTENCES

BASELINE = "LAYER,P,R,F\n0,0.1,0.2,0.3\n1,0.31,0.32,0.33\n2,0.41,0.42,0.43\n3,0.5,0.5,0.5\n"


def theirs(batch: Batch, folder: str, layer: int, **settings: Any) -> np.ndarray:
    import bert_score

    parts = bert_score.score(
        [item.summary for item in batch], [item.references[0] for item in batch],
        model_type=folder, num_layers=layer, nthreads=0, **settings,
    )  # fmt: skip
    return np.stack([part.numpy() for part in parts], axis=1)


def ours(batch: Batch, folder: str, layer: int, **settings: Any) -> np.ndarray:
    result = BertScore(BertScore.Options(model=folder, layer=layer, **settings)).score(batch)
    assert not result.reasons
    return result.values


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_every_layer(tiny: str, batch: Batch, layer: int) -> None:
    expected = theirs(batch, tiny, layer)
    assert np.ptp(expected) > 1e-3
    assert ours(batch, tiny, layer) == pytest.approx(expected, abs=1e-5)


def test_idf(tiny: str, batch: Batch, references_file: str) -> None:
    expected = theirs(batch, tiny, 2, idf=True)
    assert ours(batch, tiny, 2, idf=references_file) == pytest.approx(expected, abs=1e-5)
    assert np.abs(expected - theirs(batch, tiny, 2)).max() > 1e-4


def test_rescaling(tiny: str, batch: Batch, tmp_path: Path) -> None:
    file = tmp_path / "tiny.tsv"
    file.write_text(BASELINE, encoding="utf-8")
    expected = theirs(
        batch, tiny, 2, rescale_with_baseline=True, lang="en", baseline_path=str(file)
    )
    assert ours(batch, tiny, 2, baseline=str(file)) == pytest.approx(expected, abs=1e-5)


def test_texts_too_long_for_the_model_where_they_are_cut(tiny: str) -> None:
    from gistmark.metrics.batch import Item

    long = " ".join(SENTENCES) * 4
    batch = Batch.of([Item(long, (SENTENCES[0],)), Item(SENTENCES[1], (long,))])
    expected = theirs(batch, tiny, 2)
    assert ours(batch, tiny, 2, long="cut") == pytest.approx(expected, abs=1e-5)
    assert np.abs(ours(batch, tiny, 2, long="windows") - expected).max() > 1e-4


@pytest.mark.parametrize(
    "make",
    [
        tiny_encoders.bart, tiny_encoders.pegasus, tiny_encoders.albert,
        tiny_encoders.distilbert, tiny_encoders.deberta,
        partial(tiny_encoders.roberta, space=True),
    ],
    ids=["bart", "pegasus", "albert", "distilbert", "deberta", "roberta"],
)  # fmt: skip
@pytest.mark.parametrize("layer", [2, 3])
def test_other_kinds_of_model(
    make: Callable[[Path], Path], layer: int, batch: Batch, tmp_path: Path,
    references_file: str,
) -> None:  # fmt: skip
    """Pair by pair, because random weights may make cosines below 0, which filling would hide."""
    folder = str(make(tmp_path / "model"))
    expected = theirs(batch, folder, layer, batch_size=1)
    assert ours(batch, folder, layer) == pytest.approx(expected, abs=1e-5)
    expected = theirs(batch, folder, layer, batch_size=1, idf=True)
    assert ours(batch, folder, layer, idf=references_file) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("layer", [2, 3])
def test_t5_but_for_texts_of_one_token(layer: int, batch: Batch, tmp_path: Path) -> None:
    """bert-score takes two tokens for an empty text, but T5 marks only the end of a text.

    Pair by pair, because the random weights make cosines below 0; one recall is, so no F is asked.
    """
    folder = str(tiny_encoders.t5(tmp_path / "t5"))
    result = ours(batch, folder, layer)[:, :2]
    expected = theirs(batch, folder, layer, batch_size=1)[:, :2]
    one_word = batch.texts.index("money") - len(SENTENCES)
    assert expected[one_word].tolist() == [0, 0]
    assert np.abs(result[one_word]).max() > 0.01
    others = [position for position in range(len(batch)) if position != one_word]
    assert result[others] == pytest.approx(expected[others], abs=1e-5)


@pytest.mark.parametrize("layer", [1, 5])
def test_the_embedded_encoder(batch: Batch, layer: int, references_file: str) -> None:
    folder = str(model_folder("all-MiniLM-L6-v2"))
    expected = theirs(batch, folder, layer)
    assert ours(batch, folder, layer) == pytest.approx(expected, abs=1e-5)
    expected = theirs(batch, folder, layer, idf=True)
    assert ours(batch, folder, layer, idf=references_file) == pytest.approx(expected, abs=1e-5)


def test_tokens_that_are_like_none_where_no_filling_hides_them(batch: Batch) -> None:
    """In bert-score filling counts as a cosine of 0, so that a pair's value depends on the batch.

    The last layer of the embedded encoder has tokens whose best cosine is below 0. Pair by pair
    nothing is filled up, and the values are the same.
    """
    folder = str(model_folder("all-MiniLM-L6-v2"))
    alone = theirs(batch, folder, 6, batch_size=1)
    assert ours(batch, folder, 6) == pytest.approx(alone, abs=1e-5)
    assert np.abs(theirs(batch, folder, 6) - alone).max() > 1e-4
