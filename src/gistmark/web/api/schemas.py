"""What requests and responses of the API share: the JSON of a body, kinds of values, pages, errors.

What no database can hold is refused at the door.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Schema
from ninja.parser import Parser
from pydantic import AfterValidator, Field, StringConstraints

from gistmark.errors import UsageError

LARGEST = 2 * 1024**2
"""JSON of more bytes than this is refused: it is no person's answer, and corpora come as files."""
PAGE = 50
MOST = 200
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
                "The request has a NUL character, an invalid character, or a number that is not "
                "finite."
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
    return not isinstance(value, str) or _UNSTORABLE.search(value) is None


def _storable(text: str) -> str:
    """The text, if a database can hold it: no NUL, and no half of a surrogate pair."""
    if _UNSTORABLE.search(text) is not None:
        raise ValueError("it has a NUL or an invalid character")
    return text


Text = Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_storable)]
Name = Annotated[str, StringConstraints(max_length=500), AfterValidator(_storable)]
Key = Annotated[str, Path(pattern="^[0-9a-f]{10}$", description="The key of a campaign.")]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Error(Schema):
    """What went wrong, in a sentence; `faults` say it by field where an answer is wrong.

    Where a draft was changed elsewhere, `draft` and `version` are what is stored, and `revision`
    where a protocol was.
    """

    detail: str
    faults: list[dict[str, str]] | None = None
    draft: dict[str, Any] | None = None
    version: int | None = None
    revision: str | None = None


class Page(Schema):
    """Which part of a list is wanted."""

    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST)] = PAGE


ERRORS = (400, 401, 403, 404, 409, 413, 422)
"""The errors that any operation may have; the description of the API names them once for all."""


def responses(model: Any, status: int = 200) -> dict[Any, Any]:
    """The response of an operation where nothing is wrong."""
    return {status: model}
