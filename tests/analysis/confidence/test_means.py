"""Mean confidence and weights: known values, known truth, and what has no interval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.confidence.means import (
    ONE_ANNOTATOR,
    SHARE,
    ConfidenceMean,
    confidence_means,
    confidence_notes,
    values_of,
    weight_shares,
)
from gistmark.analysis.data.weights import Weights
from gistmark.analysis.resampling.means import ALL_EQUAL, ONE_DOCUMENT
from gistmark.records import Rating


def rating(
    document: str, annotator: str, dimension: str, confidence: float | None,
    weight: float | None = None, *, system: str = "s", campaign: str | None = None,
) -> Rating:  # fmt: skip
    return Rating(
        document, system, annotator, dimension, 3.0, confidence, weight, campaign=campaign
    )


def found(means: list[ConfidenceMean], by: str, name: str, measure: str = "confidence"):
    [record] = [
        m for m in means
        if (m.by, m.name, m.measure) == (by, name, measure) and m.dimension in ("", name)
    ]  # fmt: skip
    return record


FEW = [
    rating("d1", "a", "focus", 5), rating("d1", "b", "focus", 4), rating("d2", "a", "focus", 2),
    rating("d2", "b", "focus", 1), rating("d1", "a", "grammar", 5),
]  # fmt: skip


def test_means_are_of_all_ratings():
    """focus: (5 + 4 + 2 + 1) / 4; d1: (5 + 4 + 5) / 3; a: (5 + 2 + 5) / 3."""
    means = confidence_means(FEW)
    assert found(means, "dimension", "focus").value == 3
    assert found(means, "document", "d1").value == pytest.approx(14 / 3)
    assert found(means, "annotator", "a").value == 4
    assert found(means, "system", "s").n == 5
    assert {record.over for record in means if record.by != "document"} == {"documents"}
    assert found(means, "document", "d1").over == "annotators"


def test_documents_that_were_likely_to_be_chosen_count_less():
    means = confidence_means(FEW, weights=Weights({"d1": 3.0, "d2": 1.0}))
    assert found(means, "dimension", "focus").value == (3 * 9 + 3) / (3 * 2 + 2)


def test_a_mean_without_an_interval_says_why():
    means = confidence_means(FEW)
    assert found(means, "dimension", "grammar").reason == ONE_DOCUMENT
    alone = confidence_means([each for each in FEW if each.annotator == "a"])
    assert found(alone, "document", "d1").reason == ONE_ANNOTATOR
    constant = confidence_means([replace(each, confidence=4.0) for each in FEW])
    assert found(constant, "dimension", "focus").reason == ALL_EQUAL
    assert found(constant, "dimension", "focus").low is None


def test_ratings_without_confidence_do_not_count_as_zero():
    assert confidence_means([replace(each, confidence=None) for each in FEW]) == []
    some = [*FEW, rating("d3", "a", "focus", None)]
    assert found(confidence_means(some), "dimension", "focus") == found(
        confidence_means(FEW), "dimension", "focus"
    )


def test_systems_that_only_number_summaries_have_no_mean():
    assert not [m for m in confidence_means(FEW, anonymous={"s"}) if m.by == "system"]


def test_intervals_hold_the_true_confidence_of_dimensions_and_documents():
    """95 of 100 in the long run; these draws are fixed."""
    held: dict[str, list[bool]] = {"dimension": [], "document": []}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        easy = rng.normal(0, 0.5, 12)
        ratings = [
            rating(f"d{d}", f"a{a}", "focus", float(3 + easy[d] + rng.normal()), system=f"s{s}")
            for d in range(12) for a in range(4) for s in range(3)
        ]  # fmt: skip
        for record in confidence_means(ratings):
            if record.by in held and record.low is not None:
                truth = 3 + (easy[int(record.name[1:])] if record.by == "document" else 0)
                held[record.by].append(record.low <= truth <= (record.high or 0))
    assert all(np.mean(each) > 0.88 for each in held.values()), held


def weighed(weights: dict[str, tuple[float, ...]], campaign: str | None = None) -> list[Rating]:
    return [
        rating(f"d{d}", "a", dimension, None, weight, campaign=campaign)
        for dimension, values in weights.items()
        for d, weight in enumerate(values)
    ]


def test_shares_take_out_how_people_use_the_scale():
    """1 and 3 are a quarter and three quarters, as are 10 and 30; overall has no share."""
    ratings = weighed({"focus": (1, 10), "grammar": (3, 30), "overall": (5, 5)})
    assert [each.value for each in weight_shares(ratings, None)] == [0.25, 0.75, 0.25, 0.75]
    means = confidence_means(ratings)
    assert found(means, "dimension", "focus", SHARE).value == 0.25
    assert found(means, "dimension", "focus", "weight").value == 5.5
    assert not [m for m in means if m.measure == SHARE and m.name == "overall"]


@pytest.mark.parametrize("second", [{"a": (1,)}, {"a": (0,), "b": (0,)}, {"a": (-1,), "b": (3,)}])
def test_an_annotation_without_usable_weights_has_no_shares(second: dict[str, tuple[float, ...]]):
    other = [replace(each, document="other") for each in weighed(second)]
    shares = weight_shares([*weighed({"a": (1,), "b": (3,)}), *other], None)
    assert {each.document: each.value for each in shares} == {"d0": 0.75}


def test_that_nobody_weighs_all_dimensions_is_noted():
    ratings = weighed({"a": (1.0,), "b": (2.0,), "c": (1.0,)})
    assert not list(confidence_notes(ratings))
    apart = [*ratings[:2], replace(ratings[2], document="d7")]
    assert [note.about for note in confidence_notes(apart)] == ["weight"]


def test_scales_of_two_campaigns_are_made_one():
    ratings = [
        *(rating(f"d{k}", "a", "focus", value, campaign="one") for k, value in enumerate((1, 5))),
        *(rating(f"d{k}", "b", "focus", value, campaign="two") for k, value in enumerate((0, 100))),
    ]
    assert [each.value for each in values_of(ratings, "confidence")] == [0, 1, 0, 1]
    [note] = confidence_notes(ratings)
    assert "one: 1 to 5 and two: 0 to 100" in note.text
    same = [replace(each, confidence=min(each.confidence or 0, 5)) for each in ratings]
    assert [each.value for each in values_of(same, "confidence")] == [1, 5, 0, 5]
    assert not list(confidence_notes(same))
