from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.agreement.highlights import annotators_on_words, marked_words, span_agreement
from gistmark.corpus.corpus import Corpus
from gistmark.records import Document, Highlight
from on_use import on_use

statsmodels = on_use("statsmodels.stats.inter_rater")

TEXT = "one two three four five six"

STARTS = [0, 4, 8, 14, 19, 24]


def mark(annotator: str, first: int, last: int) -> Highlight:
    """A highlight of whole words, by their places in the text."""
    end = STARTS[last] + len(TEXT.split()[last])
    return Highlight("1", annotator, STARTS[first], end, 30)


def corpus_of(*highlights: Highlight) -> Corpus:
    return Corpus(documents=(Document("1", (TEXT,)),), highlights=highlights)


def test_words_by_annotators() -> None:
    marks = marked_words(corpus_of(mark("x", 0, 1), mark("y", 1, 1), mark("x", 5, 5)))["1"]
    assert marks.tolist() == [
        [True, False],
        [True, True],
        [False, False],
        [False, False],
        [False, False],
        [True, False],
    ]


def test_values_worked_by_hand() -> None:
    """x marks words 1, 2 and 6, y marks 2: F1 = 2 * 1 / (3 + 1); union 3 of 6; 1 of 4 behind."""
    marks = marked_words(corpus_of(mark("x", 0, 1), mark("y", 1, 1), mark("x", 5, 5)))["1"]
    result = span_agreement(marks)
    assert result.f1.value == pytest.approx(0.5)
    assert result.coverage.value == pytest.approx(0.5)
    assert result.second_half.value == pytest.approx(0.25)
    assert result.kappa.n == 6


def test_kappa_is_that_of_statsmodels_on_words() -> None:
    marks = np.random.default_rng(0).random((40, 5)) < 0.3
    ones = marks.sum(axis=1)
    expected = statsmodels.fleiss_kappa(np.stack([5 - ones, ones], axis=1))
    assert span_agreement(marks).kappa.value == pytest.approx(expected, abs=1e-9)


def test_the_middle_word_belongs_to_the_first_half() -> None:
    marks = np.array([[False], [True], [True]])
    assert span_agreement(marks).second_half.value == pytest.approx(0.5)


def test_one_annotator_has_coverage_but_no_agreement() -> None:
    result = span_agreement(marked_words(corpus_of(mark("x", 0, 2)))["1"])
    assert result.coverage.value == pytest.approx(0.5)
    assert (result.kappa.value, result.alpha.value, result.f1.value) == (None, None, None)
    assert result.f1.reason == "Only one annotator highlighted the document."


def test_everything_highlighted_by_all_has_no_kappa_but_an_f1() -> None:
    result = span_agreement(np.ones((4, 3), dtype=bool))
    assert (result.kappa.value, result.alpha.value) == (None, None)
    assert result.kappa.reason == "All ratings are 1: only one category occurs."
    assert result.f1.value == 1.0


def test_highlights_that_touch_no_word_are_named() -> None:
    result = span_agreement(
        marked_words(corpus_of(Highlight("1", "x", 3, 4), mark("y", 0, 0)))["1"]
    )
    assert result.f1.value == 0.0
    empty = span_agreement(np.zeros((3, 2), dtype=bool))
    assert empty.second_half.reason == "No word is highlighted."
    assert empty.f1.reason == "No word is highlighted."


def test_a_document_without_text_has_no_words() -> None:
    corpus = Corpus(highlights=(Highlight("lost", "x", 0, 4),))
    result = span_agreement(marked_words(corpus)["lost"])
    assert result.coverage.value is None
    assert result.coverage.reason == "The document has no words."


def test_each_annotator_against_the_others_worked_by_hand() -> None:
    """x marks words 1 to 3, y 2 and 3, z 6: F1 of x and y is 2 * 2 / (3 + 2), with z nothing.

    The mean of x over y and z is 0.8 / 2, that of z is 0.
    """
    corpus = corpus_of(mark("x", 0, 2), mark("y", 1, 2), mark("z", 5, 5))
    result = annotators_on_words(corpus)
    assert {name: each.value for name, each in result.items()} == pytest.approx(
        {"x": 0.4, "y": 0.4, "z": 0.0}
    )
    pairwise = span_agreement(marked_words(corpus)["1"]).f1.value
    assert pairwise == pytest.approx(sum(each.value or 0 for each in result.values()) / 3)


def test_who_highlighted_alone_agrees_with_nobody_and_says_why() -> None:
    alone = annotators_on_words(corpus_of(mark("x", 0, 2)))["x"]
    assert (alone.value, alone.n) == (None, 0)
    assert alone.reason == "Only one annotator highlighted the document."
