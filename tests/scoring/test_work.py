"""One piece of work: which items each metric gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.runtime.cancellation import Cancellation, Cancelled
from gistmark.scoring.work import score_batch


@pytest.fixture
def batch() -> Batch:
    return Batch.of([Item("a"), Item("bb"), Item("ccc")])


def test_none_means_all_items_and_a_list_means_those(batch: Batch, watched: Callable[..., Any]):
    every, some = watched(), watched()
    metrics = {"every": every.kind(), "some": some.kind()}
    (done,) = score_batch(batch, metrics, {"every": None, "some": [0, 2]})
    assert every.summaries == ["a", "bb", "ccc"]
    assert some.summaries == ["a", "ccc"]
    assert done.values["some"].values.tolist() == [[1.0], [3.0]]
    assert done.computed == {"every": [0, 1, 2], "some": [0, 2]}
    assert done.rows == range(3)
    assert done.failed == frozenset()


def test_metrics_with_the_same_items_share_one_batch_and_its_words(
    batch: Batch, watched: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    made: list[Batch] = []
    usual = Batch.subset
    monkeypatch.setattr(
        Batch, "subset", lambda self, i: made.append(part := usual(self, i)) or part
    )
    metrics = {name: watched().kind() for name in "abc"}
    list(score_batch(batch, metrics, {"a": [0, 1], "b": [0, 1], "c": [2]}))
    assert [len(part) for part in made] == [2, 1]


def test_the_slowest_metric_says_how_many_rows_are_scored_at_a_time(
    batch: Batch, watched: Callable[..., Any]
):
    quick, slow = watched(), watched()
    slow.kind.block_size = 2
    metrics = {"quick": quick.kind(), "slow": slow.kind()}
    first, second = score_batch(batch, metrics, {"quick": [1, 2], "slow": None})
    assert (first.rows, second.rows) == (range(2), range(2, 3))
    assert first.computed == {"quick": [1], "slow": [0, 1]}
    assert second.computed == {"quick": [0], "slow": [0]}
    assert second.values["slow"].values.tolist() == [[3.0]]
    assert (quick.calls, slow.calls) == (2, 2)


def test_a_metric_is_not_called_for_rows_of_which_it_has_nothing_to_do(
    batch: Batch, watched: Callable[..., Any]
):
    slow = watched()
    slow.kind.block_size = 1
    done = list(score_batch(batch, {"slow": slow.kind()}, {"slow": [2]}))
    assert [len(each.values["slow"].values) for each in done] == [0, 0, 1]
    assert slow.calls == 1


def test_rows_of_a_batch_share_what_the_batch_has_made():
    items = [Item("a", ("r", "s"), "d"), Item("b", (), "d"), Item("c", ("t",), "e")]
    whole = Batch.of(items)
    made = whole.memo("key", lambda: ["made once"])
    part = whole.rows(1, 3)
    assert list(part) == items[1:]
    assert part.memo("key", lambda: ["made again"]) is made


def test_a_cancelled_run_scores_no_further_rows(batch: Batch, watched: Callable[..., Any]):
    slow, cancellation = watched(), Cancellation()
    slow.kind.block_size = 1
    rows = score_batch(batch, {"slow": slow.kind()}, {"slow": None})
    with cancellation.followed():
        next(rows)
        cancellation.cancel()
        with pytest.raises(Cancelled):
            next(rows)
    assert slow.summaries == ["a"]
