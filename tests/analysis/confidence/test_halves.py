"""Agreement where people are sure: known values, known truth, and nothing on noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.confidence.halves import (
    ALL_SURE,
    DIFFERENCE,
    ConfidenceAgreement,
    confidence_agreement,
    halves_by_confidence,
)
from gistmark.analysis.human.scores import HumanScores
from gistmark.records import Rating


def simulated(
    rng: np.random.Generator, *, doubt: float = 0.0, documents: int = 15, annotators: int = 3
) -> list[Rating]:
    """Ratings that are as much noisier as `doubt` says where the annotator is less sure."""
    ratings = []
    for d, s in np.ndindex(documents, 4):
        quality = rng.normal(3, 0.7)
        for a in range(annotators):
            unsure = rng.normal()
            value = np.clip(np.round(quality + rng.normal(0, 0.5 * np.exp(doubt * unsure))), 1, 5)
            sure = np.clip(np.round(3.5 - unsure), 1, 5)
            ratings.append(Rating(f"d{d}", f"s{s}", f"a{a}", "focus", float(value), float(sure)))
    return ratings


def value_of(records: list[ConfidenceAgreement], group: str, dimension: str = "focus"):
    [record] = [r for r in records if (r.group, r.dimension) == (group, dimension)]
    return record


def test_differences_by_hand():
    """The scale is 1 to 5: both sure differ by 1 of 4, one by 4 of 4; the median is 4."""
    table = {("d1", "a"): (1, 5), ("d1", "b"): (2, 4), ("d2", "a"): (1, 4), ("d2", "b"): (5, 1)}
    ratings = [
        Rating(document, "s", annotator, "focus", value, confidence)
        for (document, annotator), (value, confidence) in table.items()
    ]
    records = confidence_agreement(ratings)
    assert value_of(records, "both").value == 0.25
    assert value_of(records, "one").value == 1.0
    assert value_of(records, "neither").value is None
    assert value_of(records, "neither").reason
    assert value_of(records, "both").threshold == 4
    # One step from both to one is half the range of the slope: (1 - 0.25) / 0.5.
    assert value_of(records, "within").value == pytest.approx(1.5)


def test_people_who_differ_more_where_they_are_unsure_are_noticed():
    records = confidence_agreement(simulated(np.random.default_rng(1), doubt=0.6))
    within = value_of(records, "within", "")
    assert within.low is not None
    assert within.low > 0
    assert (value_of(records, "both").value or 1) < (value_of(records, "neither").value or 0)
    assert (value_of(records, "sure").value or 0) > (value_of(records, "unsure").value or 1)


def test_a_sure_and_lenient_annotator_makes_no_difference_within_two_annotators():
    """Of three annotators who do not differ where unsure, one is lenient and often unsure."""
    away = []
    for seed in range(20):
        ratings = [
            replace(r, value=min(r.value + 1, 5), confidence=max((r.confidence or 0) - 1, 1))
            if r.annotator == "a2" else r
            for r in simulated(np.random.default_rng(seed))
        ]  # fmt: skip
        records = confidence_agreement(ratings)
        within = value_of(records, "within", "")
        assert within.low is not None
        away.append(not within.low <= 0 <= (within.high or 0))
    assert sum(away) <= 4


def test_one_confidence_for_all_splits_nothing():
    ratings = [replace(r, confidence=4.0) for r in simulated(np.random.default_rng(0))]
    records = confidence_agreement(ratings)
    assert {record.dimension for record in records} == {"focus"}
    assert {record.reason for record in records} == {ALL_SURE}
    assert all(record.value is None for record in records)


def test_who_rated_alone_agrees_with_nobody():
    records = confidence_agreement(simulated(np.random.default_rng(0), annotators=1))
    assert all(record.value is None and record.reason for record in records)


def test_one_document_has_no_interval():
    records = confidence_agreement(simulated(np.random.default_rng(3), documents=1, annotators=5))
    assert any(record.value is not None for record in records)
    assert all(record.low is None and record.reason for record in records)


def test_only_ratings_with_a_confidence_count():
    ratings = simulated(np.random.default_rng(2))
    more = [Rating("d0", "s0", f"b{k}", "focus", 3.0) for k in range(3)]
    assert confidence_agreement([*ratings, *more]) == confidence_agreement(ratings)
    assert confidence_agreement(more) == []


def test_two_ratings_by_one_person_are_no_disagreement():
    ratings = [
        Rating("d", "s", "a", "focus", value, confidence, campaign=campaign)
        for value, confidence, campaign in ((1, 5, "one"), (5, 1, "two"))
    ]
    differences = [r for r in confidence_agreement(ratings) if r.statistic == DIFFERENCE]
    assert all(record.value is None for record in differences)


@pytest.mark.parametrize(
    ("values", "halves"),
    [
        ((4.0, 3.5, 3.0), ("confidence >= 3.5", "confidence < 3.5")),
        ((10 / 3, 3.25, 4.0), ("confidence >= 3.3", "confidence < 3.3")),
        ((3.0, 3.0, 5.0), ("confidence >= 5", "confidence < 5")),
        ((3.0, 3.0), ()),
        ((), ()),
    ],
)
def test_halves_have_short_names(values: tuple[float, ...], halves: tuple[str, ...]):
    units = tuple((f"d{k}", "s") for k in range(len(values)))
    names = ("confidence",) if values else ()
    table = np.array(values).reshape(len(names), len(units))
    scores = HumanScores(units, names, table, np.ones(table.shape, dtype=np.int64))
    assert halves_by_confidence(scores) == halves
