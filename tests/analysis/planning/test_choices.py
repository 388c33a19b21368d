"""The power of pairwise choices against simulated studies, and pilots of choices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from gistmark.analysis.planning import ChoiceSpread, plan
from gistmark.analysis.planning.pilots import choice_pilot
from gistmark.analysis.planning.power import choice_power, information_gain
from gistmark.analysis.ranking.bradley_terry import fit
from gistmark.analysis.ranking.pairs import document_moves
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


def significant(wins: np.ndarray) -> bool:
    """Whether the first two systems differ: the study's own contributions of documents, by t."""
    tables = wins.sum(axis=1).astype(float)
    strengths = fit(tables.sum(axis=0)[None])[0]
    moves = document_moves(tables, strengths)
    gaps = (strengths[0] - strengths[1]) + len(tables) * (moves[:, 0] - moves[:, 1])
    return stats.ttest_1samp(gaps, 0.0).pvalue < 0.05


@pytest.mark.parametrize(
    ("documents", "annotators", "systems", "summary"),
    [(40, 2, 2, 0.0), (25, 2, 4, 0.0), (40, 4, 2, 1.0)],
)
def test_power_is_that_of_simulated_studies(
    documents: int, annotators: int, systems: int, summary: float
):
    rng = np.random.default_rng(5)
    gap = 0.6
    many = choices(rng, 40_000, 2, 2, gap, summary=summary)[..., 0, 1].astype(float)
    share, total = many.mean(), many.var()
    document = np.mean((many[:, 0] - share) * (many[:, 1] - share)) / total
    hits = [
        significant(choices(rng, documents, annotators, systems, gap, summary=summary))
        for _ in range(600)
    ]
    spread = ChoiceSpread(document=max(float(document), 0.0) if summary else 0.0)
    expected = choice_power(spread, float(share), documents, annotators, systems).power
    # 600 studies have a standard error of at most 2 %; the model is an approximation.
    assert expected == pytest.approx(np.mean(hits), abs=0.06)


def test_other_systems_add_information_by_the_model():
    assert information_gain(0.6, 2) == 1.0
    # Round robin among equal systems: 8 / (games S) against 4 / games.
    for systems in (3, 5, 25):
        assert information_gain(0.5 + 1e-9, systems) == pytest.approx(2 / systems, rel=1e-6)
    two, five = (choice_power(ChoiceSpread(), 0.6, 30, 3, n).power for n in (2, 5))
    assert five > two + 0.2
    spread = ChoiceSpread(document=0.9)
    two, five = (choice_power(spread, 0.6, 30, 3, n).power for n in (2, 5))
    assert five < two + 0.05  # what is special to summaries stays


def test_annotators_who_favour_systems_cost_power_only_over_both():
    spread = ChoiceSpread(document=0.1, annotator=0.1)
    same, both = (
        choice_power(spread, 0.65, 100, 4, 3, over=over).power for over in ("documents", "both")
    )
    assert both < same - 0.2
    assert choice_power(spread, 0.5 + 1e-9, 100, 4, 3).power == pytest.approx(0.05, abs=1e-3)


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
    plain = choice_pilot(corpus(choices(rng, 60, 8, 3, 0.8)), None).spread
    assert plain.document == pytest.approx(0.0, abs=0.03)
    assert plain.annotator == pytest.approx(0.0, abs=0.03)
    alike = choice_pilot(corpus(choices(rng, 60, 8, 3, 0.8, summary=1.0, favour=0.7)), None)
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
