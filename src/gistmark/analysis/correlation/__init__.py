"""Correlation: coefficients, levels, subsets of summaries, and differences between metrics.

A coefficient is one object in one file, listed here once: its name, its labels, its value, its
test, and how it is resampled. Choices, labels and order everywhere come from this catalogue. A
plugin adds one through an entry point of the group `gistmark.coefficients`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmark.registry import Registry

if TYPE_CHECKING:
    from gistmark.analysis.correlation.coefficients import Coefficient

_HERE = "gistmark.analysis.correlation"

DEFAULT_COEFFICIENT = "spearman"
"""The coefficient that comes first by default."""


def _fault(candidate: object) -> str | None:
    from gistmark.analysis.correlation.coefficients import Coefficient

    return None if isinstance(candidate, Coefficient) else "is not a Coefficient"


COEFFICIENTS: Registry[Coefficient] = Registry(
    "coefficient",
    "gistmark.coefficients",
    {
        "pearson": f"{_HERE}.pearson:PEARSON",
        "spearman": f"{_HERE}.spearman:SPEARMAN",
        "kendall": f"{_HERE}.kendall:KENDALL",
    },
    check=_fault,
)


def shown_coefficients(first: str = DEFAULT_COEFFICIENT) -> tuple[str, ...]:
    """The names of all coefficients in the order in which people see them."""
    return tuple(dict.fromkeys((first, DEFAULT_COEFFICIENT, *COEFFICIENTS.names())))
