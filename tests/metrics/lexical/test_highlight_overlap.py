"""The overlap of a summary with the highlighted words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.records import Highlight

Row = Callable[..., list[float]]
Reason = Callable[..., str | None]

# Offsets:  a0 b2 a4 c6 d8; Ann highlights "a b", Bob "b" and "c".
DOCUMENT = "a b a c d"
MARKS = (
    Highlight("document", "ann", 0, 3),
    Highlight("document", "bob", 2, 3),
    Highlight("document", "bob", 6, 7),
)


@pytest.mark.parametrize(
    ("least", "precision", "recall"),
    [
        # Highlighted: a (once, the first), b, c. The summary has a and b: 2 of 4 and of 3.
        (1, 2 / 4, 2 / 3),
        # Highlighted by both: b. 1 of 4 and of 1.
        (2, 1 / 4, 1),
    ],
)
def test_by_hand(row: Row, least: int, precision: float, recall: float) -> None:
    result = row(f"highlight-overlap:least={least}", "a a b x", document=DOCUMENT, highlights=MARKS)
    f = 2 * precision * recall / (precision + recall)
    assert result == pytest.approx([precision, recall, f])


def test_a_word_that_too_few_highlighted_does_not_count(row: Row, reason: Reason) -> None:
    assert reason("highlight-overlap:least=3", "a", document=DOCUMENT, highlights=MARKS) == (
        "nobody highlighted a word of the document"
    )


def test_the_highlighted_text_itself_scores_one(row: Row) -> None:
    assert row("highlight-overlap", "c b a", document=DOCUMENT, highlights=MARKS) == [1, 1, 1]


def test_highlighting_twice_does_not_make_two_annotators(reason: Reason) -> None:
    twice = (Highlight("document", "ann", 0, 1), Highlight("document", "ann", 0, 3))
    assert reason("highlight-overlap:least=2", "a", document=DOCUMENT, highlights=twice)


@given(
    texts=st.lists(
        st.tuples(
            st.lists(st.sampled_from("abc"), max_size=6).map(" ".join),
            st.lists(st.sampled_from("abc"), min_size=1, max_size=8).map(" ".join),
            st.lists(
                st.tuples(st.sampled_from(["x", "y"]), st.integers(0, 14)), min_size=1, max_size=5
            ),
        ),
        min_size=1,
        max_size=3,
    ),
    least=st.integers(1, 2),
)
def test_any_document_scores_as_counters_do(
    texts: list[tuple[str, str, list[tuple[str, int]]]], least: int
) -> None:
    batch = Batch.of(
        [
            Item(
                summary,
                document=document,
                highlights=tuple(Highlight("d", who, at, at + 1) for who, at in marks),
            )
            for summary, document, marks in texts
        ]
    )
    result = metric_from(f"highlight-overlap:least={least}").score(batch)
    for index, (summary, document, marks) in enumerate(texts):
        # One-letter words between single spaces: word k stands at 2k.
        chosen = Counter(
            word
            for k, word in enumerate(document.split())
            if len({who for who, at in marks if at == 2 * k}) >= least
        )
        if not chosen:
            assert index in result.reasons
            continue
        words = Counter(summary.split())
        shared = (chosen & words).total()
        expected = [shared / max(words.total(), 1), shared / chosen.total()]
        np.testing.assert_allclose(result.values[index, :2], expected, rtol=0, atol=1e-15)
