"""The report: the results of a study, as a folder that a person sends to a colleague."""

from gistmark.report.folder import write_report
from gistmark.report.pages.metric_leaderboard import Entry, render_leaderboard, update_leaderboard

__all__ = ["Entry", "render_leaderboard", "update_leaderboard", "write_report"]
