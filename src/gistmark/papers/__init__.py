"""The papers behind Gistmark, recomputed from their released data, value by value."""

from __future__ import annotations

from gistmark.papers.catalogue import paper_named, paper_names
from gistmark.papers.cells import Cell, Source, Verdict, cell, verdict_on
from gistmark.papers.paper import Paper, Release, locate
from gistmark.papers.tally import summary_line

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
