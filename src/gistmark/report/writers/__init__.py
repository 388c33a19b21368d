"""One writer per format; each renders a `Table`."""

from gistmark.report.writers.delimited import csv_table
from gistmark.report.writers.html import html_table
from gistmark.report.writers.latex import latex_table
from gistmark.report.writers.markdown import markdown_table

__all__ = ["csv_table", "html_table", "latex_table", "markdown_table"]
