"""Agreement on ratings, and the records of all three kinds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import variation

from gistmark.analysis.agreement import (
    comparisons_agreement,
    highlights_agreement,
    ratings_agreement,
)
from gistmark.analysis.agreement.ratings import coefficients_of_variation, variation_by_system
from gistmark.analysis.data.columns import RatingColumns, columns_by_dimension
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus import load, sample_folder
from gistmark.corpus.corpus import Corpus
from gistmark.records import Comparison, Document, Highlight, Rating

NAMES: dict[str, set[str]] = {
    "ratings": {
        "alpha-nominal",
        "alpha-ordinal",
        "alpha-interval",
        "alpha-ratio",
        "fleiss-kappa",
        "cohen-kappa",
        "weighted-kappa",
        "weighted-kappa-linear",
        "ac1",
        "ac2",
        "ac2-quadratic",
        "brennan-prediger",
        "brennan-prediger-ordinal",
        "icc1",
        "icc1k",
        "icc2",
        "icc2k",
        "icc3",
        "icc3k",
        "cv",
        "annotator-vs-rest",
        "annotator-vs-rest-pearson",
        "annotator-vs-rest-kendall",
        "split-k-rest",
    },
    "comparisons": {
        "pairwise-agreement",
        "alpha",
        "alpha-symmetric",
        "transitivity",
        "transitivity-majority",
    },
    "highlights": {
        "span-kappa",
        "span-kappa-min",
        "span-kappa-max",
        "span-alpha",
        "span-f1",
        "union-coverage",
        "second-half",
    },
}

REPORTS: dict[str, Callable[..., list[Agreement]]] = {
    "ratings": ratings_agreement,
    "comparisons": comparisons_agreement,
    "highlights": highlights_agreement,
}


@pytest.fixture(scope="module")
def sample() -> Corpus:
    return load(sample_folder())


def rated(*rows: tuple[str, str, float], dimension: str = "d") -> Corpus:
    """Ratings (annotator, document, value) of one system."""
    return Corpus(
        ratings=tuple(Rating(doc, "s", who, dimension, value) for who, doc, value in rows)
    )


def whole(records: list[Agreement]) -> dict[str, Agreement]:
    return {record.statistic: record for record in records if record.scope == ""}


def check(record: Agreement) -> None:
    numbers = (record.value, record.low, record.high, record.chance)
    assert all(number is None or math.isfinite(number) for number in numbers), record
    assert all(number is None or type(number) is float for number in numbers), record
    assert type(record.n) is int
    if record.value is None:
        assert record.reason, record
        assert record.low is record.high is None, record
    if record.low is not None and record.high is not None and record.statistic != "split-k-rest":
        assert record.value is not None
        assert record.low <= record.value + 1e-9, record
        assert record.value <= record.high + 1e-9, record


@pytest.mark.parametrize("subject", REPORTS)
def test_the_sample_has_every_statistic_once_per_scope(subject: str, sample: Corpus) -> None:
    records = REPORTS[subject](sample)
    for dimension in {record.dimension for record in records}:
        own = [record for record in records if record.dimension == dimension]
        assert {record.statistic for record in own if record.scope == ""} == NAMES[subject]
        keys = [(record.statistic, record.scope) for record in own]
        assert len(set(keys)) == len(keys)
    for record in records:
        assert record.subject == subject
        check(record)


def test_the_seed_decides_which_splits_are_drawn() -> None:
    rows = [(f"a{who}", str(d), float((who * d) % 5)) for who in range(12) for d in range(8)]
    first, again, other = (
        ratings_agreement(rated(*rows), rng=np.random.default_rng(seed), most_splits=7)
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize("subject", REPORTS)
def test_the_whole_has_intervals_over_documents_or_a_reason(subject: str, sample: Corpus) -> None:
    for record in REPORTS[subject](sample):
        if not record.scope and record.statistic not in ("span-kappa-min", "span-kappa-max"):
            assert (record.low is None) == (record.high is None)
            assert record.low is not None or record.reason
            if record.low is not None and record.high is not None:
                assert record.low < record.high
                assert record.documents > 1


def skewed(documents: int, fives: int) -> Corpus:
    """Two annotators who agree on 5 but in a few documents: there 4 stands beside 5 or 4."""
    rows = []
    for number in range(documents):
        pair = [(5.0, 5.0), (4.0, 5.0), (4.0, 4.0)][0 if number < fives else 1 + number % 2]
        rows += [
            Rating(f"d{number}", "s", who, "d", value)
            for who, value in zip("ab", pair, strict=True)
        ]
    return Corpus(ratings=tuple(rows))


@pytest.mark.parametrize(
    ("documents", "fives", "bounded"), [(20, 18, False), (20, 10, True), (120, 108, True)]
)
def test_few_documents_of_nearly_equal_ratings_have_no_interval_of_alpha(
    documents: int, fives: int, bounded: bool
) -> None:
    records = whole(ratings_agreement(skewed(documents, fives)))
    for name in ("alpha-ordinal", "fleiss-kappa"):
        assert (records[name].low is not None) is bounded
        assert bounded or "of the ratings are the same" in (records[name].reason or "")
    assert records["ac1"].low is not None


def test_weights_of_a_scale_that_may_be_longer_have_no_interval() -> None:
    """4 and 5 occur, and 4 is rare (15 %): 3 may be on the scale too."""
    records = whole(ratings_agreement(skewed(60, 48)))
    assert records["ac2"].low is None
    assert "2 values occur and an outermost one is rare" in (records["ac2"].reason or "")
    assert records["alpha-ordinal"].low is not None


def test_documents_that_one_person_judged_do_not_count() -> None:
    """Two people rated documents 0 to 4, one of them 5 to 40 too."""
    rows = [(who, str(d), (d * 7 + k) % 4 + 1.0) for d in range(5) for k, who in enumerate("xy")]
    few = whole(ratings_agreement(rated(*rows)))
    more = [("x", str(d), d % 4 + 1.0) for d in range(5, 40)]
    many = whole(ratings_agreement(rated(*rows, *more)))
    for name in ("alpha-ordinal", "icc1", "cv", "annotator-vs-rest"):
        assert many[name].documents == 5
        assert (many[name].low, many[name].high) == (few[name].low, few[name].high)


@pytest.mark.parametrize("subject", REPORTS)
def test_an_empty_corpus_has_no_records(subject: str) -> None:
    assert REPORTS[subject](Corpus()) == []


def test_the_main_alpha_is_the_one_that_the_scale_asks_for() -> None:
    likert = rated(*[(who, str(d), d % 5 + 1.0) for d in range(20) for who in "xyz"])
    slider = rated(*[(who, str(d), 5.5 * d) for d in range(20) for who in "xyz"])
    for corpus, level in ((likert, "ordinal"), (slider, "interval")):
        result = whole(ratings_agreement(corpus))
        for name in ("alpha-nominal", "alpha-ordinal", "alpha-interval", "alpha-ratio"):
            assert result[name].value == pytest.approx(1.0)
            assert result[name].low is None
            assert result[name].main == (name == f"alpha-{level}")
        for name in ("fleiss-kappa", "ac1", "ac2"):
            assert (result[name].value is None) == (level == "interval")


def test_cohen_is_for_two() -> None:
    rows = [("x", "1", 1.0), ("y", "1", 1.0), ("x", "2", 2.0), ("y", "2", 3.0), ("x", "3", 2.0)]
    two = whole(ratings_agreement(rated(*rows)))
    three = whole(ratings_agreement(rated(*rows, ("z", "1", 1.0))))
    for name in ("cohen-kappa", "weighted-kappa", "weighted-kappa-linear"):
        assert two[name].value is not None
        assert two[name].n == 2
        assert three[name].reason == "It is for exactly two annotators, not for 3."


def test_systems_annotators_and_groups_are_scopes() -> None:
    ratings = tuple(
        Rating(str(document), system, who, "d", float((document + len(who)) % 4 + 1))
        for document in range(6)
        for system in ("lead", "best")
        for who in ("x", "yy", "zzz", "w")
    )
    records = ratings_agreement(Corpus(ratings=ratings))

    def scopes(name: str) -> set[str]:
        return {record.scope for record in records if record.statistic == name}

    assert scopes("cv") == {"", "lead", "best"}
    assert scopes("annotator-vs-rest") == {"", "x", "yy", "zzz", "w"}
    assert scopes("split-k-rest") == {"", "x", "yy", "zzz", "w"}


def test_the_number_of_splits_can_be_limited() -> None:
    rows = [(f"a{who}", str(d), float((who * d) % 5)) for who in range(12) for d in range(8)]
    records = ratings_agreement(rated(*rows), most_splits=7)
    splits = [r for r in records if r.statistic == "split-k-rest" and r.scope]
    assert len(splits) == 7
    assert all(record.scope.count(" + ") == 3 for record in splits)


@pytest.mark.parametrize(
    "corpus",
    [
        rated(("x", "1", 3.0)),
        rated(("x", "1", 3.0), ("x", "2", 4.0)),
        rated(("x", "1", 3.0), ("y", "2", 4.0)),
        rated(("x", "1", 3.0), ("y", "1", 3.0)),
        rated(*[(who, doc, 3.0) for who in "xyz" for doc in "123"]),
        rated(("x", "1", 1.0), ("y", "1", 2.0), ("x", "2", 2.0), ("y", "2", 1.0)),
        rated(("x", "1", 0.0), ("y", "1", -5.0), ("x", "2", 2.5), ("y", "2", 1.0)),
    ],
    ids=[
        "one rating",
        "one annotator",
        "no overlap",
        "one unit",
        "one category",
        "n = 2",
        "negative",
    ],
)
def test_degenerate_ratings_have_reasons(corpus: Corpus) -> None:
    records = ratings_agreement(corpus)
    assert set(whole(records)) == NAMES["ratings"]
    for record in records:
        check(record)


@pytest.mark.parametrize(
    "votes",
    [
        [("1", "A", "B", "x", "left")],
        [("1", "A", "B", "x", "left"), ("2", "A", "B", "y", "left")],
        [("1", "A", "B", who, "left") for who in "xy"],
        [("1", "A", "B", "x", "left"), ("1", "A", "B", "y", "right")],
    ],
    ids=["one vote", "no overlap", "one side", "all ties"],
)
def test_degenerate_comparisons_have_reasons(votes: list[tuple[str, str, str, str, str]]) -> None:
    comparisons = tuple(
        Comparison(doc, left, right, who, "d", "left" if choice == "left" else "right")
        for doc, left, right, who, choice in votes
    )
    records = comparisons_agreement(Corpus(comparisons=comparisons))
    assert set(whole(records)) == NAMES["comparisons"]
    for record in records:
        check(record)


def test_degenerate_highlights_have_reasons() -> None:
    documents = (Document("1", ("one two three four",)), Document("2", ("five",)))
    highlights = (Highlight("1", "x", 0, 3), Highlight("2", "x", 0, 4), Highlight("2", "y", 0, 4))
    records = highlights_agreement(Corpus(documents=documents, highlights=highlights))
    assert set(whole(records)) == NAMES["highlights"]
    for record in records:
        check(record)
    assert whole(records)["span-kappa"].value is None
    assert whole(records)["span-f1"].reason == (
        "1 of 2 documents left out: they have no value. "
        "No interval over documents: there is only one."
    )


def test_the_alpha_of_all_words_is_not_the_mean_over_documents() -> None:
    """10 words, marks as below; pooled by the definition of alpha, one word after the other."""
    documents = (Document("1", ("a b c d",)), Document("2", ("a b c d e f",)))
    highlights = (
        Highlight("1", "x", 0, 3),
        Highlight("1", "y", 2, 3),
        Highlight("2", "x", 0, 1),
        Highlight("2", "z", 10, 11),
    )
    result = whole(highlights_agreement(Corpus(documents=documents, highlights=highlights)))
    # Document 1: x marks a b, y marks b; document 2: x marks a, z marks f. n = 20 values, 5 ones.
    # Three words are marked by one of two: D = 3 * 2 = 6; E = 2 * 5 * 15 = 150.
    assert result["span-alpha"].value == pytest.approx(1 - 19 * 6 / 150)
    assert result["span-alpha"].n == 10
    assert result["span-kappa-min"].value is not None
    assert result["span-kappa"].value is not None
    assert result["span-kappa-min"].value < result["span-kappa"].value


NAN = float("nan")


def columns_of(values: dict[tuple[str, str], list[float]]) -> RatingColumns:
    ratings = [
        Rating(document, system, f"a{position}", "d", value)
        for (document, system), row in values.items()
        for position, value in enumerate(row)
    ]
    return columns_by_dimension(ratings)["d"]


def test_a_value_worked_by_hand() -> None:
    """Ratings 40, 50, 60: s = 10, mean = 50, so cv = (1 + 1/12) * 0.2 = 0.21666..."""
    result = coefficients_of_variation(np.array([0, 0, 0]), np.array([40.0, 50.0, 60.0]), 1)
    np.testing.assert_allclose(result, [13 / 60])


@given(st.lists(st.lists(st.floats(1, 100), min_size=1, max_size=6), min_size=1, max_size=6))
def test_scipy_agrees(rows: list[list[float]]) -> None:
    units = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    result = coefficients_of_variation(units, np.concatenate(rows), len(rows))
    for value, row in zip(result, rows, strict=True):
        if len(row) < 2:
            assert np.isnan(value)
        else:
            expected = (1 + 1 / (4 * len(row))) * variation(row, ddof=1)
            assert value == pytest.approx(expected, abs=1e-9)


def test_units_without_a_coefficient_are_left_out_and_counted() -> None:
    columns = columns_of(
        {
            ("1", "lead"): [40, 50, 60],
            ("2", "lead"): [50, 50],
            ("1", "other"): [7],
            ("2", "other"): [0, 0],
        }
    )
    result = variation_by_system(columns)
    assert result["lead"].value == pytest.approx((13 / 60 + 0) / 2)
    assert (result["lead"].n, result["lead"].reason) == (2, None)
    assert result["other"].value is None
    assert "mean above 0" in str(result["other"].reason)


def test_missing_values_do_not_count() -> None:
    units, values = np.array([0, 0, 0, 1]), np.array([40.0, NAN, 60.0, NAN])
    result = coefficients_of_variation(units, values, 2)
    assert result[0] == pytest.approx((1 + 1 / 8) * 200**0.5 / 50)
    assert np.isnan(result[1])
