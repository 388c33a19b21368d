"""Bradley-Terry strengths with length held constant."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.ranking import bradley_terry, length_control
from gistmark.analysis.ranking.length_control import choices_of, controlled, fit
from gistmark.analysis.ranking.ranking import rank_comparisons
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.records import LengthEffect
from gistmark.records import Comparison
from on_use import on_use

sm = on_use("statsmodels.api")

Lengths = dict[tuple[str, str], float]


def simulated(
    seed: int, *, length: float = 1.0, documents: int = 40, systems: int = 4
) -> tuple[list[Comparison], Lengths]:
    """Three annotators choose among all pairs; longer summaries gain, later systems are longer."""
    rng = np.random.default_rng(seed)
    names = [f"s{s}" for s in range(systems)]
    lengths = {
        (f"d{d}", name): float(100 + 20 * s + rng.integers(0, 60))
        for d in range(documents)
        for s, name in enumerate(names)
    }
    comparisons = []
    for (document, left), own in lengths.items():
        for right in names[names.index(left) + 1 :]:
            other = lengths[document, right]
            score = 10 * length * (own - other) / (own + other)
            for annotator in range(3):
                draw = score + rng.logistic()
                choice = "tie" if abs(draw) < 0.1 else "left" if draw > 0 else "right"
                comparisons.append(
                    Comparison(document, left, right, f"a{annotator}", "overall", choice)
                )
    return comparisons, lengths


def test_strengths_and_coefficient_are_those_of_an_independent_logistic_regression():
    comparisons, lengths = simulated(1)
    wins = bradley_terry.count_wins(comparisons)
    choices = choices_of(comparisons, lengths, wins)
    own = fit(choices, penalty=1e-10)
    gaps = [
        (lengths[c.document, c.left] - lengths[c.document, c.right])
        / (lengths[c.document, c.left] + lengths[c.document, c.right])
        for c in comparisons
    ]
    design = np.zeros((len(comparisons), 4))
    for row, comparison in enumerate(comparisons):
        for side, sign in ((comparison.left, 1.0), (comparison.right, -1.0)):
            if side != "s0":  # the first system's strength is 0
                design[row, int(side[1]) - 1] += sign
    design[:, 3] = np.array(gaps) / np.sqrt(np.mean(np.square(gaps)))
    won = np.array([{"left": 1.0, "right": 0.0, "tie": 0.5}[c.choice] for c in comparisons])
    peer = sm.GLM(won, design, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=200).params
    np.testing.assert_allclose(own[1:4] - own[0], peer[:3], atol=1e-6)
    assert own[4] == pytest.approx(peer[3], abs=1e-6)


def test_without_a_covariate_that_matters_the_strengths_are_the_plain_ones():
    comparisons, lengths = simulated(2, length=0.0)
    result = controlled(comparisons, lengths)
    assert not isinstance(result, LengthEffect)
    assert result.effect.low < 0 < result.effect.high
    plain = bradley_terry.strengths_of(bradley_terry.count_wins(comparisons)).values
    np.testing.assert_allclose(result.strengths, plain, atol=0.25)


def test_a_system_that_wins_by_length_alone_falls_behind_no_more():
    comparisons, lengths = simulated(3)
    plain = bradley_terry.strengths_of(bradley_terry.count_wins(comparisons)).values
    result = controlled(comparisons, lengths)
    assert not isinstance(result, LengthEffect)
    assert np.ptp(plain) > 1
    assert np.ptp(result.strengths) < 0.6
    assert result.effect.value == pytest.approx(10 * result.effect.spread, rel=0.2)
    assert result.effect.p < 0.001


def test_exchanging_left_and_right_changes_nothing():
    comparisons, lengths = simulated(4, documents=10)
    other = {"left": "right", "right": "left", "tie": "tie"}
    turned = [
        Comparison(c.document, c.right, c.left, c.annotator, c.dimension, other[c.choice])
        if row % 3 == 0 else c
        for row, c in enumerate(comparisons)
    ]  # fmt: skip
    one, two = controlled(comparisons, lengths), controlled(turned, lengths)
    assert one.effect.value == pytest.approx(two.effect.value)
    by_name = dict(zip(two.wins.systems, two.strengths, strict=True))
    for name, value in zip(one.wins.systems, one.strengths, strict=True):
        assert by_name[name] == pytest.approx(value)


def test_the_interval_holds_the_coefficient_in_most_of_many_studies():
    held = []
    for seed in range(150):
        comparisons, lengths = simulated(seed, documents=30, systems=3)
        effect = controlled(comparisons, lengths).effect
        held.append(effect.low <= 10 * effect.spread <= effect.high)
    # 150 tries have a standard error of 1.8 %; ties and the penalty draw a little to 0.
    assert np.mean(held) > 0.89


def test_the_ranking_has_both_strengths_and_the_pairs_of_both():
    comparisons, lengths = simulated(5, documents=12)
    resampling = Resampling(np.random.default_rng(0), 100)
    ranking = rank_comparisons(comparisons, resampling, lengths=lengths)
    assert [effect.dimension for effect in ranking.length_effects] == ["overall"]
    for records in (ranking.ranks, ranking.pairs):
        assert [r.method for r in records].count(length_control.METHOD) in (4, 6)
    own = [r for r in ranking.ranks if r.method == length_control.METHOD]
    assert all(r.low < r.value < r.high for r in own)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c, x: (c, {}), "no comparison has the texts of both summaries"),
        (lambda c, x: (c, dict.fromkeys(x, 10.0)), "equally long"),
        (lambda c, x: (c, {k: 5.0 + int(k[1][1]) for k in x}), "follows from its system alone"),
        (lambda c, x: ([k for k in c if k.document == "d0"], x), "one document"),
        (lambda c, x: ([k for k in c if (k.left, k.right) in (("s0", "s1"), ("s2", "s3"))], x),
         "never compared"),
    ],
)  # fmt: skip
def test_what_cannot_be_controlled_has_a_reason(change, reason: str):
    comparisons, lengths = change(*simulated(6, documents=6))
    result = controlled(comparisons, lengths)
    assert isinstance(result, LengthEffect)
    assert reason in result.reason
    assert result.value is None
