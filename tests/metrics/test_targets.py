"""Pairs of summaries and targets, and one row per item from one row per pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.options import Combination
from gistmark.metrics.targets import combine, pair_up, precision_recall_f, with_f

BATCH = Batch.of(
    [
        Item("s0", ("z", "y"), "d"),
        Item("s1", (), None),
        Item("s2", ("y", "x", "y"), "e"),
        Item("s0", ("x",), "d"),
    ]
)


class TestPairs:
    """Every summary with every target, sorted by target."""

    def test_references_make_a_pair_each(self) -> None:
        pairs = pair_up(BATCH, "references")
        result = [
            (item, BATCH.texts[summary], BATCH.texts[target])
            for item, summary, target in zip(
                pairs.items, pairs.summaries, pairs.targets, strict=True
            )
        ]
        assert sorted(result) == [
            (0, "s0", "y"),
            (0, "s0", "z"),
            (2, "s2", "x"),
            (2, "s2", "y"),
            (2, "s2", "y"),
            (3, "s0", "x"),
        ]

    def test_a_document_makes_one_pair(self) -> None:
        pairs = pair_up(BATCH, "document")
        assert sorted(pairs.items.tolist()) == [0, 2, 3]

    @pytest.mark.parametrize("against", ["references", "document"])
    def test_equal_targets_stand_together(self, against: str) -> None:
        targets = pair_up(BATCH, against).targets  # type: ignore[arg-type]
        assert (np.diff(targets) >= 0).all()

    def test_places_say_where_a_pair_stood_before_sorting(self) -> None:
        pairs = pair_up(BATCH, "references")
        ordered = np.argsort(pairs.order)
        texts = [BATCH.texts[target] for target in pairs.targets[ordered]]
        assert texts == ["z", "y", "y", "x", "y", "x"]

    def test_an_empty_batch_has_no_pairs(self) -> None:
        for against in ("references", "document"):
            assert len(pair_up(Batch.of([]), against).items) == 0  # type: ignore[arg-type]


@st.composite
def scored_batches(draw: st.DrawFn) -> tuple[Batch, dict[str, tuple[float, float, bool]]]:
    """Items with references whose two values and usability hang on the reference alone."""
    names = list("abcdef")
    groups = draw(st.lists(st.lists(st.sampled_from(names), max_size=4), min_size=1, max_size=5))
    value = st.sampled_from([0.0, 0.25, 0.5, 1.0])
    known = {name: draw(st.tuples(value, value, st.booleans())) for name in names}
    return Batch.of([Item("s", tuple(group)) for group in groups]), known


@given(
    given_batch=scored_batches(),
    how=st.sampled_from(["max", "mean", "jackknife"]),
    lower=st.booleans(),
)
def test_rows_are_combined_as_plain_python_does(
    given_batch: tuple[Batch, dict[str, tuple[float, float, bool]]],
    how: Combination,
    lower: bool,
) -> None:
    batch, known = given_batch
    pairs = pair_up(batch, "references")
    by_pair = [known[batch.texts[target]] for target in pairs.targets]
    values = np.array([row[:2] for row in by_pair]).reshape(-1, 2)
    usable = np.array([row[2] for row in by_pair], dtype=bool)
    why = np.array([f"no {batch.texts[target]}" for target in pairs.targets], dtype=str)
    result = combine(
        pairs, values, size=len(batch), usable=usable, unusable=why, how=how, lower=lower
    )
    sign = 1 if lower else -1

    def best(rows: list[tuple[float, ...]]) -> tuple[float, ...]:
        return min(rows, key=lambda row: sign * row[1])  # the first of equals

    for index, item in enumerate(batch):
        rows = [known[name][:2] for name in item.references if known[name][2]]
        if not rows:
            assert np.isnan(result.values[index]).all()
            expected = f"no {item.references[0]}" if item.references else None
            assert result.reasons[index] == (expected or "the document has no reference")
            continue
        assert index not in result.reasons
        if how == "max" or len(rows) == 1:
            wanted = np.array(best(rows))
        elif how == "mean":
            wanted = np.mean(rows, axis=0)
        else:
            left = [best(rows[:k] + rows[k + 1 :]) for k in range(len(rows))]
            wanted = np.mean(left, axis=0)
        np.testing.assert_allclose(result.values[index], wanted, rtol=0, atol=1e-15)


def test_a_reason_may_be_the_same_for_all_pairs() -> None:
    pairs = pair_up(BATCH, "document")
    result = combine(
        pairs,
        np.ones((len(pairs.items), 1)),
        size=len(BATCH),
        usable=pairs.items == 0,
        unusable="because",
    )
    assert result.reasons == {1: "the document has no text", 2: "because", 3: "because"}
    assert result.values[0].tolist() == [1.0]


class TestRatios:
    """Precision, recall and F."""

    def test_by_hand(self) -> None:
        # 2 of 4 and 2 of 8: 1/2, 1/4, F = 2 * 1/8 / (3/4) = 1/3.
        result = precision_recall_f(np.array([2.0]), np.array([4.0]), np.array([8.0]))
        assert result[0].tolist() == pytest.approx([1 / 2, 1 / 4, 1 / 3])

    def test_nothing_below_gives_zero(self) -> None:
        hits = np.array([0.0, 0.0, 0.0])
        result = precision_recall_f(hits, np.array([0.0, 3.0, 0.0]), np.array([3.0, 0.0, 0.0]))
        assert (result == 0).all()

    @given(st.floats(0, 1), st.floats(0, 1))
    def test_f_lies_between_precision_and_recall(self, precision: float, recall: float) -> None:
        p, r, f = with_f(np.array([precision]), np.array([recall]))[0]
        assert min(p, r) - 1e-12 <= f <= max(p, r) + 1e-12
