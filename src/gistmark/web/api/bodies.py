"""Reading the JSON of a request; what no database can hold is refused at the door."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from gistmark.errors import UsageError

LARGEST = 2 * 1024**2
"""JSON of more bytes than this is refused; corpora come as files."""
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StrictParser(Parser):
    """JSON without NUL characters, broken characters, NaN and infinity."""

    def parse_body(self, request: HttpRequest) -> Any:
        body = request.body
        if len(body) > LARGEST:
            raise UsageError(f"The request has {len(body)} bytes; {LARGEST} are allowed.")
        try:
            read = json.loads(body)
            sound = all(map(_is_sound, _leaves(read)))
        except (ValueError, RecursionError):
            raise UsageError("The request must hold JSON, but it cannot be read as such.") from None
        if not sound:
            raise UsageError(
                "The request has a NUL character, a broken character, or a number without end."
            )
        return read


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _is_sound(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, str) or is_storable(value)


def is_storable(text: str) -> bool:
    """Whether a database can hold the text: no NUL, and no half of a surrogate pair."""
    return _UNSTORABLE.search(text) is None
