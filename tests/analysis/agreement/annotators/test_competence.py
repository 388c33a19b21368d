from __future__ import annotations

import numpy as np
import pandas
import pytest
from crowdkit.aggregation import DawidSkene

from gistmark.analysis.agreement.annotators.competence import competence
from gistmark.analysis.data.columns import Float64, Int64

ACCURACIES = np.array([0.95, 0.8, 0.6, 0.2])


def ratings(seed: int = 0, points: int = 4) -> tuple[Int64, Int64, Float64]:
    """Four raters, of whom each is right as often as `ACCURACIES` says and else guesses."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, points + 1, size=250)
    units, raters = np.divmod(np.arange(1000), 4)
    keep = rng.random(1000) < 0.9
    units, raters = units[keep], raters[keep]
    right = rng.random(len(units)) < ACCURACIES[raters]
    values = np.where(right, truth[units], rng.integers(1, points + 1, size=len(units)))
    return units, raters, values.astype(np.float64)


def test_better_raters_are_more_competent() -> None:
    result = competence(*ratings(), count=4)
    values = [skill.value or 0.0 for skill in result]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.85
    assert values[-1] < 0.5
    assert all(150 < skill.n <= 250 for skill in result)


def test_the_order_of_raters_and_ratings_does_not_matter() -> None:
    units, raters, values = ratings()
    order = np.random.default_rng(1).permutation(len(units))
    plain = competence(units, raters, values, count=4)
    mixed = competence(units[order], 3 - raters[order], values[order], count=4)
    for one, other in zip(plain, reversed(mixed), strict=True):
        assert one.value == pytest.approx(other.value, abs=0.02)


def test_votes_on_pairs_are_ratings_with_two_categories() -> None:
    result = competence(*ratings(points=2), count=4)
    assert (result[0].value or 0.0) > (result[3].value or 0.0) + 0.3


@pytest.mark.parametrize(
    ("units", "raters", "values", "reason"),
    [
        ([], [], [], "0 units with two ratings"),
        (range(20), [0] * 20, range(20), "0 units with two ratings"),
        ([0, 0], [0, 1], [1, 2], "1 units with two ratings"),
        (np.arange(40) // 2, np.arange(40) % 2, [3] * 40, "All ratings are 3"),
        (np.arange(40) // 2, [0] * 40, range(40), "Only one annotator"),
    ],
    ids=["empty", "no overlap", "tiny", "constant", "one annotator"],
)
def test_undefined_values_say_why(
    units: list[int], raters: list[int], values: list[float], reason: str
) -> None:
    columns = np.array(units, np.int64), np.array(raters, np.int64), np.array(values, np.float64)
    for result in competence(*columns, count=2):
        assert result.value is None
        assert reason in str(result.reason)


def test_a_rater_who_was_alone_has_none() -> None:
    units, raters, values = ratings()
    units, raters, values = np.append(units, 999), np.append(raters, 4), np.append(values, 1.0)
    result = competence(units, raters, values, count=5)
    assert result[4].reason == "No unit in common with another annotator."
    assert result[0].value is not None


@pytest.mark.filterwarnings("ignore::DeprecationWarning:crowdkit")
@pytest.mark.parametrize("points", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_dawid_and_skene_as_in_crowd_kit(seed: int, points: int) -> None:
    units, raters, values = ratings(seed, points)
    frame = pandas.DataFrame({"task": units, "worker": raters, "label": values})
    frame = frame[frame.groupby("task")["task"].transform("size") >= 2]
    fitted = DawidSkene(n_iter=100).fit(frame)
    assert fitted.errors_ is not None
    assert fitted.priors_ is not None
    expected = [
        sum(
            fitted.errors_.loc[(rater, label), label] * prior
            for label, prior in fitted.priors_.items()
            if (rater, label) in fitted.errors_.index
        )
        for rater in range(4)
    ]
    result = competence(units, raters, values, count=4)
    assert [skill.value for skill in result] == pytest.approx(expected, abs=1e-9)
