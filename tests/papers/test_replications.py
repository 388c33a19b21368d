"""The papers' studies from design to table, by simulated annotators whose truth is known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import replicate  # noqa: E402
from replicate import Row  # noqa: E402


@pytest.mark.parametrize(
    "study",
    [
        pytest.param(replicate.highres, id="HighRES: highlights, three modes, fluency, clarity"),
        pytest.param(replicate.dip_likert, id="LikertAnno: 26 annotators, 49 topics"),
        pytest.param(lambda: replicate.dip_pairs(topics=6), id="PairAnno: six of 49 topics"),
        pytest.param(lambda: replicate.emfos(articles=120), id="EMFoS: two sets of reviewers"),
    ],
)
def test_a_study_has_its_design_and_finds_what_is_true(study: Callable[[], Sequence[Row]]):
    rows = study()
    assert len(rows) >= 5
    assert [row for row in rows if not row.holds] == []
