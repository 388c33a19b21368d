"""Card and others (2020): 48 powers of human rating studies, which they simulated with lme4."""

from __future__ import annotations

import csv
from math import sqrt
from pathlib import Path

import pytest

from gistmark.analysis.planning.power import Deviations, mixed_model_power

pytestmark = pytest.mark.papers

# Their slopes are for systems coded as -1 and +1: half a difference, so twice the variance for each
# of two systems, and the difference is twice their coefficient.
SETTINGS = {
    "High var. settings": Deviations(sqrt(2) * 0.14, 0.26, sqrt(2) * 0.11),
    "Low var. settings": Deviations(sqrt(2) * 0.13, 0.16, sqrt(2) * 0.04),
}
SIMULATIONS = 200


def test_all_powers_are_within_three_standard_errors(paper_data: Path) -> None:
    source = paper_data / "power" / "highvar_lowvar_lmer.csv"
    if not source.is_file():
        pytest.skip(f"the published powers are not in {source}")
    with source.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 48
    for row in rows:
        spread = SETTINGS[row["settings"]]
        design = int(row["ex"]), int(row["num.workers"])
        power = mixed_model_power(spread, 2 * float(row["diff"]), *design, method="wald").power
        error = sqrt(max(power * (1 - power), 0.005) / SIMULATIONS)
        assert abs(power - float(row["power"])) < 3 * error, row
