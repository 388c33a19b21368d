"""Which pairs of systems a reader gets to see at once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from gistmark.errors import UsageError
from gistmark.web.results.rankings import Pairs, choose_pairs


def pairs_of(
    systems: int, dimension: str = "overall", method: str = "mean"
) -> list[dict[str, Any]]:
    names = [f"s{number}" for number in range(1, systems + 1)]
    shared = {"dimension": dimension, "method": method, "test": "sign flips over documents"}
    return [{**shared, "left": a, "right": b} for a, b in combinations(names, 2)]


def chosen(*arguments: Any) -> Pairs:
    found = choose_pairs(*arguments)
    assert found is not None
    return found


def test_all_pairs_of_ten_systems_are_shown_and_can_be_narrowed():
    every = chosen(pairs_of(10))
    assert (len(every.records), every.total, every.system) == (45, 45, "")
    one = chosen(pairs_of(10), "", "s4")
    assert [(p["left"], p["right"]) for p in one.records][:4] == [
        ("s1", "s4"), ("s2", "s4"), ("s3", "s4"), ("s4", "s5"),
    ]  # fmt: skip
    assert (len(one.records), one.may_show_all) == (9, True)


def test_of_more_systems_those_of_the_best_are_shown_first():
    found = chosen(pairs_of(25))
    assert (len(found.records), found.total) == (24, 300)
    assert (found.system, found.may_show_all) == ("s1", False)
    assert found.systems == tuple(f"s{number}" for number in range(1, 26))


def test_a_ranking_is_chosen_by_its_name():
    records = [*pairs_of(2), *pairs_of(3, "fluency"), *pairs_of(4, "fluency", "mean rank")]
    assert chosen(records).rankings == ("overall (mean)", "fluency (mean)", "fluency (mean rank)")
    assert chosen(records).total == 1
    assert chosen(records, "fluency (mean rank)").total == 6


def test_what_is_not_there_is_named_with_what_is():
    with pytest.raises(UsageError, match=r"no ranking 'x'\. Known: overall \(mean\)\."):
        choose_pairs(pairs_of(2), "x")
    with pytest.raises(UsageError, match=r"no system 'x'\. Known: s1, s2\."):
        choose_pairs(pairs_of(2), "", "x")


def test_without_pairs_there_is_nothing_to_choose():
    assert choose_pairs([]) is None
