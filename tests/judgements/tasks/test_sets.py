"""Which summaries are ranked together: each system equally often, pairs evenly, no set twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.corpus import Corpus
from gistmark.judgements import Protocol, items_from, protocol_from
from gistmark.judgements.tasks.sets import MOST_IN_A_SET, count_sets, design, sets_of
from gistmark.records import Document, Summary


def form(**changes: object) -> Protocol:
    blocks = [
        {"type": "show", "what": "summaries"},
        {"type": "ranking", "name": "order", "question": "Which is better?"},
    ]
    return protocol_from({"name": "r", "kind": "form", "about": "", "blocks": blocks, **changes})


def corpus(**systems: int) -> Corpus:
    """Documents with so many systems each."""
    return Corpus(
        documents=tuple(Document(name, ("A text.",)) for name in systems),
        summaries=tuple(
            Summary(name, f"s{number:02}", f"Summary {number}.")
            for name, count in systems.items()
            for number in range(count)
        ),
    )


@given(st.integers(2, 30), st.integers(2, MOST_IN_A_SET), st.integers(1, 12), st.text())
def test_each_system_is_in_as_many_sets_as_any_other_or_in_one_more(
    systems: int, size: int, per_system: int, document: str
):
    names = [f"s{number}" for number in range(systems)]
    sets = sets_of(document, names, size, per_system)
    counts = Counter(name for each in sets for name in each)
    assert set(counts) == set(names)
    assert len(set(map(frozenset, sets))) == len(sets) == count_sets(systems, size, per_system)
    most = comb(systems - 1, size - 1) if systems > size else 1
    allowed = {per_system, per_system + 1} if per_system < most else {most}
    assert set(counts.values()) <= allowed
    assert all(len(each) == min(size, systems) for each in sets)


@pytest.mark.parametrize(
    ("systems", "size", "per_system", "meetings"),
    # Balanced designs, where every pair meets r (k - 1) / (n - 1) times: the projective planes of
    # order 2 and 3, the affine plane of order 3, and two of Fisher and Yates' table.
    [(7, 3, 3, 1), (13, 4, 4, 1), (9, 3, 4, 1), (6, 3, 5, 2), (8, 4, 7, 3)],
)
def test_pairs_meet_equally_often_where_that_is_possible(
    systems: int, size: int, per_system: int, meetings: int
):
    met = Counter(
        pair for each in design(systems, size, per_system) for pair in combinations(each, 2)
    )
    assert set(met.values()) == {meetings}
    assert len(met) == comb(systems, 2)


def test_with_25_systems_hardly_a_pair_meets_more_than_once_or_never():
    """50 sets of 4 have 300 meetings, as many as there are pairs."""
    met = Counter(pair for each in design(25, 4, 8) for pair in combinations(each, 2))
    assert max(met.values()) <= 2
    assert sum(count == 1 for count in met.values()) > 240


def test_documents_have_different_sets_and_keep_them_whatever_stands_beside_them():
    protocol = form(set_size=3, sets_per_system=2)
    every = items_from(corpus(a=9, b=9), protocol).items
    assert [each for each in every if each.document == "b"] == list(
        items_from(corpus(b=9), protocol).items
    )
    sets = {name: {each.systems for each in every if each.document == name} for name in "ab"}
    assert sets["a"] != sets["b"]
    assert len({each.id for each in every}) == len(every) == 12


def test_without_a_size_all_systems_are_one_set_unless_they_are_too_many():
    result = items_from(corpus(a=4, b=11, c=1), form())
    assert [item.id for item in result.items] == ["a/s00/s01/s02/s03"]
    assert [str(each) for each in result.problems] == [
        "Document 'b' has 11 summaries to judge at once; at most 10 are allowed: give the protocol "
        "a set size (set_size).",
        "Document 'c' has nothing to compare: only one summary of it is judged.",
    ]


def test_sets_that_do_not_come_out_even_are_told():
    result = items_from(corpus(a=3, b=25, c=25, d=4, e=8), form(set_size=4, sets_per_system=2))
    assert not result.problems
    assert list(result.notes) == [
        "In 1 document with 3 summaries all are one set, which is smaller than the set size of 4.",
        "In 1 document with 4 summaries each system is in 1 set instead of 2: there are no more "
        "different sets of 4.",
        # 25 * 2 = 50 of the 13 * 4 = 52
        "In 2 documents with 25 summaries 2 of the systems are in 3 sets and the others in 2: sets "
        "of 4 do not come out even.",
    ]
