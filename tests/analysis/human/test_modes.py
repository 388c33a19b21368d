"""Campaigns beside each other: known shifts are seen, severity is not taken for a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, stdev

import numpy as np
import pytest

from gistmark.analysis.human.modes import ModeDifference, modes_of
from gistmark.corpus import Corpus
from gistmark.records import Condition, Rating, Summary

SYSTEMS, DOCUMENTS = 3, 20
QUALITY = 5.0
NOISE, SEVERITY = 7.0, 5.0


def campaigns(
    seed: int,
    shifts: Sequence[float] = (0.0, 0.0, 0.0),
    *,
    people: int = 3,
    severity: float = SEVERITY,
    same_people: bool = False,
    noise: Sequence[float] | None = None,
) -> Corpus:
    """Campaigns A, B, ... that rate the same summaries, each with so many annotators."""
    rng = np.random.default_rng(seed)
    truth = 50.0 + rng.normal(0.0, QUALITY, (DOCUMENTS, SYSTEMS))
    severities = rng.normal(0.0, severity, (len(shifts), people))
    if same_people:
        severities[:] = severities[0]
    ratings = [
        Rating(
            f"d{d}", f"s{s}", f"p{k}" if same_people else f"{name}{k}", "recall",
            float(truth[d, s] + shift + severities[number, k]
                  + rng.normal(0.0, noise[number] if noise else NOISE)),
            campaign=name,
        )
        for number, (name, shift) in enumerate(zip("ABCDE", shifts, strict=False))
        for d in range(DOCUMENTS) for s in range(SYSTEMS) for k in range(people)
    ]  # fmt: skip
    return Corpus(
        summaries=tuple(
            Summary(f"d{d}", f"s{s}", "x") for d in range(DOCUMENTS) for s in range(SYSTEMS)
        ),
        ratings=tuple(ratings),
    )


def overall(corpus: Corpus, statistic: str = "mean") -> list[ModeDifference]:
    """The differences over all systems together."""
    records = modes_of(corpus).differences
    return [r for r in records if r.statistic == statistic and not r.system]


def test_means_and_coefficients_of_variation_are_those_of_the_paper():
    values = {("a", "A"): (40.0, 50.0, 60.0), ("b", "A"): (70.0, 80.0, 90.0),
              ("a", "B"): (20.0, 20.0, 50.0), ("b", "B"): (50.0, 60.0, 70.0)}  # fmt: skip
    corpus = Corpus(
        summaries=(Summary("a", "sys", "x"), Summary("b", "sys", "y")),
        ratings=tuple(
            Rating(document, "sys", f"{campaign}{k}", "recall", value, campaign=campaign)
            for (document, campaign), row in values.items()
            for k, value in enumerate(row)
        ),
        conditions=(Condition("A", shows="heat-map"), Condition("B", shows="reference")),
    )
    modes = {(m.campaign, m.system): m for m in modes_of(corpus).modes}
    assert (modes["A", "sys"].shows, modes["B", "sys"].shows) == ("heat-map", "reference")
    assert (modes["A", "sys"].mean, modes["B", "sys"].mean) == (65.0, 45.0)
    for campaign in "AB":
        rows = [row for (_, name), row in values.items() if name == campaign]
        expected = fmean((1 + 1 / (4 * len(row))) * stdev(row) / fmean(row) for row in rows)
        assert modes[campaign, "sys"].cv == pytest.approx(expected)
    (mean,) = (r for r in modes_of(corpus).differences if r.statistic == "mean" and not r.system)
    assert (mean.left, mean.right, mean.difference, mean.documents, mean.n) == ("A", "B", 20, 2, 2)


def test_a_shift_larger_than_people_differ_is_significant():
    records = overall(campaigns(1, (40.0, 0.0, 0.0)))
    apart = {(r.left, r.right): (r.p_corrected or 1.0) < 0.05 for r in records}
    assert apart == {("A", "B"): True, ("A", "C"): True, ("B", "C"): False}
    first = records[0]
    assert first.low is not None
    assert first.high is not None
    assert first.low < 40.0 < first.high
    assert (first.compared, first.shared) == (3, 0)


def test_a_shift_that_severity_explains_is_not():
    """A test over documents alone would call nearly all of these campaigns different."""
    false = sum(
        any((r.p_corrected or 1.0) < 0.05 for r in overall(campaigns(seed))) for seed in range(60)
    )
    assert false <= 6


def test_people_who_judge_in_both_campaigns_tell_more():
    shared = overall(campaigns(3, (8.0, 0.0), severity=15.0, same_people=True))[0]
    apart = overall(campaigns(3, (8.0, 0.0), severity=15.0))[0]
    assert shared.shared == 3
    assert apart.shared == 0
    assert shared.p is not None
    assert apart.p is not None
    assert shared.p < 0.05 < apart.p


def test_the_same_three_people_who_take_campaigns_differently_are_three_people():
    """How each of them differs between the campaigns tells of others only three times."""
    false = 0
    for seed in range(60):
        own = np.random.default_rng(1000 + seed).normal(0.0, 3.0, (2, 3))
        corpus = campaigns(seed, (0.0, 0.0), same_people=True)
        ratings = tuple(
            replace(r, value=r.value + own["AB".index(r.campaign or ""), int(r.annotator[1])])
            for r in corpus.ratings
        )
        (record,) = overall(replace(corpus, ratings=ratings))
        false += record.p is not None and record.p < 0.05
    assert false <= 5


def test_spread_is_compared_only_where_many_people_judged():
    few = overall(campaigns(4, (0.0, 0.0), noise=(2.0, 12.0)), "cv")[0]
    assert few.p is None
    assert few.difference is not None
    assert few.difference < 0
    assert "too few" in (few.reason or "")
    many = overall(campaigns(4, (0.0, 0.0), people=12, noise=(2.0, 12.0), severity=0.0), "cv")[0]
    assert many.p is not None
    assert many.p < 0.05


@pytest.mark.parametrize(("people", "some"), [(1, "one annotator"), (2, "two annotators")])
def test_one_or_two_annotators_are_no_test(people: int, some: str):
    record = overall(campaigns(5, (40.0, 0.0), people=people))[0]
    assert record.p is record.low is None
    assert (record.reason or "").startswith(f"{some} judged in A")


def test_one_document_is_no_test():
    corpus = campaigns(6, (40.0, 0.0)).only(["d0"])
    assert "one document" in (overall(corpus)[0].reason or "")


def test_only_summaries_that_both_rated_are_compared():
    corpus = campaigns(7, (0.0, 0.0))
    kept = tuple(r for r in corpus.ratings if r.campaign == "A" or r.document < "d15")
    record = overall(replace(corpus, ratings=kept))[0]
    assert record.documents == len({r.document for r in kept if r.campaign == "B"})
    none = tuple(r for r in corpus.ratings if (r.campaign == "A") == (r.document < "d15"))
    (nothing,) = overall(replace(corpus, ratings=none))
    assert nothing.difference is None
    assert nothing.reason == "no summary was rated in both campaigns"


def test_other_scales_are_compared_as_shares_or_not_at_all():
    corpus = campaigns(8, (0.0, 0.0))
    small = replace(
        corpus,
        ratings=tuple(
            replace(r, value=r.value / 20) if r.campaign == "B" else r for r in corpus.ratings
        ),
    )
    (record,) = overall(small)
    assert record.difference is None
    assert "the scales are not known" in (record.reason or "")
    scales = (Condition("A", low=0, high=100), Condition("B", low=0, high=5))
    shares = modes_of(replace(small, conditions=scales)).differences
    mean, cv = (next(r for r in shares if r.statistic == name) for name in ("mean", "cv"))
    assert mean.normalised
    assert mean.difference == pytest.approx((overall(corpus)[0].difference or 0) / 100)
    assert cv.difference is None
    assert "the scales differ" in (cv.reason or "")


def test_one_campaign_has_no_modes():
    corpus = campaigns(9, (0.0,))
    assert modes_of(corpus).modes == modes_of(corpus).differences == ()
