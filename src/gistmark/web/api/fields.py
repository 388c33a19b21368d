"""Kinds of values that the API's operations share."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Path, Schema
from pydantic import AfterValidator, Field, StringConstraints

from gistmark.web.api.bodies import is_storable

PAGE = 50
MOST = 200


def _storable(text: str) -> str:
    if not is_storable(text):
        raise ValueError("it has a NUL or a broken character")
    return text


Text = Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_storable)]
Name = Annotated[str, StringConstraints(max_length=500), AfterValidator(_storable)]
Key = Annotated[str, Path(pattern="^[0-9a-f]{10}$", description="The key of a campaign.")]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Error(Schema):
    """What went wrong, in a sentence; `faults` say it by field where an answer is wrong."""

    detail: str
    faults: list[dict[str, str]] | None = None
    draft: dict[str, Any] | None = None
    version: int | None = None


class Page(Schema):
    """Which part of a list is wanted."""

    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    limit: Annotated[int, Field(ge=1, le=MOST)] = PAGE


def responses(model: Any, status: int = 200) -> dict[Any, Any]:
    """The answers of an operation: its own, and the errors that any of them may have."""
    return {status: model} | dict.fromkeys((400, 401, 403, 404, 409, 413, 422), Error)
