"""Plain tables on the terminal: columns that line up, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import click


def print_columns(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a head, every column as wide as its widest cell."""
    table = [tuple(head), *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
