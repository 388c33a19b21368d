"""Weighted errors and shares of content units, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.human.marks import (
    ERRORS,
    PER_WORDS,
    UNITS,
    error_counts,
    error_scores,
    judged_summaries,
    mark_ratings,
    severity_weights,
    unit_shares,
)
from gistmark.analysis.studies.records import ErrorCount
from gistmark.corpus import Corpus
from gistmark.records import ContentUnit, ErrorSpan, Presence

WORDS = {("d", "s"): 20.0, ("d", "t"): 50.0, ("d", "u"): 0.0}


def span(system: str, annotator: str, category: str, severity: str | None = None) -> ErrorSpan:
    return ErrorSpan("d", system, annotator, 0, 2, category, severity)


SPANS = (
    span("s", "ann", "grammar", "minor"),
    ErrorSpan("d", "s", "ann", category="missing", severity="major"),
    ErrorSpan("d", "s", "bob"),
    span("t", "ann", "grammar", "Critical"),
    span("t", "ann", "other"),
    ErrorSpan("d", "u", "bob"),
)


def test_a_score_is_minus_the_mean_over_annotators_of_the_summed_weights() -> None:
    """s: ann 1 + 5, bob 0: -6/2; t: ann 10 + 1 (no severity): -11; u: bob marked nothing: 0."""
    result = error_scores(Corpus(spans=SPANS), WORDS)
    assert result.units == (("d", "s"), ("d", "t"), ("d", "u"))
    assert result.of(ERRORS).tolist() == [-3.0, -11.0, 0.0]
    assert result.counts[0].tolist() == [2, 1, 1]


def test_what_one_annotator_marked_is_a_rating() -> None:
    """s: ann 1 + 5, bob nothing; bob found one of two units of weights 3 and 1."""
    corpus = Corpus(
        spans=SPANS[:3],
        units=(ContentUnit("d", "u1", "one", 3.0), ContentUnit("d", "u2", "two", 1.0)),
        presence=(Presence("d", "u1", "s", "bob", True), Presence("d", "u2", "s", "bob", False)),
    )
    ratings = {(r.annotator, r.dimension): r.value for r in mark_ratings(corpus, WORDS)}
    assert ratings == {
        ("ann", ERRORS): -6.0, ("ann", PER_WORDS): -30.0,
        ("bob", ERRORS): 0.0, ("bob", PER_WORDS): 0.0, ("bob", UNITS): 0.75,
    }  # fmt: skip


def test_the_score_per_100_words_is_not_defined_without_words() -> None:
    """-3 in 20 words are -15 in 100, -11 in 50 are -22."""
    values = error_scores(Corpus(spans=SPANS), WORDS).of(PER_WORDS)
    assert values[:2].tolist() == [-15.0, -22.0]
    assert np.isnan(values[2])


def test_a_summary_that_an_annotator_did_not_judge_is_no_zero() -> None:
    judged = judged_summaries(Corpus(spans=SPANS))
    assert {unit: list(annotators) for unit, annotators in judged.items()} == {
        ("d", "s"): ["ann", "bob"],
        ("d", "t"): ["ann"],
        ("d", "u"): ["bob"],
    }
    assert judged["d", "s"]["bob"] == []


@pytest.mark.parametrize("name", ["critical", "CRITICAL"])
def test_weights_can_be_given(name: str) -> None:
    result = error_scores(Corpus(spans=SPANS), WORDS, {name: 25})
    assert result.of(ERRORS).tolist() == [-3.0, -26.0, 0.0]


def test_errors_that_carry_a_weight_cost_that_unless_another_is_given() -> None:
    """s: ann 2 + 5, bob 0: -7/2; given minor=3: ann 3 + 5: -4; t: 7 instead of 10, and 1: -8."""
    minor, *others, critical = SPANS[:4]
    weighted = (replace(minor, weight=2.0), *others, replace(critical, weight=7.0), *SPANS[4:])
    corpus = Corpus(spans=(*weighted, replace(minor, system="t", weight=2.5)))
    assert error_scores(corpus, WORDS).of(ERRORS).tolist() == [-3.5, -10.5, 0.0]
    assert error_scores(corpus, WORDS, {"Minor": 3}).of(ERRORS).tolist() == [-4.0, -11.0, 0.0]
    assert severity_weights(corpus, {"major": 4}) == {
        "minor": (2.0, 2.5),
        "major": (4,),
        "critical": (7.0,),
    }


def test_a_severity_without_a_weight_leaves_no_score_and_is_named() -> None:
    corpus = Corpus(spans=(*SPANS, span("u", "ann", "grammar", "serious")))
    result = error_scores(corpus, WORDS)
    assert result.names == ()
    assert result.reasons == {
        ERRORS: "there is no weight for 'serious', so there is no score; give "
        '--severity "serious=WEIGHT"'
    }
    assert error_scores(corpus, WORDS, {"serious": 2}).of(ERRORS)[2] == -2 / 2


def test_errors_are_counted_by_system_category_and_severity_with_those_that_never_occur() -> None:
    records = error_counts(Corpus(spans=SPANS))
    assert len(records) == 3 * 3 * 4
    assert ErrorCount("s", "missing", "major", 1, 2, 0.5) in records
    assert ErrorCount("t", "missing", "major", 0, 1, 0.0) in records
    assert [r.severity for r in records[:4]] == ["minor", "major", "Critical", ""]
    assert sum(record.count for record in records) == 4


def test_without_spans_there_is_nothing() -> None:
    assert error_scores(Corpus(), {}).names == ()
    assert error_counts(Corpus()) == []


def corpus(weights: dict[str, float], *marks: tuple[str, str, str, bool]) -> Corpus:
    """Units of one document with their weights; marks as unit, system, annotator, present."""
    return Corpus(
        units=tuple(ContentUnit("d", id, f"Fact {id}.", weight) for id, weight in weights.items()),
        presence=tuple(Presence("d", *mark) for mark in marks),
    )


def test_a_score_is_the_share_of_weight_that_is_stated() -> None:
    result = unit_shares(
        corpus({"1": 1, "2": 3}, ("1", "s", "a", True), ("2", "s", "a", False),
               ("1", "t", "a", False), ("2", "t", "a", True))
    )  # fmt: skip
    assert result.units == (("d", "s"), ("d", "t"))
    assert result.of(UNITS).tolist() == [1 / 4, 3 / 4]
    assert result.reasons == {}


def test_a_unit_counts_by_the_share_of_annotators_who_find_it() -> None:
    """Weights 1 and 2: (1 * 2/3 + 2 * 1/1) / 3 = 8/9, from 4 marks."""
    result = unit_shares(
        corpus({"1": 1, "2": 2}, ("1", "s", "a", True), ("1", "s", "b", True),
               ("1", "s", "c", False), ("2", "s", "a", True))
    )  # fmt: skip
    assert result.of(UNITS)[0] == pytest.approx(8 / 9)
    assert result.counts.tolist() == [[4]]


def test_a_summary_with_an_unmarked_unit_has_no_score_and_is_counted() -> None:
    result = unit_shares(
        corpus({"1": 1, "2": 1}, ("1", "s", "a", True), ("1", "t", "a", True),
               ("2", "t", "a", False))
    )  # fmt: skip
    assert result.units == (("d", "t"),)
    assert result.reasons == {
        UNITS: "1 of 2 summaries left out, because not every unit of their document is marked"
    }
    alone = unit_shares(corpus({"1": 1, "2": 1}, ("1", "s", "a", True)))
    assert (alone.names, alone.units) == ((), ())
    assert "1 of 1 summaries" in alone.reasons[UNITS]
    assert unit_shares(corpus({}, ("1", "s", "a", True))).names == ()


def test_without_marks_there_is_no_score() -> None:
    result = unit_shares(corpus({"1": 1}))
    assert (result.names, result.reasons, list(result.records())) == ((), {}, [])
