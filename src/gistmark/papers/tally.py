"""How much of a paper was checked, in a line or two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gistmark.papers.cells import Cell


def summary_line(cells: Sequence[Cell]) -> str:
    """How many printed values were checked, how they came out, and what else was computed."""
    printed = [cell for cell in cells if cell.published is not None and cell.source == "print"]
    recomputed = [cell for cell in cells if cell.source == "recomputed"]
    verdicts = Counter(cell.verdict for cell in printed)
    skipped = verdicts["not checked"]
    sentences = [
        f"Checked {len(printed) - skipped} of {_count(len(printed), 'printed value')}: "
        f"{verdicts['exact']} exact, {verdicts['within rounding']} within rounding, "
        f"{verdicts['differs']} different; {skipped} not checked."
    ]
    if recomputed:
        exact = sum(cell.verdict == "exact" for cell in recomputed)
        sentences.append(
            f"Behind figures: {exact} of {_count(len(recomputed), 'value')} agree with another "
            "program to the last digit."
        )
    if extra := sum(cell.verdict == "no print" for cell in cells):
        sentences.append(f"Not in the paper: {_count(extra, 'further value')}.")
    return " ".join(sentences)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
