"""How numbers look, in one place: tables, figures, findings and pages all ask here."""

from __future__ import annotations

import math

DASH = "—"
"""Stands where a value is not defined."""

_NOTHING = 1e-9
"""Less than this is rounding."""

_MOST_PLACES = 9


def show_number(value: float | None) -> str:
    """About four significant digits, never an exponent: 0.123, 12.35, 123.5, 12,346.

    What three decimals would show as zero, and is not, has one digit that counts: -0.0003.
    """
    if value is None or not math.isfinite(value):
        return DASH
    size = abs(value)
    if size < _NOTHING:
        return "0.000"
    places = 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0
    while places < _MOST_PLACES and round(size, places) == 0:
        places += 1
    return f"{value:,.{places}f}"


def show_count(value: int | None) -> str:
    """A whole number with commas between the thousands."""
    return DASH if value is None else f"{value:,}"


def show_p(value: float | None) -> str:
    """A p-value to three decimals, or that it is smaller."""
    if value is None or not math.isfinite(value):
        return DASH
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def show_interval(low: float | None, high: float | None) -> str:
    """`[low, high]`, or nothing when a bound is missing."""
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"[{show_number(low)}, {show_number(high)}]"


def show_estimate(value: float | None, low: float | None, high: float | None) -> str:
    """A value with its interval where there is one."""
    return f"{show_number(value)} {show_interval(low, high)}".rstrip()
