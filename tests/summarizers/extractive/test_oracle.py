"""Oracle: greedy ROUGE against references or highlights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.records import Document, Highlight
from gistmark.summarizers import Limit, Outcome, Source, system_from
from gistmark.summarizers.extractive.oracle import Overlap
from gistmark.text import Profile
from gistmark.text.tokens import tokenize

TEXT = "The cat sat. A dog ran off. The mat was red. The cat slept on the mat."
NO_LIMIT = Limit(chars=None)


def oracle(
    *references: str,
    spec: str = "Oracle",
    text: str = TEXT,
    marks: tuple[Highlight, ...] = (),
    limit: Limit = NO_LIMIT,
) -> Outcome:
    return system_from(spec).summarize(Source(Document("d", (text,)), references, marks), limit)


def test_sentences_are_added_while_rouge_rises() -> None:
    """F of unigrams and bigrams against "the cat slept and the dog ran" (7 words, 6 bigrams).

    cat slept  the cat slept on the mat  2*4/(6+7), 2*2/(5+6): mean 0.49
    dog ran    a dog ran off             2*2/(4+7), 2*1/(3+6): mean 0.29
    both       2*6/(10+7), 2*3/(8+6): mean 0.57; "The cat sat." then adds no word and lowers it.
    """
    assert oracle("the cat slept and the dog ran").text == (
        "A dog ran off. The cat slept on the mat."
    )


def test_no_sentence_is_taken_that_does_not_help() -> None:
    assert oracle("a dog ran off").text == "A dog ran off."


def test_what_does_not_fit_is_passed_over() -> None:
    """The best sentence has 25 characters; "The cat sat." has 2*2/(3+7) and 2*1/(2+6)."""
    assert oracle("the cat slept and the dog ran", limit=Limit(chars=20)).text == "The cat sat."


def test_the_measure_can_be_chosen() -> None:
    """Of single words "mat cat the" has more, of pairs "The cat"."""
    text = "Mat cat the. The cat yawned today."
    assert oracle("the cat mat", spec="Oracle:measure=rouge1", text=text).text == "Mat cat the."
    assert oracle("the cat mat", spec="Oracle:measure=rouge2", text=text).text == (
        "The cat yawned today."
    )


def test_stems_are_compared_if_asked_for() -> None:
    assert oracle("cats", spec="Oracle:stem=yes").text == "The cat sat."
    assert oracle("cats").note == "no sentence shares a word with what it is compared with"


def test_the_best_of_several_references_counts_or_their_mean() -> None:
    """ "A dog ran off." is all of one reference; "The cat sat." has a part of both others."""
    references = ("a dog ran off", "the cat sat there", "the cat sat here")
    one = Limit(chars=None, sentences=1)
    assert oracle(*references, limit=one).text == "A dog ran off."
    assert oracle(*references, spec="Oracle:refs=mean", limit=one).text == "The cat sat."


def mark(annotator: str, words: str) -> Highlight:
    start = TEXT.index(words)
    return Highlight("d", annotator, start, start + len(words))


MARKS = (mark("ann", "dog ran"), mark("bob", "A dog"), mark("bob", "red"), mark("cid", "dog ran"))


def test_highlights_stand_in_where_there_is_no_reference() -> None:
    result = oracle(marks=MARKS, limit=Limit(chars=None, sentences=1))
    assert result.text == "A dog ran off."
    assert result.note == "there is no reference, so the highlights stand in"


def test_highlights_are_used_if_asked_for() -> None:
    result = oracle("The cat sat.", spec="Oracle:against=highlights", marks=MARKS)
    assert "A dog ran off." in result.text
    assert result.note is None
    assert oracle("The cat sat.", marks=MARKS).text == "The cat sat."


def test_a_word_that_a_highlight_touches_counts_whole() -> None:
    start = TEXT.index("slept") + 2
    result = oracle(marks=(Highlight("d", "ann", start, start + 1),))
    assert result.text == "The cat slept on the mat."


@pytest.mark.parametrize("references", [(), ("",), (" ...",)])
def test_without_reference_and_highlights_the_document_is_named(
    references: tuple[str, ...],
) -> None:
    with pytest.raises(GistmarkError, match=r"needs references or highlights .* document 'd'"):
        oracle(*references)


def test_without_highlights_the_reference_does_not_stand_in() -> None:
    with pytest.raises(
        GistmarkError, match="needs highlights with words, and was given none of document 'd'"
    ):
        oracle("The cat sat.", spec="Oracle:against=highlights")


def test_a_document_without_sentences_needs_nothing() -> None:
    assert oracle(text="").note == "the document has no sentences"


def test_where_nothing_is_shared_the_first_sentence_is_taken() -> None:
    result = oracle("zebra")
    assert result.text == "The cat sat."
    assert result.note == "no sentence shares a word with what it is compared with"


WORDS = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=5), WORDS, st.sampled_from([1, 2]))
def test_the_overlap_is_that_of_the_metric(texts: list[str], target: str, n: int) -> None:
    """A sentence alone has ROUGE-N's F, and so have several in single words."""
    table = tokenize([*texts, target], Profile(tok="words"))
    overlap = Overlap(table, range(len(texts)), [len(texts)], n)
    metric = metric_from(f"rouge{n}:tok=words")
    alone = metric.score(Batch.of([Item(text, (target,)) for text in texts])).values[:, 2]
    np.testing.assert_allclose(overlap.f(), np.nan_to_num(alone), atol=1e-12)
    overlap.take(0)
    pairs = [Item(f"{texts[0]} {text}", (target,)) for text in texts]
    if n == 1:
        both = metric.score(Batch.of(pairs)).values[:, 2]
        np.testing.assert_allclose(overlap.f(), np.nan_to_num(both), atol=1e-12)
