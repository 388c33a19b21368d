"""Agreement on error spans and presence, by hand and against krippendorff and scikit-learn."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pytest

from gistmark.analysis.agreement import presence_agreement, spans_agreement
from gistmark.analysis.agreement.marks import annotators_on_units
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus import Corpus
from gistmark.records import ErrorSpan, Presence, Summary
from on_use import on_use

sklearn = on_use("sklearn.metrics")

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
    records = spans_agreement(marks)
    return {(record.statistic, record.dimension): record.value for record in records}


def test_two_annotators_of_errors_by_hand() -> None:
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
        r.statistic: r for r in spans_agreement(marks) if not r.dimension
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
        characters.append(sklearn.f1_score(marks[0], marks[1]))
        words.append([marks[:, 3 * n : 3 * n + 2].any(axis=1) for n in range(4)])
    result = values(corpus(*spans, documents=12))
    table = np.array(words).reshape(-1, 2).T.astype(float)
    expected = krippendorff.alpha(table, level_of_measurement="nominal")
    assert result["span-alpha", ""] == pytest.approx(expected)
    assert result["char-f1", ""] == pytest.approx(np.mean(characters))


def test_without_spans_there_is_no_record() -> None:
    assert spans_agreement(Corpus()) == []


def presences(*rows: tuple[str, str, str]) -> Corpus:
    """Rows of unit, annotator and 1 or 0, of two documents with one system."""
    return Corpus(
        presence=tuple(
            Presence(unit[0], unit[1:], "s", annotator, present == "1")
            for unit, annotator, present in rows
        )
    )


def statistics(marks: Corpus) -> dict[str, float | None]:
    return {record.statistic: record.value for record in presence_agreement(marks)}


TWO = presences(
    ("a1", "x", "1"), ("a1", "y", "1"), ("a2", "x", "0"), ("a2", "y", "1"),
    ("b1", "x", "0"), ("b1", "y", "0"), ("b2", "x", "1"), ("b2", "y", "1"),
)  # fmt: skip


def test_two_annotators_of_units_by_hand() -> None:
    """Three of four alike; x says yes 2 times, y 3 times, so 5 of 8 marks are yes.

    alpha = 1 - (n - 1) D / E with n = 8, D = 2 (one unit, two ordered pairs), E = 2 * 5 * 3 = 30.
    Cohen: expected 1/2 * 3/4 + 1/2 * 1/4 = 1/2; (3/4 - 1/2) / (1/2) = 1/2.
    Fleiss: expected (5/8)^2 + (3/8)^2 = 34/64; (3/4 - 34/64) / (30/64) = 14/30.
    """
    values = statistics(TWO)
    assert values["alpha-nominal"] == pytest.approx(1 - 7 * 2 / 30)
    assert values["cohen-kappa"] == pytest.approx(1 / 2)
    assert values["fleiss-kappa"] == pytest.approx(14 / 30)


def test_the_records_say_what_they_are_about() -> None:
    record = presence_agreement(TWO)[0]
    assert (record.subject, record.dimension, record.scope, record.n) == (
        "units",
        "content units",
        "",
        4,
    )
    assert record.low is not None


def test_alpha_with_missing_marks_is_that_of_the_krippendorff_package() -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, size=(3, 40)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    marks = Corpus(
        presence=tuple(
            Presence(f"d{unit % 5}", str(unit), "s", str(annotator), bool(table[annotator, unit]))
            for annotator in range(3)
            for unit in range(40)
            if not np.isnan(table[annotator, unit])
        )
    )
    expected = krippendorff.alpha(table, level_of_measurement="nominal")
    assert statistics(marks)["alpha-nominal"] == pytest.approx(expected)


def test_one_annotator_agrees_with_nobody() -> None:
    records = presence_agreement(presences(("a1", "x", "1"), ("b1", "x", "0")))
    assert {record.value for record in records} == {None}
    assert all(record.reason for record in records)


def test_without_marks_there_is_no_record() -> None:
    assert presence_agreement(Corpus()) == []


def test_each_annotator_is_compared_with_the_majority_of_the_others() -> None:
    marks = Corpus(
        presence=tuple(
            Presence("d", unit, "lead", annotator, annotator in stating)
            for unit, stating in (("u1", "abc"), ("u2", "ab"), ("u3", "a"))
            for annotator in ("a", "b", "c")
        )
    )
    shares = annotators_on_units(marks)
    # u1: all agree. u2: a and b see one yes and one no, a tie that does not count; c says no where
    # both say yes. u3: a says yes where both say no; b and c see a tie.
    assert {name: (each.value, each.n) for name, each in shares.items()} == {
        "a": (0.5, 2), "b": (1.0, 1), "c": (0.5, 2),
    }  # fmt: skip
    alone = annotators_on_units(Corpus(presence=marks.presence[:1]))["a"]
    assert (alone.value, "None of their marks" in (alone.reason or "")) == (None, True)
