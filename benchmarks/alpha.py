"""Krippendorff's alpha on 1,000,000 ratings: Gistmark against the package krippendorff.

200,000 units, each rated by 5 of 50 annotators on 5 points. Both get prepared data: the
package a matrix of annotators x units, Gistmark columns of units and values. The results are
compared. The package makes a table of units x values x values, which for 100 points would take
16 GB: there a hundredth of the units is timed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.data.columns import Level
from harness import best_of, report

UNITS = 200_000
RATERS = 50
EACH = 5


def main() -> None:
    for level in ("ordinal", "nominal", "interval"):
        against_package(level, UNITS, 5)
    against_package("interval", UNITS // 100, 100)


def against_package(level: Level, units: int, points: int) -> None:
    import krippendorff

    places, raters, values = ratings(units, points)
    matrix = np.full((RATERS, units), np.nan)
    matrix[raters, places] = values
    (theirs, ours), (expected, found) = best_of(
        5,
        lambda: krippendorff.alpha(reliability_data=matrix, level_of_measurement=level),
        lambda: alpha(places, values, level),
    )
    if not abs(found.value - expected) <= 1e-9:
        raise SystemExit(f"alpha-{level} is {found.value}, the package has {expected}")
    print(f"      {ours * 1000:,.1f} ms, krippendorff {theirs * 1000:,.1f} ms; {found.value:.6f}")
    name = f"alpha-{level}, {units * EACH:,} ratings on {points} points"
    report(f"{name}, speed over krippendorff", theirs / ours, ">= 1", theirs >= ours)


def ratings(
    units: int, points: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Units, annotators and values: a true value each, and annotators who are a little off."""
    rng = np.random.default_rng(0)
    places = np.repeat(np.arange(units), EACH)
    raters = np.argsort(rng.random((units, RATERS)), axis=1)[:, :EACH].ravel()
    noise = rng.normal(scale=points / 4, size=len(places))
    truth = rng.integers(1, points + 1, size=units)[places]
    return places, raters, np.clip(np.rint(truth + noise), 1, points)


if __name__ == "__main__":
    main()
