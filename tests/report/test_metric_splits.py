"""The metric against the larger group of a split."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.report.metric_splits import metric_against_rest
from gistmark.report.raters import splits
from gistmark.report.views import View

DIMENSION = "Overall Quality"


def test_each_plus_is_the_metric_with_the_mean_of_those_outside(view: View):
    found = splits(view.study)[DIMENSION]
    assert view.scores is not None
    values = {
        (score.document, score.system): score.value
        for score in view.scores
        if (score.metric, score.part) == ("rouge2", "f")
    }
    expected = []
    for split in found:
        group = split.scope.split(" + ")
        rest: dict[tuple[str, str], list[float]] = {}
        for r in view.corpus.ratings:
            if r.dimension == DIMENSION and r.annotator not in group:
                rest.setdefault((r.document, r.system), []).append(r.value)
        x = [values[unit] for unit in rest]
        y = [np.mean(ratings) for ratings in rest.values()]
        expected.append(stats.spearmanr(x, y).statistic)
    assert metric_against_rest(view, DIMENSION, found) == pytest.approx(expected, abs=1e-9)


def test_without_scores_there_are_no_pluses(view: View):
    bare = View(view.study, view.corpus, None, "rouge1")
    assert metric_against_rest(bare, DIMENSION, splits(view.study)[DIMENSION]) == []
