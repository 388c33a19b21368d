"""Sentences matched by their vectors, against the cosines of single sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.sentence_match import SentenceMatch
from gistmark.metrics.embedding.token_vectors import NO_TARGET
from gistmark.models.sentence_encoders import sentence_encoder as load
from tiny_models import sentence_encoder

FIRST, SECOND, THIRD = "The bridge is shut.", "Ferries run all day long.", "A cat sleeps."


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(sentence_encoder(tmp_path_factory.mktemp("models") / "tiny"))


def values(model: str, *items: Item, **options: Any) -> np.ndarray:
    metric = SentenceMatch(SentenceMatch.Options(model=model, **options))
    return metric.score(Batch.of(items)).values


def cosines(model: str, left: list[str], right: list[str]) -> np.ndarray:
    a, b = (load(model).embed(texts) for texts in (left, right))
    units = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (a, b)]
    return units[0] @ units[1].T


def test_each_sentence_is_matched_with_the_one_most_like_it(tiny: str) -> None:
    likeness = cosines(tiny, [FIRST, THIRD], [SECOND, THIRD])
    ours, theirs = likeness.max(axis=1), likeness.max(axis=0)
    # Sentences have 4 and 3 words here, 5 and 3 there.
    precision, recall = (4 * ours[0] + 3 * ours[1]) / 7, (5 * theirs[0] + 3 * theirs[1]) / 8
    (row,) = values(tiny, Item(f"{FIRST} {THIRD}", (f"{SECOND} {THIRD}",)))
    f = 2 * precision * recall / (precision + recall)
    assert row == pytest.approx([precision, recall, f], abs=1e-5)


def test_with_a_half_life_the_first_sentences_weigh_most(tiny: str) -> None:
    likeness = cosines(tiny, [FIRST], [SECOND, THIRD])[0]
    # With a half-life of a word: 1 + 1/2 + ... + 1/16, then 1/32 + 1/64 + 1/128.
    weights = np.array([31 / 16, 7 / 128])
    item = Item(FIRST, (), f"{SECOND} {THIRD}")
    (row,) = values(tiny, item, against="document", half_life=1)
    assert row[1] == pytest.approx(likeness @ weights / weights.sum(), abs=1e-5)


def test_the_order_of_sentences_does_not_matter_and_a_copy_scores_1(tiny: str) -> None:
    item = Item(f"{SECOND} {FIRST}", (f"{FIRST} {SECOND}",))
    assert values(tiny, item)[0] == pytest.approx([1, 1, 1])


def test_an_empty_summary_scores_0_and_an_empty_target_nothing(tiny: str) -> None:
    metric = SentenceMatch(SentenceMatch.Options(model=tiny))
    result = metric.score(Batch.of([Item("", (FIRST,)), Item(FIRST, (" ",))]))
    assert result.values[0].tolist() == [0, 0, 0]
    assert result.reasons == {1: NO_TARGET}


def test_a_model_that_cannot_be_had_is_a_sentence(tmp_path: Path) -> None:
    from gistmark.errors import GistmarkError

    with pytest.raises(GistmarkError, match="is not a model folder"):
        values(str(tmp_path), Item(FIRST, (SECOND,)))
