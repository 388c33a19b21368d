"""Whether choices fit a line of strengths, and what the votes between two systems allow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.ranking.bradley_terry import Wins, count_wins, met_equally
from gistmark.analysis.ranking.fit import choice_fit, fit_notes
from gistmark.analysis.ranking.ranking import Ranking, rank_comparisons
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.records import ChoiceFit
from gistmark.records import Comparison

TRIALS = 100


def resampling(seed: int = 0) -> Resampling:
    return Resampling(np.random.default_rng(seed), 200)


def votes_of(wins: Mapping[str, tuple[int, int]], documents: int = 20) -> list[Comparison]:
    """Choices between the two systems of each key: so many for the first, so many for the other."""
    votes = []
    for (left, right), (won, lost) in wins.items():
        choices = np.random.default_rng(3).permutation(["left"] * won + ["right"] * lost)
        votes += [
            Comparison(f"d{k % documents}", left, right, f"a{k // documents}", "x", choice)
            for k, choice in enumerate(choices.tolist())
        ]
    return votes


def fit_of(wins: Wins, seed: int = 0) -> ChoiceFit:
    return choice_fit(
        wins, resampling(seed), by="comparisons", dimension="x", balanced=True, counts=wins.counts
    )


CIRCLE = {"ab": (51, 9), "bc": (48, 12), "ca": (48, 12)}


def test_a_line_of_choices_fits_perfectly() -> None:
    """Odds of 2 from a to b and from b to c, and of 4 from a to c, are one line."""
    record = fit_of(count_wins(votes_of({"ab": (40, 20), "bc": (40, 20), "ac": (48, 12)})))
    assert record.g2 == pytest.approx(0.0, abs=0.01)  # but for the penalty
    assert (record.df, record.n, record.fewest, record.most) == (1, 180, 60, 60)
    assert record.p is not None
    assert record.p > 0.5


def test_g_squared_of_a_circle_by_hand() -> None:
    """In a circle of 48 to 12 all strengths are equal, so 30 are expected of each:

    G² = 2 * 3 * (48 log(48 / 30) + 12 log(12 / 30)) = 2 * 3 * (22.5602 - 10.9955) = 69.388
    """
    record = fit_of(count_wins(votes_of({"ab": (48, 12), "bc": (48, 12), "ca": (48, 12)})))
    assert record.g2 == pytest.approx(69.388, abs=0.001)
    assert record.p is not None
    assert record.p < 0.001


def test_choices_on_a_line_are_rarely_said_not_to_fit() -> None:
    """Documents whose choices hang together, and pairs that meet 4 to 40 times."""
    rng = np.random.default_rng(5)
    found = 0
    for trial in range(TRIALS):
        votes = []
        for (i, j), times in zip(((0, 1), (0, 2), (1, 2), (2, 3), (0, 3)), (40, 4, 12, 20, 8),
                                 strict=True):  # fmt: skip
            liked = rng.normal(0.4 * (j - i), 0.8, size=20)
            for k in range(times):
                won = rng.random() < 1 / (1 + np.exp(-liked[k % 20]))
                choice = "left" if won else "right"
                votes.append(Comparison(f"d{k % 20}", f"s{i}", f"s{j}", f"a{k}", "x", choice))
        p = fit_of(count_wins(votes), trial).p
        found += p is not None and p < 0.05
    assert found <= stats.binom.ppf(0.99, TRIALS, 0.05)


@pytest.mark.parametrize(
    ("wins", "reason"),
    [
        ({"ab": (5, 3), "bc": (2, 6)}, "both directly and through others"),
        ({"ab": (5, 3), "cd": (2, 6)}, "never compared"),
    ],
)
def test_without_a_second_way_from_one_system_to_another_nothing_is_tested(
    wins: dict[str, tuple[int, int]], reason: str
) -> None:
    record = fit_of(count_wins(votes_of(wins)))
    assert (record.g2, record.df, record.p) == (None, None, None)
    assert reason in str(record.reason)


def significant(ranking: Ranking, method: str) -> set[str]:
    return {
        pair.left + pair.right
        for pair in ranking.pairs
        if pair.method == method and pair.p_corrected is not None and pair.p_corrected < 0.05
    }


def test_in_a_circle_no_pair_differs_against_its_own_votes() -> None:
    votes = votes_of(CIRCLE | {"ab": (255, 45)})
    ranking = rank_comparisons(votes, resampling())
    assert [rank.system for rank in ranking.ranks][:3] == ["a", "c", "b"]
    assert significant(ranking, "Bradley-Terry") == {"ab"}
    reasons = {p.left + p.right: p.reason for p in ranking.pairs if p.method == "Bradley-Terry"}
    assert reasons["ac"] == reasons["cb"] == "the votes between the two go the other way"
    assert {rank.letters for rank in ranking.ranks} == {None}
    assert any("do not fit" in note.text for note in fit_notes(ranking.fits))


def test_strengths_lead_where_strong_systems_meet_strong_ones() -> None:
    """c wins most votes, as it meets only d; a beats b, and either beats c."""
    wins = {"ab": (60, 40), "cd": (90, 10), "ac": (9, 1), "bc": (8, 2)}
    ranking = rank_comparisons(votes_of(wins), resampling())
    assert [r.system for r in ranking.ranks if r.method == "Bradley-Terry"] == ["a", "b", "c", "d"]
    assert ranking.ranks[0].method == "Bradley-Terry"
    votes = [rank for rank in ranking.ranks if rank.method == "normalised mean rank"]
    assert votes[0].system == "c"
    assert {(rank.letters, rank.cluster) for rank in votes} == {(None, None)}
    assert all("did not meet" in str(rank.reason) for rank in votes)
    pairs = [pair for pair in ranking.pairs if pair.method == "normalised mean rank"]
    assert {(pair.p, pair.low, pair.p_corrected) for pair in pairs} == {(None, None, None)}
    [note] = fit_notes(ranking.fits)
    assert "never, the most frequent 100 times" in note.text


def test_votes_lead_where_all_pairs_meet_equally_often() -> None:
    ranking = rank_comparisons(
        votes_of({"ab": (40, 20), "bc": (40, 20), "ac": (48, 12)}), resampling()
    )
    assert ranking.ranks[0].method == "normalised mean rank"
    assert ranking.fits[0].balanced
    assert not list(fit_notes(ranking.fits))


def test_pairs_that_meet_equally_often_but_about_few_documents_do_not_meet_equally() -> None:
    """a and b meet about 20 documents, a and c as often about one: b makes up a's mean rank."""
    spread, single = votes_of({"ab": (10, 10)}), votes_of({"ac": (10, 10)}, documents=1)
    assert met_equally(count_wins([*spread, *votes_of({"ac": (10, 10), "bc": (10, 10)})]))
    assert not met_equally(count_wins([*spread, *single, *votes_of({"bc": (10, 10)})]))


def test_groups_that_never_meet_have_no_order_by_votes_either() -> None:
    wins = {"ac": (90, 10), "bd": (60, 40)}
    ranking = rank_comparisons(votes_of(wins), resampling())
    assert {(rank.rank, rank.letters) for rank in ranking.ranks} == {(None, None)}
    assert ranking.pairs == ()
    [note] = fit_notes(ranking.fits)
    assert "never compared" in note.text
    assert "{a, c} and {b, d}" in note.text
