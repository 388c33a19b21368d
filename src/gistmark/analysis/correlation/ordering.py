"""Which part of a metric follows people most closely, and whether any can be shown to.

The best of many parts is high by chance alone, so its interval is corrected for the choice: all
parts have intervals that hold at once, as wide as 95 % of the largest of their t values would
demand if none followed people (single-step maxT: Westfall and Young, "Resampling-Based Multiple
Testing", 1993; Hothorn, Bretz and Westfall 2008). How the t values of the parts hang together is
seen at system level by giving people's means to systems at random, elsewhere in the bootstrap that
their errors come from. A part can be shown to follow people where its corrected interval is above
0; that need not be the part with the highest correlation, if that is less sure.

All are compared over the same summaries; parts that were scored on far fewer are left out
(`levels.comparable`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import complete_pairs
from gistmark.analysis.correlation.levels import (
    LEAST_SHARE,
    Layout,
    Level,
    comparable,
    correlate_at,
    differs_in,
    grouped,
    layout_of,
)
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.resampling.bootstrap import (
    CONFIDENCE,
    FEWEST_DRAWS,
    FEWEST_SYSTEMS,
    NO_INTERVAL,
    Draws,
    Resampling,
    resample,
)
from gistmark.analysis.resampling.student import student_quantile
from gistmark.analysis.resampling.uncertainty import (
    Uncertainty,
    artanh,
    uncertainty,
)
from gistmark.analysis.studies.records import Strength

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Ordering:
    """All measures by how closely they follow a human score at a level, the closest first.

    `judging` are the parts of metrics among the `strengths`, without plain descriptions such as
    lengths; `p` is that of each of `judging` by itself. `scope` says what bounds are over, and
    `general` that they hold beyond these systems. `leader` is the first of `judging` that can be
    shown to follow people, None if none can; `length` is a plain description that can be shown to
    go with people more closely than any of them. `left_out` are parts that cannot be compared with
    the others, with the reason.
    """

    strengths: tuple[Strength, ...] = ()
    judging: tuple[Strength, ...] = ()
    p: tuple[float | None, ...] = ()
    scope: str = ""
    systems: int = 0
    general: bool = False
    leader: int | None = None
    length: Strength | None = None
    left_out: tuple[tuple[MeasureName, str], ...] = ()


def ordering(
    measures: Measures,
    human: HumanScores,
    score: str,
    level: Level,
    coefficient: str,
    resampling: Resampling | None = None,
) -> Ordering:
    """The measures by their correlation with one human score; with `resampling`, bounds too."""
    units = [unit for unit in measures.units if unit in human.positions]
    y = human.select([score]).at(units)[0]
    x = measures.at(units, oriented=True)
    judges = np.array([better != "neither" for better in measures.better], dtype=np.bool_)
    compared = comparable(np.where(judges[:, None] | ~judges.any(), x, np.nan), y)
    whole = ~np.isnan(x[:, compared.columns]).any(axis=1)
    rows = np.flatnonzero(np.where(judges, compared.rows, whole))
    layout = layout_of([unit for unit, keep in zip(units, compared.columns, strict=True) if keep])
    x, people = complete_pairs(x[rows][:, compared.columns], y[compared.columns])
    outcome = correlate_at(level, x, people, layout, coefficient)
    there = np.flatnonzero(~np.isnan(outcome.values))
    most = int(outcome.n[judges[rows]].max(initial=0))
    few = [int(row) for row in there if outcome.n[row] < LEAST_SHARE * most]
    ordered = there[np.argsort(-outcome.values[there], kind="stable")]
    order = [int(row) for row in ordered if row not in few]
    judging = [row for row in order if judges[rows[row]]]
    scope = resampling.scope(layout) if resampling is not None else ""
    bounds, leader, length = {}, None, None
    general = not scope.endswith("these systems")
    if resampling is not None and judging:
        draws = resampling.draw(layout)
        general &= draws.over == "documents" or len(layout.system_names) >= FEWEST_SYSTEMS
        table = (x[judging], people[judging])
        sure = uncertainty(level, *table, layout, coefficient, outcome.at(judging), draws)
        quantile = _quantile(sure, *table, layout, coefficient, draws, resampling.rng)
        bounds = {row: sure.interval(number, quantile) for number, row in enumerate(judging)}
        proven = (
            number
            for number, row in enumerate(judging)
            if general and _proven(outcome.values[row], bounds[row].low, draws)
        )
        leader = next(proven, None)
        others = [row for row in order if not judges[rows[row]]]
        if general and others and len(draws) >= FEWEST_DRAWS:
            both = [judging[0], *others]
            table, values = (x[both], people[both]), outcome.values[both]
            closer = _closest_length(
                values, resample(*table, layout, level, coefficient, draws), draws, resampling.rng
            )
            length = None if closer is None else others[closer]
    records = {
        row: Strength(
            score, level, coefficient, measures.names[rows[row]].metric,
            measures.names[rows[row]].part, float(outcome.values[row]),
            bounds.get(row, NO_INTERVAL).low, bounds.get(row, NO_INTERVAL).high,
            int(outcome.n[row]), scope,
        )
        for row in order
    }  # fmt: skip
    return Ordering(
        strengths=tuple(records.values()),
        judging=tuple(records[row] for row in judging),
        p=tuple(None if np.isnan(outcome.p[row]) else float(outcome.p[row]) for row in judging),
        scope=scope,
        systems=len(layout.system_names),
        general=general,
        leader=leader,
        length=None if length is None else records[length],
        left_out=(
            *(
                (measures.names[row], compared.share(row))
                for row in np.flatnonzero(judges & ~compared.rows & (compared.counts > 0)).tolist()
            ),
            *(
                (measures.names[rows[row]], differs_in(int(outcome.n[row]), most))
                for row in few
                if judges[rows[row]]
            ),
        ),
    )


def _proven(value: float, low: float | None, draws: Draws) -> bool:
    """Whether a part follows people: above 0, or perfect in every one of many draws."""
    if low is not None:
        return low > 0
    return value > 1.0 - _ROUNDING and draws.freedom + 1 >= FEWEST_SYSTEMS


def _quantile(
    sure: Uncertainty,
    x: Float64,
    y: Float64,
    layout: Layout,
    coefficient: str,
    draws: Draws,
    rng: np.random.Generator,
) -> float:
    """The 95 % quantile of the largest t of all rows that have an interval."""
    rows = [row for row, reason in enumerate(sure.reasons) if reason is None]
    if not rows:
        return np.inf
    if np.isinf(sure.freedom).all():
        sizes = _sizes_by_chance(x[rows], y[rows[:1]], layout, coefficient, len(draws), rng)
    else:
        assert sure.draws is not None
        sizes = _studentised(sure.draws[:, rows] / sure.errors[rows], sure.freedom[rows[0]], rng)
    largest = float(np.nanquantile(np.abs(sizes).max(axis=1), CONFIDENCE))
    return max(largest, student_quantile(float(sure.freedom[rows].min())))


def _studentised(sizes: Float64, freedom: float, rng: np.random.Generator) -> Float64:
    """Draws × rows of t: standardised draws, each over one estimate of their deviation."""
    spread = np.sqrt(rng.chisquare(freedom, len(sizes)) / freedom)
    return sizes / spread[:, None]


def _sizes_by_chance(
    x: Float64, y: Float64, layout: Layout, coefficient: str, count: int, rng: np.random.Generator
) -> Float64:
    """Draws × rows: artanh over its error, when people's means are given to systems at random."""
    known = COEFFICIENTS.get(coefficient)
    means, [people] = (grouped("system", layout, rows)[:, 0] for rows in (x, y))
    orders = rng.permuted(np.tile(np.arange(len(people)), (count, 1)), axis=1)
    permuted = np.tile(people[orders], (len(means), 1))
    values = known.values(np.repeat(means, count, axis=0), permuted)
    counts = np.full(len(values), len(people))
    sizes = artanh(values, known.steps(counts)) / known.deviations(values, counts)
    return sizes.reshape(len(means), count).T


def _closest_length(
    values: Float64, resampled: Float64, draws: Draws, rng: np.random.Generator
) -> int | None:
    """Which description correlates more strongly, in size, than the first row, the best metric.

    By the difference of the two over the same draws, corrected for the choice among descriptions.
    """
    gaps = resampled[:, 1:] * np.sign(values[1:]) - resampled[:, :1]
    gaps = gaps[~np.isnan(gaps).any(axis=1)]
    if 2 * len(gaps) < len(resampled):
        return None
    errors = gaps.std(axis=0, ddof=1)
    varied = errors > _ROUNDING
    sizes = _studentised((gaps - gaps.mean(axis=0))[:, varied] / errors[varied], draws.freedom, rng)
    if not varied.any() or draws.freedom < 1:
        return None
    least = np.quantile(np.abs(sizes).max(axis=1), CONFIDENCE)
    significant = np.abs(values[1:]) - values[0] > least * np.where(varied, errors, np.inf)
    if not significant.any():
        return None
    return int(np.argmax(np.where(significant, np.abs(values[1:]), -1.0)))
