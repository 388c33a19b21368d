"""Dawid and Skene's competence of annotators: Gistmark against crowd-kit.

On the size of a campaign (100 units) and of a crowd (20,000 units), each unit rated by 5 of 50
annotators on 5 points. Both get prepared data: crowd-kit a data frame, Gistmark columns.
The results are compared.
"""

from __future__ import annotations

import warnings

import numpy as np

from alpha import EACH, RATERS, ratings
from gistmark.analysis.agreement.habits import dawid_skene
from harness import best_of, report


def main() -> None:
    for units in (100, 20_000):
        against_package(units)


def against_package(units: int) -> None:
    import pandas
    from crowdkit.aggregation import DawidSkene

    places, raters, values = ratings(units, 5)
    answers = values.astype(np.int64) - 1
    frame = pandas.DataFrame({"task": places, "worker": raters, "label": answers})
    warnings.simplefilter("ignore")
    (theirs, ours), (fitted, found) = best_of(
        3, lambda: DawidSkene(n_iter=100).fit(frame), lambda: dawid_skene(places, raters, answers)
    )
    right = fitted.errors_.stack()
    same = right.index.get_level_values(1) == right.index.get_level_values(2)
    parts = right[same] * fitted.priors_.loc[right[same].index.get_level_values(2)].to_numpy()
    expected = parts.groupby("worker").sum().reindex(range(RATERS)).to_numpy()
    if not np.allclose(found, expected, atol=1e-9, equal_nan=True):
        raise SystemExit(f"competence differs by up to {np.abs(found - expected).max()}")
    print(f"      {ours * 1000:,.1f} ms, crowd-kit {theirs * 1000:,.1f} ms")
    name = f"competence from {units * EACH:,} ratings, speed over crowd-kit"
    report(name, theirs / ours, ">= 3", theirs >= 3 * ours)


if __name__ == "__main__":
    main()
