"""The power of sign flips against the tests that a study makes of simulated ratings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis.planning import Deviations
from gistmark.analysis.planning.flips import least_documents
from gistmark.analysis.planning.power import power_over_both, power_over_documents
from gistmark.analysis.ranking.pairs import Contest, annotator_contest, cell_contest
from gistmark.analysis.resampling.bootstrap import Resampling

SPREAD = Deviations(summary=0.5, residual=0.7, annotator=0.3)


def contests(
    both: bool, spread: Deviations, gap: float, documents: int, annotators: int, studies: int
) -> list[Contest]:
    """Studies of two systems, the first one better, by annotators × documents × systems."""
    rng = np.random.default_rng(1)
    shape = (annotators, documents, 2)
    made = []
    for _ in range(studies):
        cube = rng.normal(0, spread.residual, shape) + rng.normal(0, spread.summary, shape[1:])
        cube += rng.normal(0, spread.annotator, (annotators, 1, 2)) + np.array([gap, 0.0])
        resampling = Resampling(rng)
        made.append(
            annotator_contest(cube, resampling) if both
            else cell_contest(cube.mean(axis=0), 1.0, resampling)
        )  # fmt: skip
    return made


@pytest.mark.parametrize(
    ("both", "gap", "documents", "annotators", "systems"),
    [
        (False, 0.4, 25, 3, 2),
        (False, 1.0, 9, 3, 4),
        (False, 0.8, 16, 4, 8),
        (True, 0.5, 30, 12, 2),
        (True, 1.0, 20, 15, 3),
    ],
)
def test_power_is_that_of_the_tests_of_simulated_studies(
    both: bool, gap: float, documents: int, annotators: int, systems: int
):
    made = contests(both, SPREAD, gap, documents, annotators, 500)
    pairs = systems * (systems - 1) / 2
    hits = [c.tests.p[0] * pairs < 0.05 and c.differences[0] > 0 for c in made]
    planned = (power_over_both if both else power_over_documents)(
        SPREAD, gap, documents, annotators, systems=systems
    )
    # 500 studies have a standard error of at most 2.2 %.
    assert planned.power == pytest.approx(np.mean(hits), abs=0.055)
    widths = [c.tests.high[0] - c.tests.low[0] for c in made]
    assert planned.width == pytest.approx(np.mean(widths), rel=0.04)


def test_without_a_difference_the_level_is_kept_on_one_side():
    alike = replace(SPREAD, annotator=0.0)
    assert power_over_documents(alike, 1e-9, 60, 3).power == pytest.approx(0.025, abs=3e-3)
    assert power_over_documents(SPREAD, 1e-9, 60, 3).power == pytest.approx(0.025, abs=3e-3)


def test_the_least_documents_are_those_whose_signs_can_be_rare_enough():
    for systems, pairs in ((2, 1), (4, 6), (16, 120)):
        least = least_documents(0.05, systems)
        assert 2.0 ** (1 - least) * pairs < 0.05 <= 2.0 ** (2 - least) * pairs
        few, enough = (
            power_over_documents(SPREAD, 50.0, documents, 2, systems=systems).power
            for documents in (least - 1, least)
        )
        assert (few, enough) == (0.0, 1.0)
