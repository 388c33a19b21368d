"""Rankings with intervals and clusters, and ratings beside comparisons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from gistmark.records import Comparison, Rating
from gistmark.study.clusters import cell_test, clusters
from gistmark.study.draws import Resampling
from gistmark.study.human import dimension_means
from gistmark.study.measures import Better, MeasureName, Measures
from gistmark.study.ranking import rank_comparisons, rank_human, rank_scores
from gistmark.study.records import Rank
from gistmark.study.sides import side_by_side


def drawn(resamples: int = 400) -> Resampling:
    return Resampling(np.random.default_rng(0), resamples)


def ratings_of(*rows: Sequence[float], dimension: str = "focus") -> list[Rating]:
    """A row per system, a column per document."""
    return [
        Rating(f"d{document}", system, "ann", dimension, value)
        for system, row in zip("abcd", rows, strict=False)
        for document, value in enumerate(row)
        if not np.isnan(value)
    ]


def by_method(ranks: Sequence[Rank], method: str) -> dict[str, Rank]:
    return {rank.system: rank for rank in ranks if rank.method == method}


def test_means_and_clusters_of_ratings() -> None:
    rng = np.random.default_rng(1)
    good, poor = rng.normal(5, 1, size=(2, 30)), rng.normal(1, 1, size=30)
    found = rank_human(dimension_means(ratings_of(poor, *good)), drawn())
    means = by_method(found, "mean")
    assert means["a"].value == pytest.approx(poor.mean())
    assert [rank.cluster for rank in means.values()] == [1, 1, 2]
    assert [rank.rank for rank in means.values()] == [1.0, 2.0, 3.0]
    assert list(means)[-1] == "a"
    for rank in means.values():
        assert rank.low < rank.value < rank.high
        assert (rank.by, rank.dimension, rank.n) == ("ratings", "focus", 30)
    assert by_method(found, "normalised mean rank")["a"].cluster == 2


def test_systems_that_tie_share_rank_and_cluster() -> None:
    row = [1.0, 2.0, 3.0]
    means = by_method(rank_human(dimension_means(ratings_of(row, row)), drawn()), "mean")
    assert [rank.rank for rank in means.values()] == [1.5, 1.5]
    assert [rank.cluster for rank in means.values()] == [1, 1]


def test_few_documents_tell_nobody_apart() -> None:
    """With three documents no two-sided permutation test gets below 2 / 8."""
    means = by_method(
        rank_human(dimension_means(ratings_of([1, 1, 1], [5, 5, 5])), drawn()), "mean"
    )
    assert [rank.cluster for rank in means.values()] == [1, 1]


def test_systems_without_a_common_document_are_not_told_apart() -> None:
    nan = float("nan")
    means = by_method(
        rank_human(dimension_means(ratings_of([1.0, nan], [nan, 5.0])), drawn()), "mean"
    )
    assert [rank.cluster for rank in means.values()] == [1, 1]


def test_a_system_that_no_document_ranks_has_a_reason() -> None:
    found = by_method(
        rank_human(dimension_means(ratings_of([1.0])), drawn()), "normalised mean rank"
    )
    assert found["a"].value is None
    assert found["a"].rank is None
    assert found["a"].cluster is None
    assert "no document" in str(found["a"].reason)


def test_neighbours_are_corrected_together() -> None:
    """p = 0.03 for each of two neighbours is 0.06 after Holm, so nobody is told apart."""
    assert clusters(np.array([3.0, 2.0, 1.0]), lambda one, other: 0.03) == [1, 1, 1]
    assert clusters(np.array([1.0, 2.0, 3.0]), lambda one, other: 0.01) == [3, 2, 1]
    assert clusters(np.array([1.0, np.nan]), lambda one, other: 0.01) == [1, None]
    assert clusters(np.empty(0), lambda one, other: 0.01) == []


def test_the_permutation_test_of_means_has_the_right_size() -> None:
    """All 2^4 signs: |mean| is as large as that of (1, 2, 3, 4) in 2 of 16 cases."""
    cells = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]])
    test = cell_test(cells, Resampling(np.random.default_rng(0), 20_000))
    assert test(0, 1) == pytest.approx(2 / 16, abs=0.01)


def votes(document: str, order: str, times: int = 1, dimension: str = "focus") -> list[Comparison]:
    """Everyone earlier in the order wins against everyone later."""
    return [
        Comparison(document, order[i], order[j], f"ann{k}", dimension, "left")
        for k in range(times)
        for i in range(len(order))
        for j in range(i + 1, len(order))
    ]


def test_comparisons_rank_by_votes_and_by_strength() -> None:
    comparisons = [vote for d in range(20) for vote in votes(str(d), "abc" if d % 2 else "bac")]
    found = rank_comparisons(comparisons, drawn())
    for method in ("normalised mean rank", "Bradley-Terry"):
        ranks = by_method(found, method)
        assert ranks["c"].rank == 3.0
        assert ranks["c"].cluster == 2
        assert ranks["a"].cluster == ranks["b"].cluster == 1
        assert ranks["a"].by == "comparisons"
        assert ranks["a"].dimension == "focus"
    assert by_method(found, "normalised mean rank")["a"].value == pytest.approx(0.75)
    assert by_method(found, "Bradley-Terry")["a"].n == 40


def test_groups_that_never_meet_are_not_ranked() -> None:
    found = rank_comparisons([*votes("d", "ab"), *votes("e", "cd")], drawn(20))
    ranks = by_method(found, "Bradley-Terry")
    assert {rank.rank for rank in ranks.values()} == {None}
    assert all("never compared" in str(rank.reason) for rank in ranks.values())
    assert all(rank.value is not None for rank in ranks.values())


@pytest.mark.parametrize(
    ("better", "order"), [("higher", ["b", "a"]), ("lower", ["a", "b"]), ("neither", ["a", "b"])]
)
def test_scores_rank_in_the_direction_of_the_metric(better: Better, order: list[str]) -> None:
    units = tuple((f"d{d}", s) for d in range(12) for s in "ab")
    values = np.array([[1.0, 2.0] * 12])
    measures = Measures(units, (MeasureName("m", "f"),), (better,), values)
    found = rank_scores(measures, drawn())
    assert [rank.system for rank in found] == order
    assert [rank.cluster for rank in found] == ([None, None] if better == "neither" else [1, 2])
    assert {rank.value for rank in found} == {1.0, 2.0}
    assert found[0].dimension == "m.f"


def test_rankings_are_repeatable() -> None:
    human = dimension_means(ratings_of([1, 2, 3, 5], [2, 2, 4, 4]))
    assert rank_human(human, drawn()) == rank_human(human, drawn())


def test_ratings_and_comparisons_side_by_side() -> None:
    ratings = ratings_of([5, 4], [3, 3], [1, 2], dimension="Focus")
    comparisons = [*votes("d0", "abd"), *votes("d1", "bad")]
    (found,) = side_by_side(ratings, comparisons)
    sides = {side.system: side for side in found.sides}
    assert found.dimension == "Focus"
    assert sides["a"].ratings == 1.0
    assert sides["a"].comparisons == pytest.approx(0.75)
    assert sides["c"].comparisons is None
    assert sides["c"].ratings_rank is None
    assert sides["a"].ratings_rank == 1.0
    assert sides["a"].comparisons_rank == 1.5
    assert found.n == 2
    assert found.reason == "fewer than 3 pairs of values"
    assert side_by_side(ratings, []) == ()


def test_equal_rankings_agree_fully() -> None:
    (found,) = side_by_side(ratings_of([3], [2], [1]), votes("d0", "abc"))
    assert found.tau == pytest.approx(1.0)
