from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.embedding import bertscore
from gistmark.metrics.embedding.bertscore import (
    best_matches,
    with_harmonic_mean,
)
from gistmark.metrics.embedding.token_vectors import to_unit_length


def test_each_token_takes_its_best_partner_of_the_other_text() -> None:
    """Cosines of ours (rows) with theirs: [[1, 0.6], [0, 0.8], [-1, -0.6]]."""
    ours = np.array([[1, 0], [0, 1], [-1, 0]], dtype=np.float32)
    theirs = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    for_ours, for_theirs = best_matches(ours, theirs)
    assert for_ours == pytest.approx([1.0, 0.8, -0.6])
    assert for_theirs == pytest.approx([1.0, 0.8])


def test_long_texts_matched_some_rows_at_a_time_match_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    ours, theirs = (rng.normal(size=(n, 8)).astype(np.float32) for n in (57, 13))
    whole = best_matches(ours, theirs)
    monkeypatch.setattr(bertscore, "MOST_CELLS", 50)
    for result, expected in zip(best_matches(ours, theirs), whole, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_unit_length_leaves_a_vector_without_length_alone() -> None:
    vectors = np.array([[3, 4], [0, 0]], dtype=np.float32)
    assert to_unit_length(vectors) == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))
    assert vectors[0, 0] == 3


def test_f_is_the_harmonic_mean_and_0_where_the_signs_differ() -> None:
    """2 * 0.5 * 0.25 / 0.75 = 1/3; both negative alike: 2 * 0.04 / -0.4 = -0.2."""
    precision, recall = np.array([0.5, -0.2, 0.3, 0.0]), np.array([0.25, -0.2, -0.3, 0.0])
    result = with_harmonic_mean(precision, recall)
    assert result[:, 2] == pytest.approx([1 / 3, -0.2, 0.0, 0.0])
    assert result[:, 0].tolist() == precision.tolist()
    assert result[:, 1].tolist() == recall.tolist()
