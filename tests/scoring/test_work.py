"""One piece of work: which items each metric gets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.scoring.work import score_batch


@pytest.fixture
def batch() -> Batch:
    return Batch.of([Item("a"), Item("bb"), Item("ccc")])


def test_none_means_all_items_and_a_list_means_those(batch: Batch, watched: Callable[..., object]):
    every, some = watched(), watched()
    metrics = {"every": every.kind(), "some": some.kind()}
    done = score_batch(batch, metrics, {"every": None, "some": [2, 0]})
    assert every.summaries == ["a", "bb", "ccc"]
    assert some.summaries == ["ccc", "a"]
    assert done.values["some"].values.tolist() == [[3.0], [1.0]]
    assert done.failed == frozenset()


def test_metrics_with_the_same_items_share_one_batch_and_its_words(
    batch: Batch, watched: Callable[..., object], monkeypatch: pytest.MonkeyPatch
):
    made: list[Batch] = []
    usual = Batch.subset
    monkeypatch.setattr(
        Batch, "subset", lambda self, i: made.append(part := usual(self, i)) or part
    )
    metrics = {name: watched().kind() for name in "abc"}
    score_batch(batch, metrics, {"a": [0, 1], "b": [0, 1], "c": [2]})
    assert [len(part) for part in made] == [2, 1]
