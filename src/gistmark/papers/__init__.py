"""The papers behind Gistmark, recomputed from their released data, value by value."""

from __future__ import annotations

from gistmark.papers.paper import (
    Cell,
    Paper,
    Release,
    Source,
    Verdict,
    cell,
    locate,
    paper_named,
    paper_names,
    summary_line,
    verdict_on,
)

__all__ = [
    "Cell",
    "Paper",
    "Release",
    "Source",
    "Verdict",
    "cell",
    "locate",
    "paper_named",
    "paper_names",
    "summary_line",
    "verdict_on",
]
