"""Options that are shares: numbers from 0 to 1."""

from __future__ import annotations

from gistmark.errors import UsageError


def require_shares(system: str, **values: float) -> None:
    """Refuse a value that is no share; the values are named as their options."""
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise UsageError(f"{system}:{name}: {value:g} is not a number from 0 to 1.")
