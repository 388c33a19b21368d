"""What makes the values of a learnt metric, in the study and in the report."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.learning.contributions import contributions
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import CONTRIBUTIONS
from gistmark.report.outline import outline
from gistmark.report.tables.metrics import contribution_tables
from gistmark.report.views import View
from gistmark.scoring.scores import Column, Scores

PARTS = ("value", "sd", *CONTRIBUTIONS)
VALUES = np.array([
    [1.5, 0.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0],
    [0.5, 0.7, 0.5, 0.5, -0.5, 0.0, 0.0, 0.0],
    [np.nan] * 8,
])  # fmt: skip


@pytest.fixture
def learnt_scores() -> Scores:
    learnt = Column("learnt|v:1", PARTS, "value", "higher", VALUES, {2: "no text"})
    plain = Column("js|v:1", ("value",), "value", "lower", np.zeros((3, 1)), {})
    return Scores(["d1", "d2", "d3"], ["a", "a", "b"], {"gistmark-1": learnt, "js": plain})


def test_there_is_a_record_for_each_system_and_summary_that_has_a_value(
    learnt_scores: Scores,
) -> None:
    means, first, second = contributions(learnt_scores)
    assert (means.document, means.system, means.value, means.content) == (None, "a", 1.0, 0.75)
    assert means.sd == pytest.approx(0.6)
    assert (first.document, second.document) == ("d1", "d2")
    assert second.repetition == -0.5
    for each in (means, first, second):
        parts = [getattr(each, part) for part in CONTRIBUTIONS]
        assert sum(parts) == pytest.approx(each.value)


def test_the_tables_show_them(learnt_scores: Scores) -> None:
    view = View(
        Study(contributions=tuple(contributions(learnt_scores))), Corpus(), learnt_scores, "rouge1"
    )
    systems, summaries = contribution_tables(view)
    assert [list(row[:3]) for row in systems.rows] == [["gistmark-1", "a", 1.0]]
    assert [list(row[:4]) for row in summaries.rows] == [
        ["gistmark-1", "d1", "a", 1.5],
        ["gistmark-1", "d2", "a", 0.5],
    ]


def test_without_a_learnt_metric_the_report_has_no_such_section(view: View) -> None:
    assert contribution_tables(view) == []
    assert list(contributions(None)) == []


@pytest.mark.usefixtures("blank_figures")
def test_the_section_stands_in_the_report(view: View, learnt_scores: Scores) -> None:
    from gistmark.report.figures import all_figures
    from gistmark.report.tables import all_tables

    study = Study(**{**vars(view.study), "contributions": tuple(contributions(learnt_scores))})
    learnt = View(study, view.corpus, view.scores, view.baseline)
    sections = outline(learnt, all_tables(learnt), all_figures(view))
    assert "Learnt metrics" in [section.title for section in sections]
