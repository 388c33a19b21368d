"""Systems judged on different documents or by different annotators: the additive model."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gistmark.analysis.ranking.additive import AdditiveFit, annotator_excess, fit_additive
from gistmark.analysis.variance.design import Observations

NAN = float("nan")
Cube = NDArray[np.float64]


def observed(cube: Cube) -> Observations:
    """The ratings of annotators × documents × systems; NaN is none."""
    annotators, documents, systems = np.nonzero(~np.isnan(cube))
    return Observations(cube[annotators, documents, systems], systems, annotators, documents)


def fitted(cube: Cube) -> AdditiveFit:
    return fit_additive(observed(cube), cube.shape[2], np.ones(cube.shape[1]))


PAIR = np.array([0]), np.array([1])


def test_a_system_on_an_easy_document_by_hand() -> None:
    """Both have the mean 3; where they meet a is 1 better, and the third document is easy.

    Effects of 1/2 and -1/2 leave the documents at 3.5, 1.5 and 5.5, of which the mean is 3.5.
    """
    fit = fitted(np.array([[[4.0, 3.0], [2.0, 1.0], [NAN, 5.0]]]))
    assert fit.means == pytest.approx([4.0, 3.0])
    parts, shares = fit.contributions(fit.data.document, 3, *PAIR)
    assert parts[:, 0] == pytest.approx([0.5, 0.5, 0.0])
    assert shares[:, 0] == pytest.approx([0.5, 0.5, 0.0])


def test_systems_are_linked_through_others() -> None:
    """a and c never meet: a is 1 above b, which is 2 above c."""
    fit = fitted(np.array([[[4.0, 3.0, NAN], [NAN, 5.0, 3.0]]]))
    assert fit.means[0] - fit.means[2] == pytest.approx(3.0)
    assert fit.linked(np.array([0, 0]), np.array([1, 2])).all()


def test_systems_that_no_document_links_are_not_compared() -> None:
    fit = fitted(np.array([[[4.0, 3.0, NAN, NAN], [NAN, NAN, 5.0, 3.0]]]))
    assert fit.linked(np.array([0, 0, 2]), np.array([1, 2, 3])).tolist() == [True, False, True]


def test_with_nothing_missing_it_is_the_paired_difference() -> None:
    cells = np.random.default_rng(0).normal(size=(7, 3))
    fit = fitted(cells[None])
    assert fit.means == pytest.approx(cells.mean(axis=0))
    np.testing.assert_allclose(fit.moves, (cells - cells.mean(axis=0)) / 7, atol=1e-12)
    parts, shares = fit.contributions(fit.data.document, 7, *PAIR)
    np.testing.assert_allclose(parts[:, 0], (cells[:, 0] - cells[:, 1]) / 7, atol=1e-12)
    np.testing.assert_allclose(shares, 1 / 7)


@pytest.mark.parametrize("weighted", [False, True])
def test_effects_are_those_of_least_squares(weighted: bool) -> None:
    """numpy's lstsq with an indicator for every system, annotator and document is the peer."""
    rng = np.random.default_rng(1)
    cube = np.where(rng.random((3, 12, 4)) > 0.4, rng.normal(size=(3, 12, 4)), np.nan)
    weights = rng.uniform(1, 5, 12) if weighted else np.ones(12)
    data = observed(cube)
    fit = fit_additive(data, 4, weights)
    design = np.zeros((len(data.value), 4 + 3 + 12))
    for start, numbers in ((0, data.system), (4, data.annotator), (7, data.document)):
        design[np.arange(len(numbers)), start + numbers] = 1.0
    root = np.sqrt(weights)[data.document]
    peer = np.linalg.lstsq(design * root[:, None], data.value * root, rcond=None)[0]
    assert fit.means - fit.means[0] == pytest.approx(peer[:4] - peer[0])
    lefts, rights = np.triu_indices(4, 1)
    for blocks, count in ((data.document, 12), (data.annotator, 3)):
        parts, shares = fit.contributions(blocks, count, lefts, rights)
        assert parts.sum(axis=0) == pytest.approx(fit.means[lefts] - fit.means[rights])
        assert shares.sum(axis=0) == pytest.approx(1.0)


def test_what_severity_may_add_by_hand() -> None:
    """Of two systems with an annotator for each on D documents, c is 1/D and -1/D.

    Over annotators the squares of its sums are 1 + 1, over annotators and documents 2 / D, which is
    the sum of its squares too: D - 1. If both annotators judge both systems, all sums are 0.
    """
    both = np.random.default_rng(2).normal(size=(2, 6, 2))
    apart = np.where(np.eye(2)[:, None, :] == 1, both, np.nan)
    for cube, excess in ((apart, 5.0), (both, 0.0)):
        cells = fitted(np.nanmean(cube, axis=0)[None])
        assert annotator_excess(observed(cube), cells) == pytest.approx(excess)
