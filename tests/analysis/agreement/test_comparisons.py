"""Agreement on comparisons: majorities, alpha, transitivity, and the columns of votes."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from math import comb

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.coefficients.intervals import with_interval
from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.agreement.comparisons import (
    Transitivity,
    annotator_transitivity,
    chance_agreement,
    majority_transitivity,
    pairwise_agreement,
    symmetric_alpha,
)
from gistmark.analysis.data.columns import Float64, Int64, VoteColumns, votes_by_dimension
from gistmark.records import Comparison

votes = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12)


def sides(pairs: list[tuple[int, int]]) -> tuple[Int64, Int64]:
    return np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])


def ballots(first: Int64, second: Int64) -> tuple[Int64, Float64]:
    """One vote after the other: the pair, and whether its first won."""
    units = np.repeat(np.arange(len(first)), first + second)
    rows = [[1.0] * a + [0.0] * b for a, b in zip(first, second, strict=True)]
    return units, np.array([value for row in rows for value in row])


def test_agreement_worked_by_hand() -> None:
    """Votes 5:2, 1:1 and 3:0; the pair with one vote does not count. (5/7 + 1/2 + 1) / 3."""
    result = pairwise_agreement(np.array([5, 1, 0, 1]), np.array([2, 1, 3, 0]))
    assert result.value == pytest.approx((5 / 7 + 1 / 2 + 1) / 3)
    assert result.n == 3
    assert result.chance == pytest.approx((0.65625 + 0.75 + 0.75) / 3)


@pytest.mark.parametrize("m", range(1, 40))
def test_chance_is_the_mean_over_all_coin_flips(m: int) -> None:
    expected = sum(comb(m, a) * max(a, m - a) for a in range(m + 1)) / (m * 2**m)
    assert chance_agreement(np.array([m])) == pytest.approx(expected, abs=1e-12)


def test_seven_coin_flips_agree_more_than_four_to_three() -> None:
    assert chance_agreement(np.full(10, 7)) == 0.65625


def test_no_pair_with_two_votes_is_undefined() -> None:
    for first, second in (([], []), ([1, 0], [0, 1])):
        counts = np.array(first, np.int64), np.array(second, np.int64)
        for result in (pairwise_agreement(*counts), symmetric_alpha(*counts)):
            assert result.value is None
            assert result.reason == "No pair has two votes."


@given(pairs=votes)
def test_stored_alpha_is_that_of_the_package(pairs: list[tuple[int, int]]) -> None:
    first, second = sides(pairs)
    units, values = ballots(first, second)
    result = alpha(units, values, "nominal")
    good = first + second >= 2
    if not good.any() or first[good].sum() == 0 or second[good].sum() == 0:
        assert result.value is None
        assert result.reason
    else:
        expected = krippendorff.alpha(
            value_counts=np.stack([first, second], axis=1), level_of_measurement="nominal"
        )
        assert result.value == pytest.approx(expected, abs=1e-9)


@given(pairs=votes)
def test_symmetric_alpha_counts_every_pair_in_both_orientations(
    pairs: list[tuple[int, int]],
) -> None:
    first, second = sides(pairs)
    units, values = ballots(first, second)
    mirrored = alpha(
        np.concatenate([units, units + len(first)]), np.concatenate([values, 1 - values]), "nominal"
    )
    result = symmetric_alpha(first, second)
    if mirrored.value is None:
        assert result.value is None
    else:
        assert result.value == pytest.approx(mirrored.value, abs=1e-9)


@given(pairs=votes, turn=st.lists(st.booleans(), min_size=12, max_size=12))
def test_symmetric_alpha_does_not_depend_on_orientation(
    pairs: list[tuple[int, int]], turn: list[bool]
) -> None:
    turned = [(b, a) if flip else (a, b) for (a, b), flip in zip(pairs, turn, strict=False)]
    plain, other = symmetric_alpha(*sides(pairs)), symmetric_alpha(*sides(turned))
    if plain.value is None:
        assert other.value is None
    else:
        assert other.value == pytest.approx(plain.value, abs=1e-12)


def test_stored_alpha_does_depend_on_orientation() -> None:
    """All votes agree, but where the better one always stands first, nothing seems to vary."""
    units = np.array([0, 0, 1, 1])
    same = alpha(units, np.array([1.0, 1.0, 1.0, 1.0]), "nominal")
    turned = alpha(units, np.array([1.0, 1.0, 0.0, 0.0]), "nominal")
    assert same.value is None
    assert turned.value == 1.0
    assert symmetric_alpha(np.array([2, 2]), np.array([0, 0])).value == 1.0


SYSTEMS = "ABCDE"

comparisons = st.lists(
    st.builds(
        lambda document, pair, annotator, choice: Comparison(
            document, pair[0], pair[1], annotator, "d", choice
        ),
        st.sampled_from("12"),
        st.permutations(SYSTEMS).map(lambda order: order[:2]),
        st.sampled_from("xyz"),
        st.sampled_from(["left", "right"]),
    ),
    min_size=1,
    max_size=60,
)


def choices(*winners: str, annotator: str = "x", document: str = "1") -> list[Comparison]:
    """`AB` is: A was preferred to B."""
    return [Comparison(document, won, lost, annotator, "d", "left") for won, lost in winners]


def votes_of(records: list[Comparison]) -> VoteColumns:
    return votes_by_dimension(records)["d"]


def naive(records: list[Comparison], *, by_annotator: bool) -> dict[str, tuple[int, int]]:
    """Triads and circles of each part, by looking at every three systems."""
    margins: dict[tuple[str, str], dict[tuple[str, str], int]] = defaultdict(
        lambda: defaultdict(int)
    )
    for record in records:
        group = (record.annotator if by_annotator else record.document, record.document)
        margins[group][record.winner, record.loser] += 1
        margins[group][record.loser, record.winner] -= 1
    result: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for (part, _), margin in margins.items():
        for three in combinations(SYSTEMS, 3):
            edges = [margin[pair] for pair in combinations(three, 2)]
            triads, circles = result[part]
            if all(edges):
                ab, ac, bc = (edge > 0 for edge in edges)
                result[part] = (triads + 1, circles + (ab == bc != ac))
            else:
                result[part] = (triads, circles)
    return result


@pytest.mark.parametrize("by_annotator", [True, False])
@given(records=comparisons)
def test_looking_at_every_triad_gives_the_same(
    by_annotator: bool, records: list[Comparison]
) -> None:
    compute = annotator_transitivity if by_annotator else majority_transitivity
    result = compute(votes_of(records))
    expected = naive(records, by_annotator=by_annotator)
    assert set(result.parts) == set(expected)
    for part, (triads, circles) in expected.items():
        check(result.parts[part].value, result.parts[part].n, triads, circles)
    check(
        result.whole.value,
        result.whole.n,
        sum(triads for triads, _ in expected.values()),
        sum(circles for _, circles in expected.values()),
    )


def check(value: float | None, n: int, triads: int, circles: int) -> None:
    assert n == triads
    assert value == (pytest.approx(1 - circles / triads) if triads else None)


def test_a_circle_and_an_order() -> None:
    """x goes round in a circle, y does not: one of two triads."""
    records = choices("AB", "BC", "CA") + choices("AB", "BC", "AC", annotator="y")
    result = annotator_transitivity(votes_of(records))
    assert (result.parts["x"].value, result.parts["y"].value, result.whole.value) == (0.0, 1.0, 0.5)
    assert (result.whole.n, result.whole.chance) == (2, 0.75)


def test_ties_of_the_majority_are_no_triads() -> None:
    records = choices("AB", "BC", "AC") + choices("BA", "BC", "AC", annotator="y")
    result = majority_transitivity(votes_of(records))
    assert undefined(result)


def test_two_systems_have_no_triads() -> None:
    votes = votes_of(choices("AB"))
    assert undefined(annotator_transitivity(votes))
    assert undefined(majority_transitivity(votes))


def undefined(actual: Transitivity) -> bool:
    return actual.whole.value is None and "No three systems" in str(actual.whole.reason)


def test_votes_shown_the_other_way_round_are_turned() -> None:
    """Both prefer A: once it stands left, once right."""
    votes = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "d", "left"),
            Comparison("1", "B", "A", "y", "d", "right"),
            Comparison("2", "B", "A", "x", "d", "left"),
        ]
    )["d"]
    assert votes.pairs.tolist() == [0, 0, 1]
    assert votes.values.tolist() == [1.0, 1.0, 1.0]
    assert votes.left.tolist() == [1.0, 0.0, 1.0]
    assert [each.tolist() for each in votes.counts] == [[2, 1], [0, 0], [0, 0]]
    assert [votes.system_names[position] for position in votes.pair_first] == ["A", "B"]
    assert len(votes) == 3


def test_dimensions_stay_apart_and_in_order() -> None:
    result = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "fluency", "left"),
            Comparison("1", "A", "B", "x", "clarity", "right"),
        ]
    )
    assert list(result) == ["fluency", "clarity"]
    assert votes_by_dimension([]) == {}


TIED = [
    Comparison("1", "A", "B", "x", "d", "left"),
    Comparison("1", "B", "A", "y", "d", "tie"),
    Comparison("2", "A", "B", "x", "d", "left"),
    Comparison("2", "B", "A", "y", "d", "right"),
]
"""Of the first pair, a vote for A and a tie; of the second, two votes for A."""


def test_a_tie_is_a_third_choice() -> None:
    """Shares of the majority: 1/2 and 1. With P(tie) = 1/4, two votes give a majority of
    9/16 * 1.5 + 6/16 * 1 + 1/16 * 2 = 21.5/16 votes of 2 by chance."""
    votes = votes_by_dimension(TIED)["d"]
    assert [count.tolist() for count in votes.counts] == [[1, 2], [0, 0], [1, 0]]
    result = pairwise_agreement(*votes.counts)
    assert (result.value, result.n) == (0.75, 2)
    assert result.chance == pytest.approx(21.5 / 32)


def test_symmetric_alpha_with_ties_is_alpha_of_both_orientations() -> None:
    """Values in both orientations: A 3, B 3, tie 2; D = 2 + 2; alpha = 1 - 7 * 4 / 42."""
    votes = votes_by_dimension(TIED)["d"]
    result = symmetric_alpha(*votes.counts)
    assert result.value == pytest.approx(1 / 3)
    both = np.concatenate([votes.values, 1 - votes.values])
    units = np.concatenate([votes.pairs, votes.pairs + 2])
    assert result.value == pytest.approx(alpha(units, both, "nominal").value)
    only = symmetric_alpha(*(np.array([n]) for n in (0, 0, 3)))
    assert (only.value, only.reason) == (None, "All votes are ties.")


def test_a_tie_makes_no_triad() -> None:
    votes = votes_by_dimension(
        [
            Comparison("1", "A", "B", "x", "d", "left"),
            Comparison("1", "B", "C", "x", "d", "left"),
            Comparison("1", "A", "C", "x", "d", "tie"),
        ]
    )["d"]
    assert annotator_transitivity(votes).whole.n == 0


def test_the_interval_of_transitivity_is_over_documents() -> None:
    """One circle in document 1, none in 2 and 3: without these, 1, 1/2 and 1/2; 2/3 with all."""
    circle, line = ("AB", "BC", "CA"), ("AB", "BC", "AC")
    records = [
        *choices(*circle, document="1"), *choices(*line, document="2"),
        *choices(*line, document="3"),
    ]  # fmt: skip
    whole = annotator_transitivity(votes_of(records)).whole
    assert (whole.value, whole.n, whole.documents) == (pytest.approx(2 / 3), 3, 3)
    expected = with_interval(Statistic(2 / 3, 3), np.array([1.0, 1 / 2, 1 / 2]), documents=3)
    assert whole.high == pytest.approx(expected.high)
    assert whole.low == 0.0 > (expected.low or 0.0)
