"""Agreement on error spans, by hand and against krippendorff and scikit-learn."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import f1_score

from gistmark.analysis.agreement import spans_agreement
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus import Corpus
from gistmark.records import ErrorSpan, Summary

TEXT = "aa bb cc dd"


def corpus(*spans: ErrorSpan, documents: int = 1) -> Corpus:
    return Corpus(
        summaries=tuple(Summary(f"d{k}", "s", TEXT) for k in range(documents)), spans=spans
    )


def span(annotator: str, start: int, end: int, category: str = "x", **more: Any) -> ErrorSpan:
    return ErrorSpan(more.get("document", "d0"), "s", annotator, start, end, category)


def nothing(annotator: str, document: str = "d0") -> ErrorSpan:
    return ErrorSpan(document, "s", annotator)


def values(marks: Corpus) -> dict[tuple[str, str], float | None]:
    records = spans_agreement(marks, resamples=50)
    return {(record.statistic, record.dimension): record.value for record in records}


def test_two_annotators_by_hand() -> None:
    """ann marks "aa bb" (5 characters, 2 words), bob "b cc" (4 characters, 2 words).

    Characters in common: 1 ("b"), so F1 = 2 * 1 / (5 + 4). Words: 1 1 0 0 and 0 1 1 0, so of the
    8 marks 4 are 1; D = 2 + 2, E = 2 * 4 * 4: alpha = 1 - 7 * 4 / 32.
    """
    result = values(corpus(span("ann", 0, 5), span("bob", 4, 8)))
    assert result["char-f1", ""] == pytest.approx(2 / 9)
    assert result["span-alpha", ""] == pytest.approx(1 - 7 * 4 / 32)
    assert result["char-f1", "x"] == result["char-f1", ""]


def test_categories_are_compared_apart() -> None:
    """Both mark "aa", as x and as y: full agreement on errors, none on either category.

    Word by word, x is 1 0 0 0 against 0 0 0 0: n = 8, D = 2, E = 2 * 1 * 7.
    """
    result = values(corpus(span("ann", 0, 2, "x"), span("bob", 0, 2, "y")))
    assert result["char-f1", ""] == 1.0
    assert result["span-alpha", ""] == 1.0
    assert result["char-f1", "x"] == result["char-f1", "y"] == 0.0
    assert result["span-alpha", "x"] == pytest.approx(1 - 7 * 2 / 14)


def test_who_judged_and_marked_nothing_counts_and_who_did_not_judge_does_not() -> None:
    judged = values(corpus(span("ann", 0, 2), nothing("bob")))
    assert judged["char-f1", ""] == 0.0
    alone = spans_agreement(corpus(span("ann", 0, 2)))
    assert {record.reason for record in alone} == {"No summary was judged by two annotators."}
    assert {record.value for record in alone} == {None}


def test_two_who_both_marked_nothing_are_left_out_of_f1_and_count_for_alpha() -> None:
    """F1 is that of d0 alone (n = 1); alpha: 8 words, 16 marks, two of them 1, D = 0."""
    marks = corpus(
        span("ann", 0, 2), span("bob", 0, 2), nothing("ann", "d1"), nothing("bob", "d1"),
        documents=2,
    )  # fmt: skip
    records: dict[str, Agreement] = {
        r.statistic: r for r in spans_agreement(marks, resamples=50) if not r.dimension
    }
    assert (records["char-f1"].value, records["char-f1"].n) == (1.0, 1)
    assert (records["span-alpha"].value, records["span-alpha"].n) == (1.0, 8)


def test_an_error_of_the_whole_summary_has_no_span() -> None:
    whole = ErrorSpan("d0", "s", "bob", category="missing")
    result = values(corpus(span("ann", 0, 2), whole))
    assert ("char-f1", "missing") not in result
    assert result["char-f1", ""] == 0.0


def test_random_spans_are_as_other_packages_have_them() -> None:
    """Alpha on words is that of krippendorff, F1 on characters the mean of scikit-learn's."""
    rng = np.random.default_rng(5)
    spans, characters, words = [], [], []
    for k in range(12):
        marks = np.zeros((2, len(TEXT)), dtype=bool)
        for row, annotator in enumerate(("ann", "bob")):
            start = int(rng.integers(0, len(TEXT) - 3))
            end = start + int(rng.integers(1, 4))
            marks[row, start:end] = True
            spans.append(span(annotator, start, end, document=f"d{k}"))
        characters.append(f1_score(marks[0], marks[1]))
        words.append([marks[:, 3 * n : 3 * n + 2].any(axis=1) for n in range(4)])
    result = values(corpus(*spans, documents=12))
    table = np.array(words).reshape(-1, 2).T.astype(float)
    expected = krippendorff.alpha(table, level_of_measurement="nominal")
    assert result["span-alpha", ""] == pytest.approx(expected)
    assert result["char-f1", ""] == pytest.approx(np.mean(characters))


def test_without_spans_there_is_no_record() -> None:
    assert spans_agreement(Corpus()) == []
