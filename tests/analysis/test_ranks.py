from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from gistmark.analysis.human import HumanScores
from gistmark.analysis.ranks import mean_ranks, normalised_ranks


def human(table: NDArray[np.float64]) -> HumanScores:
    units = tuple((f"d{d}", s) for d in range(len(table)) for s in "abcd"[: table.shape[1]])
    values = table.reshape(1, -1)
    return HumanScores(units, ("focus",), values, np.ones(values.shape, np.int64))


def test_by_hand() -> None:
    """Ranks 1, 2.5, 2.5 become 1, 0.25, 0.25; ranks 3, 2, 1 become 0, 0.5, 1."""
    found = mean_ranks(human(np.array([[5.0, 3.0, 3.0], [1.0, 2.0, 3.0]])), "focus")
    assert found.systems == ("a", "b", "c")
    np.testing.assert_allclose(found.values, [0.5, 0.375, 0.625])
    assert found.n.tolist() == [2, 2, 2]


def test_a_missing_system_makes_the_document_smaller() -> None:
    """With two systems left, the better has 1 and the worse 0."""
    found = mean_ranks(human(np.array([[5.0, np.nan, 3.0], [1.0, 1.0, 1.0]])), "focus")
    np.testing.assert_allclose(found.values, [0.75, 0.5, 0.25])
    assert found.n.tolist() == [2, 1, 2]


def test_a_document_of_one_system_ranks_nobody() -> None:
    found = mean_ranks(human(np.array([[5.0, np.nan]])), "focus")
    assert np.isnan(found.values).all()
    assert found.n.tolist() == [0, 0]


def test_ranks_within_documents_are_scipys() -> None:
    cells = np.random.default_rng(0).integers(0, 4, size=(30, 5)).astype(np.float64)
    expected = (5 - rankdata(-cells, axis=1)) / 4
    np.testing.assert_allclose(normalised_ranks(cells), expected, atol=1e-12)
