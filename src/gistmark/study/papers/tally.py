"""How much of a paper could be recomputed, in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gistmark.study.papers.cells import Cell


def summary_line(cells: Sequence[Cell]) -> str:
    """How many printed values are recomputed exactly, and what became of the others."""
    printed = [cell for cell in cells if cell.published is not None and cell.source == "print"]
    shown = [cell for cell in cells if cell.published is not None and cell.source != "print"]
    checked = Counter(cell.verdict for cell in printed if cell.value is not None)
    unchecked = sum(cell.value is None for cell in printed)
    parts = [
        f"{checked['exact']} of {checked.total()} printed values that the released data can check "
        f"are recomputed exactly, {checked['within rounding']} within rounding, "
        f"{checked['not reproducible']} not"
    ]
    if shown:
        exact = sum(cell.verdict == "exact" for cell in shown)
        parts.append(
            f"{exact} of {len(shown)} values behind figures agree with another program to the "
            "last digit"
        )
    if unchecked:
        parts.append(f"{unchecked} printed values cannot be checked")
    if extra := sum(cell.verdict == "no print" for cell in cells):
        parts.append(f"{extra} more values are not in the paper")
    return "; ".join(parts) + "."
