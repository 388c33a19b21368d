"""Systems on the dashboard: letters, clusters, what is folded, and which pairs are shown."""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations
from typing import Any

import pytest

from gistmark.analysis.studies.records import Finding, Pair, Rank
from gistmark.errors import UsageError
from gistmark.judgements import get_protocol
from gistmark.web.results.statistics.rankings import (
    Pairs,
    RankingTable,
    choose_pairs,
    ranking_tables,
)
from gistmark.web.results.statistics.study import StudyResults


def ranked(number: int, dimension: str = "overall", **changes: Any) -> dict[str, Any]:
    record = Rank(
        by="ratings", dimension=dimension, method="mean", system=f"s{number}", value=3.0, low=2.0,
        high=4.0, rank=float(number), letters="a", cluster=1, n=9,
    )  # fmt: skip
    return asdict(record) | changes


def pair(left: int, right: int, dimension: str = "overall") -> dict[str, Any]:
    record = Pair(
        by="ratings", dimension=dimension, method="mean", left=f"s{left}", right=f"s{right}",
        difference=0.5, low=0.1, high=0.9, p=0.01, p_corrected=0.02, effect=1.0, wins=0.7,
        test="sign flips over documents", n=9,
    )  # fmt: skip
    return asdict(record)


def tables(
    *records: dict[str, Any], about: str = "overall", pairs: tuple[dict[str, Any], ...] = ()
) -> list[RankingTable]:
    finding = asdict(Finding("systems", "s1 is best.", "", by="ratings", dimension=about))
    results = StudyResults([finding], [], [], list(records), list(pairs), {}, {})
    return ranking_tables(results, get_protocol("overall"))


def test_a_line_stands_below_the_last_system_of_a_cluster_only():
    (table,) = tables(
        ranked(1), ranked(2), ranked(3, cluster=2, letters="b"),
        ranked(4, rank=None, cluster=None, letters=None, reason="it has no summary"),
    )  # fmt: skip
    assert [each.ends_cluster for each in table.systems] == [False, True, False, False]
    assert [each.letters for each in table.systems] == ["a", "a", "b", ""]
    assert [each.reason for each in table.systems] == [None, None, None, "it has no summary"]
    assert (table.ranked, table.has_lines, table.remark) == (3, True, None)


def test_long_runs_of_letters_are_cut_short():
    (table,) = tables(ranked(1, letters="abcdefh"), ranked(2))
    assert table.systems[0].letters == "a–fh"


def test_a_reason_that_all_systems_share_is_said_once():
    reason = "there are too many groups"
    (table,) = tables(*(ranked(number, letters=None, reason=reason) for number in (1, 2)))
    assert table.remark == reason
    assert [each.reason for each in table.systems] == [None, None]
    assert not table.has_letters


def test_with_many_systems_only_what_the_findings_speak_of_is_open_and_first():
    many = [ranked(number, name) for name in ("fluency", "overall") for number in range(1, 26)]
    leading, other = tables(*many, pairs=(pair(1, 2),))
    assert (leading.dimension, leading.is_open, leading.pairs) == ("overall", True, ())
    assert (other.dimension, other.is_open) == ("fluency", False)


def test_with_few_systems_everything_is_open_and_has_its_pairs():
    few = [ranked(number, name) for name in ("fluency", "overall") for number in (1, 2)]
    leading, other = tables(*few, pairs=(pair(1, 2), pair(1, 2, "fluency")))
    assert (leading.is_open, leading.pairs) == (True, (pair(1, 2),))
    assert (other.is_open, other.pairs) == (True, (pair(1, 2, "fluency"),))


def test_the_interval_is_placed_on_the_scale_of_the_protocol():
    (table,) = tables(ranked(1))
    (one,) = table.systems
    assert (table.low, table.high) == (0.0, 4.0)
    assert (one.left, one.centre, one.right) == (50.0, 75.0, 100.0)  # 2, 3 and 4 of 0 to 4


def pairs_of(
    systems: int, dimension: str = "overall", method: str = "mean"
) -> list[dict[str, Any]]:
    names = [f"s{number}" for number in range(1, systems + 1)]
    shared = {"dimension": dimension, "method": method, "test": "sign flips over documents"}
    return [{**shared, "left": a, "right": b} for a, b in combinations(names, 2)]


def chosen(*arguments: Any) -> Pairs:
    result = choose_pairs(*arguments)
    assert result is not None
    return result


def test_all_pairs_of_ten_systems_are_shown_and_can_be_narrowed():
    every = chosen(pairs_of(10))
    assert (len(every.records), every.total, every.system) == (45, 45, "")
    one = chosen(pairs_of(10), "", "s4")
    assert [(p["left"], p["right"]) for p in one.records][:4] == [
        ("s1", "s4"), ("s2", "s4"), ("s3", "s4"), ("s4", "s5"),
    ]  # fmt: skip
    assert (len(one.records), one.may_show_all) == (9, True)


def test_of_more_systems_those_of_the_best_are_shown_first():
    result = chosen(pairs_of(25))
    assert (len(result.records), result.total) == (24, 300)
    assert (result.system, result.may_show_all) == ("s1", False)
    assert result.systems == tuple(f"s{number}" for number in range(1, 26))


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
