"""Notes on the data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.findings.notes import data_notes, known_word_notes, resampling_notes
from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.records import Difference
from gistmark.corpus import Corpus
from gistmark.records import Summary
from gistmark.scoring import Scores
from gistmark.scoring.scores import Column


def corpus_of(**texts: list[str | None]) -> Corpus:
    """Systems with their texts of documents 0, 1, and so on; None is a summary that is missing."""
    return Corpus(
        summaries=tuple(
            Summary(str(number), system, text)
            for system, column in texts.items()
            for number, text in enumerate(column)
            if text is not None
        )
    )


def notes(corpus: Corpus) -> list[str]:
    return [note.text for note in data_notes(corpus, None) if "identical" in note.text]


def alike(left: str, right: str, where: str) -> str:
    text = (
        f"The summaries of {left} and {right} are identical for {where}; a difference between the "
        "two there does not come from the text."
    )
    if not where.startswith("all"):
        return text
    return (
        f"{text} They are one system under two names: that people judge one of them better is "
        "chance, and correlations over systems count it twice."
    )


@pytest.mark.parametrize(
    ("right", "where"),
    [
        (["p", "q", "r", "s"], "all 4 documents that both summarised"),
        (["p", "q", None, None], "all 2 documents that both summarised"),
        (["p", "q", "r", "x"], "3 of the 4 documents that both summarised"),
        (["p", "q", "y", "x"], "2 of the 4 documents that both summarised"),
        (["p", "x", None, "s"], "2 of the 3 documents that both summarised"),
        (["p", None, None, None], "the one document that both summarised"),
    ],
)
def test_identical_summaries_of_two_systems_are_noted(right: list[str | None], where: str) -> None:
    corpus = corpus_of(bart=["p", "q", "r", "s"], bart2=right, other=["1", "2", "3", "4"])
    assert notes(corpus) == [alike("bart", "bart2", where)]


@pytest.mark.parametrize(
    "right",
    [
        ["p", "x", "y", "z"],  # one of four is less than half
        ["q", "p", "s", "r"],  # the same texts, but of other documents
        ["P", "q ", "r\n", "s."],  # nearly the same
        [None, None, None, None],
    ],
)
def test_other_summaries_are_not(right: list[str | None]) -> None:
    assert notes(corpus_of(bart=["p", "q", "r", "s"], bart2=right)) == []


def test_missing_summaries_are_not_identical() -> None:
    assert notes(corpus_of(a=["p", None, None], b=["x", None, None])) == []


def test_references_and_anonymous_summaries_are_no_systems() -> None:
    corpus = Corpus(
        summaries=(
            Summary("a", "gold", "t", reference=True),
            Summary("a", "copycat", "t"),
            Summary("a", "s1", "t", anonymous=True),
            Summary("a", "s2", "t", anonymous=True),
        )
    )
    assert notes(corpus) == []


def test_the_most_alike_come_first_and_after_five_pairs_the_others_are_counted() -> None:
    same: list[str | None] = ["p", "q"]
    corpus = corpus_of(half=["p", "x"], a=same, b=same, c=same)
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert notes(corpus) == [
        *(alike(left, right, "all 2 documents that both summarised") for left, right in pairs),
        alike("half", "a", "1 of the 2 documents that both summarised"),
        alike("half", "b", "1 of the 2 documents that both summarised"),
        "1 more pair of systems has identical summaries for at least 50% of their common "
        "documents.",
    ]
    many = notes(corpus_of(a=same, b=same, c=same, d=same))
    assert (len(many), many[-1][:30]) == (6, "1 more pair of systems has ide")
    assert notes(corpus_of(a=same, b=same, c=same, d=same, e=same))[-1] == (
        "5 more pairs of systems have identical summaries for at least 50% of their common "
        "documents."
    )


def scores_of(*shares: float) -> Scores:
    values = np.array([[1.0 if share >= 0.5 else np.nan, share] for share in shares])
    reasons = {position: "too little" for position, share in enumerate(shares) if not share >= 0.5}
    column = Column("wmd|v:1", ("value", "known"), "value", "lower", values, reasons)
    count = len(shares)
    return Scores([str(number) for number in range(count)], ["sys"] * count, {"wmd": column})


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((1.0, 0.9, 0.8), "know 90 % of the words on average (lowest: 80 %)"),
        ((1.0, 0.2), "know 60 % of the words on average (lowest: 20 %)"),
        ((1.0,) * 999 + (0.9,), "know over 99 % of the words on average (lowest: 90 %)"),
        ((0.5, 0.001), "know 25 % of the words on average (lowest: less than 1 %)"),
        ((0.5, 0.0, np.nan), "know 25 % of the words on average (lowest: 0 %)"),
    ],
)
def test_mean_and_least_share_are_told(shares: tuple[float, ...], said: str):
    (note,) = known_word_notes(scores_of(*shares))
    assert note.about == "wmd"
    assert said in note.text


@pytest.mark.parametrize("shares", [(1.0, 1.0), (np.nan,)])
def test_nothing_is_said_where_every_word_is_known_or_no_share_is(shares: tuple[float, ...]):
    assert list(known_word_notes(scores_of(*shares))) == []


def test_the_note_is_among_those_of_a_study():
    texts = [note.text for note in data_notes(Corpus(), scores_of(1.0, 0.6))]
    assert any("lowest: 60 %" in text for text in texts)


def metrics_of(**values: list[float]) -> Scores:
    """Metrics of which more is better, but for those whose names end in _lower."""
    columns = {
        name: Column(
            f"{name}|v:1", ("value",), "value",
            "lower" if name.endswith("_lower") else "higher", np.array([column]).T, {},
        )
        for name, column in values.items()
    }  # fmt: skip
    count = len(next(iter(values.values())))
    return Scores([str(number) for number in range(count)], ["sys"] * count, columns)


def copies(scores: Scores) -> list[str]:
    return [note.text for note in data_notes(Corpus(), scores) if "same values" in note.text]


RISING = [float(number) for number in range(10)]
OTHER = [5.0, *RISING[1:]]


def test_copies_of_a_metric_are_named_once() -> None:
    scores = metrics_of(
        a=RISING, b=OTHER, c=RISING, d_lower=[-value for value in RISING],
        e=OTHER, f_lower=RISING,
    )  # fmt: skip
    assert copies(scores) == [
        "c and d_lower have the same values as a here: one metric under 3 names, which counts 3 "
        "times where p values are corrected.",
        "e has the same values as b here: one metric under two names, which counts two times where "
        "p values are corrected.",
    ]


def test_metrics_that_are_missing_differently_or_everywhere_are_no_copies() -> None:
    nan = [np.nan] * 10
    assert copies(metrics_of(a=RISING, b=[*RISING[:-1], np.nan], c=nan, d=nan)) == []


def test_few_values_and_constants_that_are_alike_are_no_copies() -> None:
    assert copies(metrics_of(a=RISING[:9], b=RISING[:9])) == []
    assert copies(metrics_of(a=[1.0] * 10, b=[1.0] * 10)) == []


def test_too_few_resamples_are_said() -> None:
    [note] = resampling_notes(StudyOptions(resamples=39), [])
    assert note.text.startswith("39 draws are too few for an interval; 40 are needed:")
    assert list(resampling_notes(StudyOptions(resamples=40), [])) == []


def test_permutations_that_no_correction_lets_through_are_said() -> None:
    """Ten comparisons want p < 0.005; 99 permutations have 1 / 100 at least, 999 have 1 / 1,000."""
    tests = [
        Difference("a", "b", "overall", "system", "pearson", 0.1, None, None, "permutation", 0.01,
                   0.1, "holm", "all pairs (10)", 20)
    ] * 10  # fmt: skip
    options = StudyOptions(resamples=99, test="permutation")
    [note] = resampling_notes(options, tests)
    assert "no p is below 0.010, so none of 10 comparisons" in note.text
    assert list(resampling_notes(replace(options, resamples=999), tests)) == []
    assert list(resampling_notes(replace(options, test="bootstrap"), tests)) == []
