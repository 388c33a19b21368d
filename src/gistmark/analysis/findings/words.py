"""How a study puts things into words: names, lists, counts and numbers.

Tables, figures, findings and pages all ask here, so that a number looks the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gistmark.analysis.correlation import COEFFICIENTS, DEFAULT_COEFFICIENT
from gistmark.analysis.studies.records import AGAINST_REST

_ALPHA = "Krippendorff’s alpha"

STATISTICS = {
    "alpha": f"{_ALPHA}, left and right as stored",
    "alpha-symmetric": f"{_ALPHA}, regardless of side",
    "alpha-nominal": f"{_ALPHA}, nominal",
    "alpha-ordinal": f"{_ALPHA}, ordinal",
    "alpha-interval": f"{_ALPHA}, interval",
    "alpha-ratio": f"{_ALPHA}, ratio",
    "fleiss-kappa": "Fleiss’ kappa",
    "cohen-kappa": "Cohen’s kappa",
    "weighted-kappa": "Weighted kappa, quadratic",
    "weighted-kappa-linear": "Weighted kappa, linear",
    "ac1": "Gwet’s AC1",
    "ac2": "Gwet’s AC2, ordinal weights",
    "ac2-quadratic": "Gwet’s AC2, quadratic weights",
    "brennan-prediger": "Brennan and Prediger’s coefficient",
    "brennan-prediger-ordinal": "Brennan and Prediger’s coefficient, ordinal weights",
    "icc1": "ICC(1,1)",
    "icc1k": "ICC(1,k)",
    "icc2": "ICC(2,1)",
    "icc2k": "ICC(2,k)",
    "icc3": "ICC(3,1)",
    "icc3k": "ICC(3,k)",
    "cv": "Coefficient of variation",
    "split-k-rest": "Some against rest, Spearman",
    "pairwise-agreement": "Share of the majority",
    "transitivity": "Transitivity of annotators",
    "transitivity-majority": "Transitivity of majorities",
    "span-kappa": "Fleiss’ kappa on words",
    "span-kappa-min": "Fleiss’ kappa on words, lowest",
    "span-kappa-max": "Fleiss’ kappa on words, highest",
    "span-alpha": f"{_ALPHA} on words",
    "span-f1": "Pairwise F1 on words",
    "char-f1": "Pairwise F1 on characters",
    "gamma": "Gamma of spans",
    "alpha-masi": f"{_ALPHA}, MASI distance of sets",
    "raw-agreement": "Share of pairs who answer the same",
    "kendall-tau": "Kendall’s tau-b of two annotators",
    "kendall-w": "Kendall’s W",
    "split-half": "Split-half reliability, Spearman",
    "union-coverage": "Words that anybody highlighted",
    "second-half": "Highlights in the second half",
}


CORRECTIONS = {
    "holm": "Holm’s correction",
    "benjamini-hochberg": "Benjamini and Hochberg’s correction",
    "none": "not corrected",
}


def coefficient(code: str) -> str:
    """A coefficient's name for people."""
    return COEFFICIENTS.get(code).label if code in COEFFICIENTS else code


def correction(code: str) -> str:
    """How p values were corrected, for people."""
    return CORRECTIONS.get(code, code)


def statistic(code: str) -> str:
    """A statistic's name for people; one that is not known here goes by its own."""
    if code.startswith(AGAINST_REST):
        name = code.removeprefix(AGAINST_REST).removeprefix("-") or DEFAULT_COEFFICIENT
        return f"Annotator against rest, {coefficient(name)}"
    return STATISTICS.get(code, code)


def listed(names: Sequence[str], most: int = 5) -> str:
    """`a`, `a and b`, `a, b and c`, or the first few `and 7 more`."""
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1]))) if shown else ""


def counted(number: int, noun: str) -> str:
    """`1 system`, `25 systems`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def number(count: int) -> str:
    """A small number in words: `four`."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def sentence(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


DASH = "—"
"""Stands where a value is not defined."""

_NOTHING = 1e-9
"""Less than this is rounding."""

_MOST_DECIMALS = 9


def show_number(value: float | None) -> str:
    """About four significant digits, never an exponent: 0.123, 12.35, 123.5, 12,346.

    What three decimals would show as zero, and is not, has one digit that counts: -0.0003.
    """
    if value is None or not math.isfinite(value):
        return DASH
    size = abs(value)
    if size < _NOTHING:
        return "0.000"
    decimals = 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0
    while decimals < _MOST_DECIMALS and round(size, decimals) == 0:
        decimals += 1
    return f"{value:,.{decimals}f}"


def show_count(value: int | None) -> str:
    """A whole number with commas between the thousands."""
    return DASH if value is None else f"{value:,}"


def show_p(value: float | None) -> str:
    """A p-value to three decimals, or that it is smaller."""
    if value is None or not math.isfinite(value):
        return DASH
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def show_percent(share: float) -> str:
    """A share in whole percent; 0 % and 100 % are only shown where they are exact."""
    if 0 < share < 0.005:
        return "less than 1 %"
    return "over 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def show_percent_interval(low: float | None, high: float | None) -> str:
    """` [55 %, 70 %]` with a space in front, or nothing when a bound is missing."""
    if low is None or high is None:
        return ""
    return f" [{show_percent(low)}, {show_percent(high)}]"


def show_interval(low: float | None, high: float | None) -> str:
    """`[low, high]`, or nothing when a bound is missing."""
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"[{show_number(low)}, {show_number(high)}]"


def show_estimate(value: float | None, low: float | None, high: float | None) -> str:
    """A value with its interval where there is one."""
    return f"{show_number(value)} {show_interval(low, high)}".rstrip()
