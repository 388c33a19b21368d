"""Filters for numbers: durations, and values of statistics."""

from __future__ import annotations

from django import template

register = template.Library()
NOTHING = "–"


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as a person says them: 42 s, 3 min 20 s, 2 h 5 min; a dash where there are none."""
    if seconds is None:
        return NOTHING
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"


@register.filter
def value(number: float | None) -> str:
    """A statistic with as many digits as tell something; a dash where it is not defined."""
    if number is None:
        return NOTHING
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"
