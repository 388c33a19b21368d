"""The tables of the report: each is built once, and every writer renders it."""

from __future__ import annotations

from gistmark.report.table import Table
from gistmark.report.tables.agreement import (
    agreement_details_table,
    agreement_overview_table,
    agreement_table,
    annotators_by_dimension_table,
    annotators_table,
    highlight_tables,
    judge_tables,
    machine_tables,
    variance_tables,
)
from gistmark.report.tables.campaigns import campaign_tables
from gistmark.report.tables.confidence import confidence_tables, hard_documents_tables
from gistmark.report.tables.correlation import (
    conditions_table,
    correlation_table,
    correlation_tables,
    differences_table,
    dimension_tables,
    headline_differences_table,
    headline_table,
)
from gistmark.report.tables.fewer_judgements import powered_tables, sequential_tables
from gistmark.report.tables.leaderboard import (
    human_scores_table,
    leaderboard_table,
    notes_table,
    signatures_table,
    systems_by_metric_table,
)
from gistmark.report.tables.metrics import (
    accuracy_difference_tables,
    accuracy_tables,
    contribution_tables,
    gap_tables,
)
from gistmark.report.tables.questions import error_tables, question_tables
from gistmark.report.tables.ranking import (
    first_ranking_tables,
    fit_tables,
    length_tables,
    metric_ranking_table,
    pairs_table,
    preferences_tables,
    ranking_table,
)
from gistmark.report.views import View

__all__ = ["all_tables"]


def all_tables(view: View) -> dict[str, Table]:
    """Every table by name, in the order of the report."""
    tables = [
        *first_ranking_tables(view),
        pairs_table(view),
        *preferences_tables(view),
        *fit_tables(view),
        *length_tables(view),
        leaderboard_table(view),
        systems_by_metric_table(view),
        *campaign_tables(view),
        ranking_table(view),
        metric_ranking_table(view),
        *question_tables(view),
        headline_table(view),
        *correlation_tables(view),
        *dimension_tables(view),
        correlation_table(view),
        conditions_table(view),
        *accuracy_tables(view),
        *gap_tables(view),
        headline_differences_table(view),
        differences_table(view),
        *accuracy_difference_tables(view),
        *contribution_tables(view),
        *error_tables(view),
        agreement_overview_table(view),
        agreement_table(view),
        agreement_details_table(view),
        *confidence_tables(view),
        *hard_documents_tables(view),
        *machine_tables(view),
        *judge_tables(view),
        *highlight_tables(view),
        *powered_tables(view),
        *sequential_tables(view),
        *variance_tables(view),
        annotators_table(view),
        annotators_by_dimension_table(view),
        human_scores_table(view),
        notes_table(view),
        signatures_table(view),
    ]
    return {table.name: table for table in tables}
