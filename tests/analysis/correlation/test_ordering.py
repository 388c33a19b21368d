"""The order of metrics: what is compared, and when the best can be shown to follow people."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import Level, comparable
from gistmark.analysis.correlation.ordering import Ordering, ordering
from gistmark.analysis.data.measures import Better, MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import Over, Resampling
from gistmark.analysis.resampling.student import student_quantile

Rows = NDArray[np.float64]
NAN = np.nan


def ordered(
    people: Rows,
    rows: dict[str, Rows],
    *,
    level: Level = "system",
    better: dict[str, Better] | None = None,
    over: Over | None = None,
) -> Ordering:
    """Tables of documents × systems."""
    units = tuple((f"d{d}", f"s{s}") for d, s in np.ndindex(people.shape))
    human = HumanScores(units, ("h",), people.reshape(1, -1), np.ones((1, people.size), np.int64))
    measures = Measures(
        units, tuple(MeasureName(name, "value") for name in rows),
        tuple((better or {}).get(name, "higher") for name in rows),
        np.array([row.ravel() for row in rows.values()]),
    )  # fmt: skip
    resampling = Resampling(np.random.default_rng(0), 300, over)
    return ordering(measures, human, "h", level, "pearson", resampling)


@pytest.fixture
def people() -> Rows:
    rng = np.random.default_rng(1)
    return rng.normal(size=12) + 0.5 * rng.normal(size=(20, 12))


def test_rows_are_compared_where_half_of_the_most_values_are_shared():
    """Of 4 columns with people, a has 4 values, b 3, c 2 that share one with b, d none."""
    x = np.array([[1, 2, 3, 4, 5], [1, 2, 3, NAN, 5], [NAN, NAN, 3, 4, 5], [NAN] * 5])
    result = comparable(x, np.array([1, 2, 3, 4, NAN]))
    assert result.rows.tolist() == [True, True, False, False]
    assert result.columns.tolist() == [True, True, True, False, False]
    assert (result.counts.tolist(), result.of) == ([4, 3, 2, 0], 4)


def test_a_metric_that_follows_people_can_be_shown_to(people: Rows):
    noise = np.random.default_rng(2).normal(size=(6, *people.shape))
    rows = {f"m{k}": table for k, table in enumerate(noise)} | {"good": people + 0.3 * noise[0]}
    for level in ("system", "summary", "global"):
        result = ordered(people, rows, level=level)
        assert result.judging[0].metric == "good"
        assert result.leader == 0
        assert result.judging[0].low > 0


def test_the_bounds_are_wider_than_those_of_one_metric_alone(people: Rows):
    rng = np.random.default_rng(3)
    rows = {f"m{k}": people + rng.normal(size=people.shape) for k in range(8)}
    alone = ordered(people, {"m0": rows["m0"]}).judging[0]
    (among,) = [r for r in ordered(people, rows).judging if r.metric == "m0"]
    assert (among.strength, among.n) == (alone.strength, 12)
    assert among.low < alone.low < alone.high < among.high
    copies = ordered(people, {f"m{k}": rows["m0"] for k in range(8)}).judging[0]
    # eight copies are one choice: 1.96 errors, as for one metric, but for chance in 300 draws
    widths = [np.arctanh(r.high) - np.arctanh(r.low) for r in (alone, copies)]
    assert widths[1] == pytest.approx(widths[0], rel=0.15)
    assert widths[0] >= 2 * student_quantile(np.inf) / 3 - 1e-9


def test_few_systems_say_nothing_about_others(people: Rows):
    few = people[:, :5]
    result = ordered(few, {"copy": few + 0.01}, level="summary")
    assert (result.general, result.leader, result.systems) == (False, None, 5)
    assert not ordered(few, {"m": few}, over="systems").general
    assert ordered(people, {"m": people}, over="documents").scope == "documents of these systems"


def test_parts_on_other_summaries_are_left_out_and_named(people: Rows):
    part = np.where(np.arange(20)[:, None] < 2, people, NAN)
    result = ordered(people, {"few": part, "good": people + 0.1}, level="global")
    assert [strength.metric for strength in result.strengths] == ["good"]
    [(name, why)] = result.left_out
    assert (str(name), why) == ("few", "was scored on 24 of 240 summaries, too few to be compared")


def test_a_part_that_hardly_tells_systems_apart_is_left_out_at_summary_level(people: Rows):
    flat = np.where(np.arange(20)[:, None] < 3, people, 1.0)
    result = ordered(people, {"flat": flat, "good": people + 0.1}, level="summary")
    assert [strength.metric for strength in result.strengths] == ["good"]
    assert result.left_out[0][1] == (
        "differs between systems in 3 of 20 documents, too few to be compared"
    )


def test_a_length_is_said_to_be_closer_only_where_that_is_shown(people: Rows):
    rng = np.random.default_rng(5)
    noise = rng.normal(size=(3, *people.shape))
    better: dict[str, Better] = {"chars": "neither", "words": "neither"}
    rows = {"m": noise[0], "chars": -people - 0.1 * noise[1], "words": noise[2]}
    shown = ordered(people, rows, level="global", better=better)
    assert shown.length is not None
    assert (shown.length.metric, shown.length.low) == ("chars", None)
    assert shown.length.strength < -0.9
    rows["chars"] = noise[1]
    assert ordered(people, rows, level="global", better=better).length is None
