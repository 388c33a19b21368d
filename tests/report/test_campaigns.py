"""The tables that put campaigns beside each other, as HighRES's Tables 2 and 3 do."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from gistmark.analysis import StudyOptions
from gistmark.analysis import study as make_study
from gistmark.analysis.data.campaigns import by_campaign
from gistmark.corpus import Corpus
from gistmark.records import Condition, Rating, Summary
from gistmark.report import write_report
from gistmark.report.tables.campaigns import campaign_tables
from gistmark.report.views import View

VALUES = {"Highlights": 60.0, "Reference": 30.0}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Two modes, two systems (the second ten points better), two dimensions in the first."""
    ratings = [
        Rating(f"d{d}", f"s{s}", f"{campaign}{k}", dimension, base + 10 * s + d % 3 + k,
               campaign=campaign)
        for campaign, base in VALUES.items()
        for dimension in ("precision", "recall")[: 2 if campaign == "Highlights" else 1]
        for d in range(6) for s in range(2) for k in range(3)
    ]  # fmt: skip
    return Corpus(
        summaries=tuple(
            Summary(f"d{d}", f"s{s}", f"{d} {s}") for d in range(6) for s in range(2)
        ),
        ratings=tuple(ratings),
        conditions=(Condition("Highlights", shows="heat-map"), Condition("Reference")),
    )  # fmt: skip


def test_a_row_is_a_system_and_a_column_a_campaign_and_dimension(corpus: Corpus):
    study = make_study(corpus, None, StudyOptions(resamples=40, by="campaign"))
    means, spreads, differences = campaign_tables(View(study, corpus, None, "rouge1"))
    assert [column.key for column in means.columns] == [
        "system", "Highlights: precision", "Highlights: recall", "Reference: precision",
    ]  # fmt: skip
    by_system = {row[0]: row[1:] for row in means.rows[:2]}
    assert [cell.value for cell in by_system["s1"]] == pytest.approx([72.0, 72.0, 42.0])
    assert [cell.value for cell in by_system["s0"]] == pytest.approx([62.0, 62.0, 32.0])
    assert "Highlights: heat-map" in means.note
    assert [column.key for column in spreads.columns] == [column.key for column in means.columns]
    assert {row[0] for row in differences.rows} == {"precision"}


def test_the_report_has_a_section_of_campaigns_and_files_of_its_tables(
    corpus: Corpus, tmp_path: Path
):
    study = make_study(corpus, None, StudyOptions(resamples=40, by="campaign"))
    page = write_report(study, by_campaign(corpus), None, tmp_path)
    assert 'id="campaigns"' in page.read_text()
    assert "## Campaigns" in (tmp_path / "report.md").read_text()
    for name in ("modes_mean", "modes_cv", "mode_differences"):
        assert (tmp_path / "tables" / f"{name}.tex").is_file()
        rows = list(csv.DictReader((tmp_path / "tables" / f"{name}.csv").open()))
        assert rows


def test_one_campaign_has_no_such_tables(view: View):
    assert campaign_tables(view) == []
