"""The key findings in plain words: which system, which metric, how far people agree."""

from __future__ import annotations

from gistmark.report.findings.agreement import agreement_findings
from gistmark.report.findings.finding import Finding
from gistmark.report.findings.metrics import best_metric, metric_against_annotators
from gistmark.report.findings.systems import best_system
from gistmark.report.views import View

__all__ = ["Finding", "key_findings"]


def key_findings(view: View) -> list[Finding]:
    """The findings that open the report; what cannot be said is said to be so."""
    return [
        best_system(view),
        best_metric(view),
        *metric_against_annotators(view),
        *agreement_findings(view),
    ]
