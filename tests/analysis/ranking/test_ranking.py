"""Rankings with intervals and letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import rankdata

from gistmark.analysis.data.measures import Better, MeasureName, Measures
from gistmark.analysis.human import HumanScores, dimension_means
from gistmark.analysis.ranking.ranking import (
    mean_ranks,
    normalised_ranks,
    rank_comparisons,
    rank_human,
    rank_scores,
)
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.resampling.significance import correct
from gistmark.analysis.studies.options import PairsOver
from gistmark.analysis.studies.records import Rank
from gistmark.records import Comparison, Rating


def resampling(resamples: int = 400) -> Resampling:
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


def test_means_letters_and_clusters_of_ratings() -> None:
    rng = np.random.default_rng(1)
    good, poor = rng.normal(5, 1, size=(2, 30)), rng.normal(1, 1, size=30)
    result = rank_human(dimension_means(ratings_of(poor, *good)), resampling()).ranks
    means = by_method(result, "mean")
    assert means["a"].value == pytest.approx(poor.mean())
    assert [rank.letters for rank in means.values()] == ["a", "a", "b"]
    assert [rank.cluster for rank in means.values()] == [1, 1, 2]
    assert [rank.rank for rank in means.values()] == [1.0, 2.0, 3.0]
    assert list(means)[-1] == "a"
    for rank in means.values():
        assert rank.low < rank.value < rank.high
        assert (rank.by, rank.dimension, rank.n) == ("ratings", "focus", 30)
    assert by_method(result, "normalised mean rank")["a"].cluster == 2


def test_systems_that_tie_share_rank_and_letter() -> None:
    row = [1.0, 2.0, 3.0]
    means = by_method(rank_human(dimension_means(ratings_of(row, row)), resampling()).ranks, "mean")
    assert [rank.rank for rank in means.values()] == [1.5, 1.5]
    assert [rank.letters for rank in means.values()] == ["a", "a"]


def test_few_documents_tell_nobody_apart() -> None:
    """With three documents no two-sided permutation test gets below 2 / 8."""
    means = by_method(
        rank_human(dimension_means(ratings_of([1, 1, 1], [5, 5, 5])), resampling()).ranks, "mean"
    )
    assert [rank.letters for rank in means.values()] == ["a", "a"]


def test_systems_that_no_document_links_have_no_order() -> None:
    nan = float("nan")
    ranking = rank_human(dimension_means(ratings_of([1.0, nan], [nan, 5.0])), resampling())
    assert (
        {rank.rank for rank in ranking.ranks} == {rank.letters for rank in ranking.ranks} == {None}
    )
    assert all(
        "nothing can be said about their order" in str(rank.reason) for rank in ranking.ranks
    )
    assert {r.system: r.value for r in ranking.ranks if r.method == "mean"} == {"a": 1.0, "b": 5.0}


def test_the_worst_system_on_easy_documents_is_last() -> None:
    """b is 1 worse than a and on the five easy documents alone; c is as good as a."""
    nan = float("nan")
    rng = np.random.default_rng(1)
    hard, easy = 2.0 + rng.normal(0, 0.1, 12), 5.0 + rng.normal(0, 0.1, 5)
    rows = [
        [*hard, *easy[:2], nan, nan, nan],
        [*(hard[:8] - 1.0), *[nan] * 4, *(easy - 1.0)],
        [*(hard + rng.normal(0, 0.3, 12)), *easy[:2], nan, nan, nan],
    ]
    rows[1][:5] = [nan] * 5
    ranking = rank_human(dimension_means(ratings_of(*rows)), resampling(), methods=("mean",))
    adjusted = by_method(ranking.ranks, "document-adjusted mean")
    plain = by_method(ranking.ranks, "mean")
    assert ranking.ranks[0].method == "document-adjusted mean"
    assert plain["b"].value > plain["a"].value  # type: ignore[operator]
    assert (adjusted["b"].rank, adjusted["b"].letters) == (3.0, "b")
    assert adjusted["a"].letters == adjusted["c"].letters == "a"
    assert {rank.rank for rank in plain.values()} == {None}
    assert all("different documents" in str(rank.reason) for rank in plain.values())
    assert all((pair.difference or 0) > 0 for pair in ranking.pairs if pair.right == "b")


def by_annotators(cube: NDArray[np.float64]) -> list[Rating]:
    return [
        Rating(f"d{d}", "abcd"[s], f"ann{a}", "focus", float(cube[a, d, s]))
        for a, d, s in np.argwhere(~np.isnan(cube)).tolist()
    ]


def severe(*, shared: int) -> list[Rating]:
    """Two equal systems with a strict and a mild annotator for each, and `shared` documents."""
    rng = np.random.default_rng(4)
    cube = rng.normal(0, 0.3, (2, 20, 2)) + np.array([-1.0, 1.0])[:, None, None]
    cube[0, shared:, 1] = cube[1, shared:, 0] = np.nan
    return by_annotators(cube)


def test_severity_is_taken_out_where_annotators_link_systems() -> None:
    ratings = severe(shared=4)
    ranking = rank_human(dimension_means(ratings), resampling(), ratings=ratings)
    ranks = by_method(ranking.ranks, "document- and annotator-adjusted mean")
    assert [rank.letters for rank in ranks.values()] == ["a", "a"]
    assert ranking.pairs[0].low < 0 < ranking.pairs[0].high  # type: ignore[operator]
    blind = rank_human(dimension_means(ratings), resampling())
    assert blind.pairs[0].p < 0.001  # type: ignore[operator]


def test_systems_that_no_annotator_links_are_not_tested() -> None:
    ratings = severe(shared=0)
    ranking = rank_human(dimension_means(ratings), resampling(), ratings=ratings)
    assert {rank.letters for rank in ranking.ranks} == {None}
    assert all("nobody judged both" in str(r.reason) for r in ranking.ranks if r.method == "mean")
    assert [pair.p for pair in ranking.pairs] == [None]


@pytest.mark.parametrize("over", ["documents", "both"])
def test_annotators_who_judged_alike_change_nothing(over: PairsOver) -> None:
    ratings = by_annotators(np.random.default_rng(0).normal(size=(3, 9, 3)))
    human = dimension_means(ratings)
    ranking = rank_human(human, resampling(), ratings=ratings, over=over)
    assert {rank.method for rank in ranking.ranks} == {"mean", "normalised mean rank"}
    if over == "documents":
        assert ranking == rank_human(human, resampling())


def test_a_metric_that_could_not_score_all_is_adjusted() -> None:
    """Less is better: b is worse by about 1, and has no value for seven of the eight hard ones."""
    units = tuple((f"d{d}", s) for d in range(16) for s in "ab")
    cells = np.where(np.arange(16) < 8, 10.0, 1.0)[:, None] + np.array([0.0, 1.0])
    cells += np.random.default_rng(0).normal(0, 0.1, cells.shape)
    cells[:7, 1] = np.nan
    measures = Measures(units, (MeasureName("m", "f"),), ("lower",), cells.reshape(1, -1))
    ranks = rank_scores(measures, resampling()).ranks
    adjusted, plain = by_method(ranks, ranks[0].method), by_method(ranks, "mean")
    assert ranks[0].method == "document-adjusted mean"
    assert plain["b"].value < plain["a"].value  # type: ignore[operator]
    assert [(system, r.rank, r.letters) for system, r in adjusted.items()] == [
        ("a", 1.0, "a"), ("b", 2.0, "b")
    ]  # fmt: skip


def test_a_system_that_no_document_ranks_has_a_reason() -> None:
    result = by_method(
        rank_human(dimension_means(ratings_of([1.0])), resampling()).ranks, "normalised mean rank"
    )
    assert result["a"].value is None
    assert result["a"].rank is None
    assert result["a"].letters is None
    assert "no document" in str(result["a"].reason)


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
    result = rank_comparisons(comparisons, resampling()).ranks
    for method in ("normalised mean rank", "Bradley-Terry"):
        ranks = by_method(result, method)
        assert ranks["c"].rank == 3.0
        assert ranks["c"].letters == "b"
        assert ranks["a"].letters == ranks["b"].letters == "a"
        assert ranks["a"].by == "comparisons"
        assert ranks["a"].dimension == "focus"
    assert by_method(result, "normalised mean rank")["a"].value == pytest.approx(0.75)
    assert by_method(result, "Bradley-Terry")["a"].n == 40


def test_groups_that_never_meet_are_not_ranked() -> None:
    result = rank_comparisons([*votes("d", "ab"), *votes("e", "cd")], resampling(20)).ranks
    ranks = by_method(result, "Bradley-Terry")
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
    result = rank_scores(measures, resampling()).ranks
    assert [rank.system for rank in result] == order
    assert [rank.letters for rank in result] == (
        [None, None] if better == "neither" else ["a", "b"]
    )
    assert {rank.value for rank in result} == {1.0, 2.0}
    assert result[0].dimension == "m.f"


def test_rankings_are_repeatable() -> None:
    human = dimension_means(ratings_of([1, 2, 3, 5], [2, 2, 4, 4]))
    assert rank_human(human, resampling()) == rank_human(human, resampling())


def test_neighbours_that_go_together_do_not_tie_the_ends_of_the_ranking() -> None:
    """Nine systems in small steps: neighbours cannot be told apart, the first and last can."""
    rng = np.random.default_rng(3)
    steps = np.linspace(0.0, 1.0, 9)
    units = tuple((f"d{d}", f"s{s}") for d in range(50) for s in range(9))
    values = (rng.normal(size=(50, 1)) + rng.normal(size=(50, 9)) * 0.6 + steps).reshape(1, -1)
    ranking = rank_scores(
        Measures(units, (MeasureName("m", "f"),), ("higher",), values), resampling()
    )
    first, last = ranking.ranks[0], ranking.ranks[-1]
    assert not set(str(first.letters)) & set(str(last.letters))
    assert len(ranking.pairs) == 36
    for left, right in pairwise(ranking.ranks):
        assert set(str(left.letters)) & set(str(right.letters))


def test_a_system_without_a_summary_cannot_win() -> None:
    human = dimension_means(ratings_of([1, 2, 1, 2], [5, 5, 5, 5]))
    ranking = rank_human(human, resampling(), without={"b"})
    means = by_method(ranking.ranks, "mean")
    assert means["a"].rank == 1.0
    assert (means["b"].rank, means["b"].letters) == (None, None)
    assert means["b"].value == 5.0
    assert means["b"].reason == "it has no summary in the corpus"
    assert ranking.pairs == ()


def test_pairs_of_a_system_without_a_rank_do_not_count_in_the_correction() -> None:
    rng = np.random.default_rng(5)
    rows = [rng.normal(mean, 1.0, size=12) for mean in (0.0, 0.8, 1.6)]
    human = dimension_means(ratings_of(*rows, [9.0] * 12))
    pairs = rank_human(human, resampling(), methods=("mean",), without={"d"}).pairs
    assert {system for pair in pairs for system in (pair.left, pair.right)} == set("abc")
    assert [pair.p_corrected for pair in pairs] == pytest.approx(
        correct([pair.p for pair in pairs], "holm")
    )


def human(table: NDArray[np.float64]) -> HumanScores:
    units = tuple((f"d{d}", s) for d in range(len(table)) for s in "abcd"[: table.shape[1]])
    values = table.reshape(1, -1)
    return HumanScores(units, ("focus",), values, np.ones(values.shape, np.int64))


def test_by_hand() -> None:
    """Ranks 1, 2.5, 2.5 become 1, 0.25, 0.25; ranks 3, 2, 1 become 0, 0.5, 1."""
    result = mean_ranks(human(np.array([[5.0, 3.0, 3.0], [1.0, 2.0, 3.0]])), "focus")
    assert result.systems == ("a", "b", "c")
    np.testing.assert_allclose(result.values, [0.5, 0.375, 0.625])
    assert result.n.tolist() == [2, 2, 2]


def test_a_missing_system_makes_the_document_smaller() -> None:
    """With two systems left, the better has 1 and the worse 0."""
    result = mean_ranks(human(np.array([[5.0, np.nan, 3.0], [1.0, 1.0, 1.0]])), "focus")
    np.testing.assert_allclose(result.values, [0.75, 0.5, 0.25])
    assert result.n.tolist() == [2, 1, 2]


def test_a_document_of_one_system_ranks_nobody() -> None:
    result = mean_ranks(human(np.array([[5.0, np.nan]])), "focus")
    assert np.isnan(result.values).all()
    assert result.n.tolist() == [0, 0]


def test_ranks_within_documents_are_scipys() -> None:
    cells = np.random.default_rng(0).integers(0, 4, size=(30, 5)).astype(np.float64)
    expected = (5 - rankdata(-cells, axis=1)) / 4
    np.testing.assert_allclose(normalised_ranks(cells), expected, atol=1e-12)
