"""Filters for numbers: durations, and what the study found out, as it shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import template

register = template.Library()
NOTHING = "—"


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
    """A number as the study shows it everywhere."""
    from gistmark.analysis.findings.words import show_number

    return show_number(number)


@register.filter
def estimate(record: Any, name: str = "value") -> str:
    """A value of a record with its interval, as the study shows it: `0.5 [0.4, 0.6]`."""
    from gistmark.analysis.findings.words import show_estimate

    numbers = record if isinstance(record, Mapping) else asdict(record)
    return show_estimate(numbers[name], numbers["low"], numbers["high"])


@register.filter
def p_value(number: float | None) -> str:
    """A p value as the study shows it."""
    from gistmark.analysis.findings.words import show_p

    return show_p(number)


@register.filter
def statistic(code: str) -> str:
    """The name of a statistic of agreement, as the study says it."""
    from gistmark.analysis.findings import words

    return words.statistic(code)
