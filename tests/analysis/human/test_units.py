"""Shares of content units, worked by hand."""

from __future__ import annotations

import pytest

from gistmark.analysis.human.units import UNITS, unit_shares
from gistmark.corpus import Corpus
from gistmark.records import ContentUnit, Presence


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
