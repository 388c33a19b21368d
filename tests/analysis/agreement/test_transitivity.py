from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.agreement.transitivity import (
    Transitivity,
    annotator_transitivity,
    majority_transitivity,
)
from gistmark.analysis.agreement.votes import VoteColumns, votes_by_dimension
from gistmark.records import Comparison

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
    found: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for (part, _), margin in margins.items():
        for three in combinations(SYSTEMS, 3):
            edges = [margin[pair] for pair in combinations(three, 2)]
            triads, circles = found[part]
            if all(edges):
                ab, ac, bc = (edge > 0 for edge in edges)
                found[part] = (triads + 1, circles + (ab == bc != ac))
            else:
                found[part] = (triads, circles)
    return found


@pytest.mark.parametrize("by_annotator", [True, False])
@given(records=comparisons)
def test_looking_at_every_triad_gives_the_same(
    by_annotator: bool, records: list[Comparison]
) -> None:
    compute = annotator_transitivity if by_annotator else majority_transitivity
    found = compute(votes_of(records))
    expected = naive(records, by_annotator=by_annotator)
    assert set(found.parts) == set(expected)
    for part, (triads, circles) in expected.items():
        check(found.parts[part].value, found.parts[part].n, triads, circles)
    check(
        found.whole.value,
        found.whole.n,
        sum(triads for triads, _ in expected.values()),
        sum(circles for _, circles in expected.values()),
    )


def check(value: float | None, n: int, triads: int, circles: int) -> None:
    assert n == triads
    assert value == (pytest.approx(1 - circles / triads) if triads else None)


def test_a_circle_and_an_order() -> None:
    """x goes round in a circle, y does not: one of two triads."""
    records = choices("AB", "BC", "CA") + choices("AB", "BC", "AC", annotator="y")
    found = annotator_transitivity(votes_of(records))
    assert (found.parts["x"].value, found.parts["y"].value, found.whole.value) == (0.0, 1.0, 0.5)
    assert (found.whole.n, found.whole.chance) == (2, 0.75)


def test_ties_of_the_majority_are_no_triads() -> None:
    records = choices("AB", "BC", "AC") + choices("BA", "BC", "AC", annotator="y")
    found = majority_transitivity(votes_of(records))
    assert undefined(found)


def test_two_systems_have_no_triads() -> None:
    votes = votes_of(choices("AB"))
    assert undefined(annotator_transitivity(votes))
    assert undefined(majority_transitivity(votes))


def undefined(found: Transitivity) -> bool:
    return found.whole.value is None and "No three systems" in str(found.whole.reason)
