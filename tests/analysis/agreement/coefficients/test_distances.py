"""Alpha with any distance between values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.coefficients.distances import (
    distance_alpha,
    interval_distances,
    masi_distances,
    nominal_distances,
)
from gistmark.analysis.agreement.coefficients.intervals import with_interval
from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.data.columns import Float64, Int64

A, B, AB, ABC = (frozenset(letters) for letters in ("a", "b", "ab", "abc"))


def computed(units: Int64, codes: Int64, distances: Float64, groups: Int64 | None = None):
    groups = np.arange(int(units.max()) + 1) if groups is None else groups
    return distance_alpha(units, codes, groups, distances)


def test_masi_weighs_overlap_and_containment() -> None:
    """{a} in {a, b}: J = 1/2, M = 2/3; {a, b} and {b, c} overlap: J = 1/3, M = 1/3."""
    bc = frozenset("bc")
    distances = masi_distances([A, AB, ABC, bc, frozenset()])
    assert distances[0, 0] == distances[4, 4] == 0.0
    assert distances[0, 1] == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert distances[1, 3] == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert distances[0, 3] == distances[0, 4] == 1.0
    np.testing.assert_array_equal(distances, distances.T)


def test_alpha_of_sets_by_hand() -> None:
    """Two units: {a} and {a, b} (distance 2/3), then {b} twice.

    D = 2 * 2/3. E over ordered pairs of {a}, {a, b}, {b}, {b}: a-ab 2/3, a-b 1 (twice), ab-b 2/3
    (twice), so 2 * (2/3 + 2 + 4/3) = 8. alpha = 1 - 3 * (4/3) / 8 = 1/2.
    """
    units, codes = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2])
    result = computed(units, codes, masi_distances([A, AB, B]))
    assert result.value == pytest.approx(0.5)
    assert result.n == 2


def test_alpha_of_sets_is_nltks() -> None:
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import masi_distance

    rng = np.random.default_rng(5)
    sets = [A, B, AB, ABC, frozenset("bc")]
    codes = rng.integers(len(sets), size=(20, 3))
    rows = [(f"c{c}", str(u), sets[codes[u, c]]) for u in range(20) for c in range(3)]
    expected = AnnotationTask(rows, distance=masi_distance).alpha()
    units = np.repeat(np.arange(20), 3)
    assert computed(units, codes.ravel(), masi_distances(sets)).value == pytest.approx(expected)


ANSWERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=30)


@given(ANSWERS)
def test_nominal_and_interval_distances_give_the_usual_alpha(answers: list[tuple[int, int]]):
    units, codes = np.array(answers).T
    for distances, level in (
        (nominal_distances(4), "nominal"),
        (interval_distances(np.arange(4.0)), "interval"),
    ):
        usual: Statistic = alpha(units, codes.astype(float), level)  # type: ignore[arg-type]
        result = computed(units, codes, distances)
        if usual.value is None:
            assert result.value is None
            assert result.reason
        else:
            assert result.value == pytest.approx(usual.value)


def test_the_interval_is_over_documents() -> None:
    """Three documents of two units each: full agreement in one, none in the others.

    In all D = 4 * 2 and, with six values of either kind, E = 2 * 6 * 6: alpha = 1 - 11 * 8 / 72.
    Without the first D = 8, E = 2 * 4 * 4; without another D = 4: 1 - 7 * 8 / 32, 1 - 7 * 4 / 32.
    """
    units = np.repeat(np.arange(6), 2)
    codes = np.array([0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0])
    result = computed(units, codes, nominal_distances(2), np.array([0, 0, 1, 1, 2, 2]))
    value = 1 - 11 * 8 / 72
    left_out = np.array([1 - 7 * 8 / 32, 1 - 7 * 4 / 32, 1 - 7 * 4 / 32])
    assert result == with_interval(Statistic(value, 6), left_out, documents=3)
    alone = computed(units, codes, nominal_distances(2), np.zeros(6, dtype=np.int64))
    assert (alone.low, alone.high) == (None, None)


def test_what_cannot_be_computed_has_a_reason() -> None:
    one = computed(np.array([0, 1]), np.array([0, 1]), nominal_distances(2))
    assert (one.value, one.reason) == (None, "No two annotators answered it about the same item.")
    same = computed(np.array([0, 0]), np.array([1, 1]), nominal_distances(2))
    assert (same.value, same.reason) == (None, "All answers are the same.")
