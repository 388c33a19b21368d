"""The power of pairwise choices against simulated studies, and pilots of choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit

from gistmark.analysis.planning import ChoiceSpread, plan
from gistmark.analysis.planning.choices import _statistics, choice_power
from gistmark.analysis.planning.pilots import ChoicePilot
from gistmark.analysis.ranking.bradley_terry import Wins
from gistmark.analysis.ranking.pairs import cell_contest, strength_contest
from gistmark.analysis.ranking.ranking import normalised_ranks
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Comparison


def choices(
    rng: np.random.Generator, documents: int, annotators: int, systems: int, gap: float,
    *, summary: float = 0.0, favour: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """Documents × annotators × systems × systems of wins; the first two systems are `gap` apart.

    A summary is better by a normal amount than its system, and an annotator favours systems.
    """
    strengths = np.zeros(systems)
    strengths[:2] = gap / 2, -gap / 2
    own = strengths + rng.normal(0, summary, (documents, 1, systems))
    own = own + rng.normal(0, favour, (1, annotators, systems))
    chances = expit(own[..., :, None] - own[..., None, :])
    upper = np.triu(rng.random(chances.shape) < chances, 1)
    lower = np.tril(~np.swapaxes(upper, -1, -2), -1)
    return upper + lower


def found(wins: np.ndarray, rng: np.random.Generator) -> tuple[bool, bool]:
    """Whether a study finds the first system better than the second, by ranks and by strengths.

    As if no other pair differed: p times the number of pairs is below 5 %.
    """
    tables = wins.sum(axis=1).astype(float)
    documents, systems = (tuple(map(str, range(size))) for size in tables.shape[:2])
    cells = normalised_ranks(tables.sum(axis=2))[:, :2]
    contests = (
        cell_contest(cells, 1.0, Resampling(rng)),
        strength_contest(Wins(documents, systems, tables), Resampling(rng)),
    )
    pairs = len(systems) * (len(systems) - 1) / 2
    return tuple(c.tests.p[0] * pairs < 0.05 and c.differences[0] > 0 for c in contests)


@pytest.mark.parametrize(
    ("documents", "annotators", "systems", "summary", "gap"),
    [(40, 2, 2, 0.0, 0.6), (12, 3, 4, 0.0, 1.0), (25, 2, 4, 0.0, 0.8), (40, 4, 2, 1.0, 0.6)],
)
def test_power_is_that_of_the_tests_of_simulated_studies(
    documents: int, annotators: int, systems: int, summary: float, gap: float
):
    rng = np.random.default_rng(5)
    many = choices(rng, 40_000, 2, 2, gap, summary=summary)[..., 0, 1].astype(float)
    share, total = many.mean(), many.var()
    document = np.mean((many[:, 0] - share) * (many[:, 1] - share)) / total
    hits = [
        found(choices(rng, documents, annotators, systems, gap, summary=summary), rng)
        for _ in range(400)
    ]
    spread = ChoiceSpread(document=max(float(document), 0.0) if summary else 0.0)
    expected = choice_power(spread, float(share), documents, annotators, systems).power
    # 400 studies have a standard error of at most 2.5 %; contributions are only nearly normal.
    assert expected == pytest.approx(np.mean(hits, axis=0).min(), abs=0.06)


def test_majorities_count_less_than_votes():
    # Of three annotators 0.648 prefer what 0.6 of them do, which is 0.31 standard deviations from a
    # half. Strengths move with log odds: 0.4055 over sqrt(0.24 / 3) / 0.24 are 0.344. Two systems
    # are ranked by the majority of a document, so the power is that of 0.31.
    majority, votes = 0.148 / np.sqrt(0.648 * 0.352), 0.4055 * 0.24 / np.sqrt(0.24 / 3)
    ranks, strengths = _statistics(ChoiceSpread(), 0.6, 3, 2, 0)
    assert ranks.mean / ranks.deviation == pytest.approx(majority, rel=0.02)
    assert strengths.mean / strengths.deviation == pytest.approx(votes, rel=0.02)


def test_annotators_who_favour_systems_cost_power():
    alike = ChoiceSpread(document=0.1)
    favoured = replace(alike, annotator=0.1)
    same, mixed = (choice_power(s, 0.65, 100, 4, 3).power for s in (alike, favoured))
    assert mixed < same - 0.1
    # One side of 5 %, divided among 3 pairs.
    assert choice_power(alike, 0.5 + 1e-9, 100, 4, 3).power == pytest.approx(0.05 / 6, abs=3e-3)
    with pytest.raises(UsageError, match="tests pairwise choices over documents only"):
        plan(share=0.6, over="both")


def test_a_share_that_ties_do_not_leave_is_refused():
    with pytest.raises(UsageError, match=r"Where 50 % .* no system can win 80 % of them"):
        plan(share=0.8, spread=ChoiceSpread(ties=0.5))
    few, many = (choice_power(ChoiceSpread(ties=ties), 0.6, 40, 2, 2).power for ties in (0.0, 0.5))
    assert many > few + 0.1  # the same share of votes, with less chance


def corpus(wins: np.ndarray) -> Corpus:
    documents, annotators, systems, _ = wins.shape
    return Corpus(
        comparisons=tuple(
            Comparison(f"d{d}", f"s{i}", f"s{j}", f"a{a}", "overall",
                       "left" if wins[d, a, i, j] else "right")
            for d in range(documents) for a in range(annotators)
            for i in range(systems) for j in range(i + 1, systems)
        )
    )  # fmt: skip


def test_a_pilot_says_how_far_choices_hang_together():
    rng = np.random.default_rng(8)
    plain = ChoicePilot(corpus(choices(rng, 60, 8, 3, 0.8)), None).spread
    assert plain.document == pytest.approx(0.0, abs=0.03)
    assert plain.annotator == pytest.approx(0.0, abs=0.03)
    alike = ChoicePilot(corpus(choices(rng, 60, 8, 3, 0.8, summary=1.0, favour=0.7)), None)
    assert 0.05 < alike.spread.document < 0.4
    assert 0.05 < alike.spread.annotator < 0.4
    assert alike.positions[0] > alike.positions[-1]
    result = plan(corpus(choices(rng, 60, 8, 3, 0.8)), share=0.6, seconds=20, rate=12)
    assert result.best is not None
    assert result.best.judgements == 3 * result.best.documents * result.best.annotators
    assert "choices between 3 systems" in result.sentence


def test_pilots_and_shares_that_cannot_be_planned_from_get_a_sentence():
    rng = np.random.default_rng(9)
    whole = corpus(choices(rng, 10, 2, 4, 0.5))
    with pytest.raises(UsageError, match="choices about 'overall' are too few"):
        plan(replace(whole, comparisons=whole.comparisons[:5]), share=0.6)
    apart = tuple(c for c in whole.comparisons if (c.left, c.right) in (("s0", "s1"), ("s2", "s3")))
    with pytest.raises(UsageError, match="never compared"):
        plan(replace(whole, comparisons=apart), share=0.6)
    with pytest.raises(UsageError, match="no comparisons"):
        plan(Corpus(), share=0.6)
    with pytest.raises(UsageError, match=r"between 0\.5 and 1, but is 0\.4"):
        plan(share=0.4)
    with pytest.raises(UsageError, match="Give either a difference"):
        plan(share=0.6, difference=0.3)
    with pytest.raises(UsageError, match="must be at least 0 and below 1"):
        ChoiceSpread(document=1.2)
    with pytest.raises(UsageError, match="together they must be below 1"):
        ChoiceSpread(document=0.6, annotator=0.5)
    alone = corpus(choices(rng, 30, 1, 3, 0.5))
    assert any("no two summaries were compared twice" in w for w in plan(alone, share=0.6).warnings)
    assert plan(share=float(expit(logit(0.6))), systems=3).best is not None
