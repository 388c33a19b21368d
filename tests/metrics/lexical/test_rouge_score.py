"""ROUGE against the package rouge_score, live."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from on_use import on_use

rouge_score = on_use("rouge_score.rouge_scorer")

NAMES = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum"]


@cache
def scorer(stem: bool) -> Any:
    return rouge_score.RougeScorer(NAMES, use_stemmer=stem)


WORDS = st.sampled_from(
    [
        "the",
        "cat",
        "cats",
        "ran",
        "running",
        "runs",
        "a",
        "of",
        "Mat",
        "3",
        "U.S.",
        "é",
        "ﬁ",
        "\u0130x",
    ]
)
LINES = st.lists(WORDS, max_size=12).map(" ".join)
TEXTS = st.one_of(
    st.lists(LINES, max_size=4).map("\n".join),
    st.text(st.sampled_from("abAB \n.-é\u212a"), max_size=40),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
)


def compare(name: str, stem: bool, items: list[tuple[str, tuple[str, ...]]]) -> None:
    """Equal to 1e-12; where no reference has what is counted, rouge_score's 0 is missing here."""
    batch = Batch.of([Item(summary, references) for summary, references in items])
    result = metric_from(f"{name}:stem={'yes' if stem else 'no'}").score(batch)
    for index, (summary, references) in enumerate(items):
        theirs = scorer(stem).score_multi(list(references), summary)[name]
        if index in result.reasons:
            assert result.reasons[index].startswith("the target has too few words to compare")
            assert tuple(theirs) == (0, 0, 0)
        else:
            np.testing.assert_allclose(result.values[index], theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("name", NAMES)
@given(pairs=st.lists(st.tuples(TEXTS, st.tuples(TEXTS)), max_size=4))
@example(pairs=[("a\n\nb\n", ("\na b",)), ("", ("a",)), ("a", ("",))])
def test_any_pair_scores_as_in_rouge_score(
    name: str, stem: bool, pairs: list[tuple[str, tuple[str, ...]]]
) -> None:
    compare(name, stem, pairs)


@pytest.mark.parametrize("name", NAMES)
@given(items=st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3).map(tuple))))
@example(items=[("a b c d", ("a b", "a b c d e f g h")), ("a b c d", ("a b c d e f g h", "a b"))])
def test_several_references_score_as_in_rouge_score(
    name: str, items: list[tuple[str, tuple[str, ...]]]
) -> None:
    compare(name, False, items)
