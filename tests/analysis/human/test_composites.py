from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.human.composites import composite_scores, guess_overall, guess_scales
from gistmark.errors import UsageError
from gistmark.records import Rating

TABLE = {
    "grammar": (1, 2, 3, 5),
    "focus": (1, 3, 3, 4),
    "length": (5, 1, 4, 2),
    "overall": (1, 2, 3, 4),
}


def ratings_of(table: dict[str, tuple[float, ...]]) -> list[Rating]:
    return [
        Rating(f"d{row}", "s", "ann", dimension, float(value))
        for dimension, values in table.items()
        for row, value in enumerate(values)
    ]


def test_equal_weights_by_hand() -> None:
    """(x - 1) / 4: the first summary has 0, 0 and 1, so HS1 = 1/3."""
    scores = composite_scores(ratings_of(TABLE)).scores
    assert scores.of("HS1")[0] == pytest.approx(1 / 3)
    np.testing.assert_allclose(scores.of("HS3"), [0, 0.25, 0.5, 0.75])
    assert scores.counts[scores.names.index("HS1")].tolist() == [3] * 4


def test_softmax_weights_by_hand() -> None:
    result = composite_scores(ratings_of(TABLE))
    sums = np.corrcoef([TABLE[name] for name in ("grammar", "focus", "length")]).sum(axis=1)
    expected = np.exp(sums) / np.exp(sums).sum()
    np.testing.assert_allclose(list(result.weights.values()), expected, atol=1e-12)
    assert list(result.weights) == ["grammar", "focus", "length"]
    normal = (np.array([TABLE[name] for name in result.weights]) - 1) / 4
    np.testing.assert_allclose(result.scores.of("HS2"), expected @ normal)


def test_weights_may_be_by_rank() -> None:
    by_rank = composite_scores(ratings_of(TABLE), coefficient="spearman")
    assert by_rank.weights != composite_scores(ratings_of(TABLE)).weights
    assert sum(by_rank.weights.values()) == pytest.approx(1.0)


def test_a_summary_without_a_dimension_has_no_sum() -> None:
    ratings = [r for r in ratings_of(TABLE) if (r.document, r.dimension) != ("d1", "focus")]
    scores = composite_scores(ratings).scores
    assert np.isnan(scores.of("HS1")).tolist() == [False, True, False, False]
    assert not np.isnan(scores.of("HS3")).any()


@pytest.mark.parametrize(
    "name", ["overall", "Overall Quality", "overall_quality", "subjectiveScore"]
)
def test_the_overall_dimension_is_known_by_its_name(name: str) -> None:
    assert guess_overall(["focus", name]) == name
    assert guess_overall(["focus", "overall focus"]) is None


def test_the_overall_dimension_may_be_given() -> None:
    result = composite_scores(ratings_of(TABLE), overall="focus")
    assert "overall" in result.weights
    assert "focus" not in result.weights
    with pytest.raises(UsageError, match="focus"):
        composite_scores(ratings_of(TABLE), overall="focsu")


def test_scales_are_shared_unless_far_apart() -> None:
    scales = guess_scales(ratings_of({"a": (1, 5), "b": (2, 4), "yes": (0, 1)}))
    assert scales == {"a": (1, 5), "b": (1, 5), "yes": (0, 1)}
    assert guess_scales([]) == {}


def test_scales_may_be_given() -> None:
    result = composite_scores(ratings_of(TABLE), scales={"overall": (0, 10)})
    np.testing.assert_allclose(result.scores.of("HS3"), [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(UsageError, match="must go up"):
        composite_scores(ratings_of(TABLE), scales={"overall": (5, 1)})
    with pytest.raises(UsageError, match="ovrall"):
        composite_scores(ratings_of(TABLE), scales={"ovrall": (1, 5)})


def test_an_overall_dimension_alone_is_no_composite_unless_it_is_named() -> None:
    alone = composite_scores(ratings_of({"overall": (1, 2, 3)}))
    assert alone.scores.names == ()
    assert alone.scores.reasons == {}


def test_what_cannot_be_made_has_a_reason() -> None:
    named = composite_scores(ratings_of({"overall": (1, 2, 3)}), overall="overall")
    assert named.scores.names == ("HS3",)
    assert "fewer than two dimensions" in named.scores.reasons["HS1"]
    assert "fewer than two dimensions" in named.scores.reasons["HS2"]
    flat = composite_scores(ratings_of({"a": (1, 2, 3), "b": (2, 2, 2)}))
    assert flat.scores.names == ("HS1",)
    assert flat.scores.reasons["HS2"] == "the correlation of a and b is not defined"
    assert flat.scores.reasons["HS3"] == "no dimension is the overall one"
    nothing = composite_scores([])
    assert nothing.scores.names == ()


@pytest.mark.parametrize("dimensions", [["overall"], ["fluency"], ["fluency", "overall"]])
def test_people_with_one_dimension_are_told_nothing_of_scores_they_did_not_ask_for(
    dimensions: list[str],
) -> None:
    ratings = ratings_of(dict.fromkeys(dimensions, (1, 2, 3)))
    assert composite_scores(ratings).scores.reasons == {}


def test_equal_sums_tie_exactly() -> None:
    """0.1 + 0.7 + 0.1 and 0.7 + 0.1 + 0.1 differ in the last bit."""
    table = {"a": (0.1, 0.7, 0.0), "b": (0.7, 0.1, 1.0), "c": (0.1, 0.1, 0.5)}
    result = composite_scores(ratings_of(table), scales=dict.fromkeys(table, (0.0, 1.0)))
    values = result.scores.of("HS1")
    assert values[0] == values[1]
