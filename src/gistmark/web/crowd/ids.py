"""The ids of markets, as they come with an address: checked before anything is looked up."""

from __future__ import annotations

import re

from gistmark.errors import UsageError
from gistmark.web.crowd.models import LONGEST_ID

_PATTERN = re.compile(rf"[A-Za-z0-9._~:@=+-]{{1,{LONGEST_ID}}}")


def is_id(value: str) -> bool:
    """Whether this can be an id of a market.

    >>> is_id("5f0c1d"), is_id("{{%PROLIFIC_PID%}}"), is_id("")
    (True, False, False)
    """
    return _PATTERN.fullmatch(value) is not None


def checked_id(value: str, what: str) -> str:
    """An id that a manager typed, without blanks around it."""
    value = value.strip()
    if not is_id(value):
        raise UsageError(
            f"The id of a {what} has 1 to {LONGEST_ID} letters, digits and . _ ~ : @ = + -, "
            f"not {value[:LONGEST_ID]!r}."
        )
    return value
