"""All rankings by one kind of evidence as one family of tests."""

from __future__ import annotations

import pytest

from gistmark.analysis.ranking.families import corrected_over_all, families
from gistmark.analysis.studies.records import Pair


def pair(dimension: str, p: float | None, by: str = "ratings", method: str = "mean") -> Pair:
    return Pair(by, dimension, method, "a", "b", 0.1, None, None, p, p, None, None, "sign flips", 9)


def test_holm_goes_over_the_pairs_of_all_rankings_by_the_same_evidence_and_method():
    """0.01 x 4 = 0.04, 0.02 x 3 = 0.06, then 0.03 x 2 = 0.06 and 0.5 x 1; others stand alone."""
    pairs = [
        pair("x", 0.02), pair("x", 0.5), pair("y", 0.01), pair("y", None), pair("z", 0.03),
        pair("x", 0.02, method="rank"), pair("x", 0.02, by="comparisons"),
        pair("rouge1", 0.02, by="scores"),
    ]  # fmt: skip
    corrected = [record.p_all for record in corrected_over_all(pairs)]
    expected = [0.06, 0.5, 0.04, None, 0.06, 0.02, 0.02, None]
    assert corrected == [value if value is None else pytest.approx(value) for value in expected]


def test_a_family_says_how_often_such_studies_would_have_a_false_pair():
    pairs = corrected_over_all([pair(f"dimension {k}", 0.001 + k / 10) for k in range(11)])
    [family] = families(pairs)
    assert (family.by, family.rankings, family.pairs, family.significant) == ("ratings", 11, 11, 1)
    assert family.false_alarms == pytest.approx(1 - 0.95**11)
    assert list(families(corrected_over_all([pair("x", 0.1), pair("x", 0.2)]))) == []


def test_adjusted_means_are_in_the_family_of_means():
    """0.02 x 2 = 0.04 and 0.03 x 1, not below it."""
    pairs = [pair("x", 0.02), pair("y", 0.03, method="document-adjusted mean")]
    corrected = corrected_over_all(pairs)
    assert [record.p_all for record in corrected] == pytest.approx([0.04, 0.04])
    assert [family.rankings for family in families(corrected)] == [2]
