"""What the pages of a task send: JSON of limited size, checked field by field."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, JsonResponse

from gistmark.corpus.fields import Count, Kind
from gistmark.errors import GistmarkError, UsageError
from gistmark.judgements import Fault, FaultyInputError
from gistmark.judgements.fields import Fields
from gistmark.web.annotate.services import StaleDraftError
from gistmark.web.config.errors import status_of

LARGEST = 2 * 1024**2
"""An answer of more bytes than this is not a person's."""


@dataclass(frozen=True, slots=True)
class DraftBody:
    """A draft, and the version that it builds on."""

    answer: object
    version: int


@dataclass(frozen=True, slots=True)
class SubmissionBody:
    """An answer that is handed in, under a key that the sender has drawn."""

    answer: object
    key: UUID


def read_draft(request: HttpRequest) -> DraftBody:
    """The draft in a request; a `FaultyInputError` has everything that is wrong."""
    return DraftBody(**_read(request, {"answer": _Anything(), "version": Count()}))


def read_submission(request: HttpRequest) -> SubmissionBody:
    """The answer to hand in that a request holds."""
    return SubmissionBody(**_read(request, {"answer": _Anything(), "key": _Key()}))


def refusal(error: GistmarkError) -> JsonResponse:
    """The reply to what cannot be done: a sentence, what is wrong by field, the newer draft."""
    reply: dict[str, Any] = {"error": str(error)}
    if isinstance(error, FaultyInputError):
        faults = [{"field": fault.field, "message": fault.message} for fault in error.faults]
        reply = {"error": "Something in the answer is not right.", "faults": faults}
    if isinstance(error, StaleDraftError):
        reply |= {"draft": error.draft.answer, "version": error.draft.version}
    return JsonResponse(reply, status=status_of(error))


def _read(request: HttpRequest, kinds: dict[str, Kind]) -> dict[str, Any]:
    faults: list[Fault] = []
    given = Fields(_json(request), faults)
    read = {name: given.take(name, kind) for name, kind in kinds.items()}
    given.refuse_others()
    if faults:
        raise FaultyInputError(faults)
    return read


def _json(request: HttpRequest) -> object:
    body = request.body
    if len(body) > LARGEST:
        raise UsageError(f"The request has {len(body)} bytes; {LARGEST} are allowed.")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UsageError("The request must hold JSON, but it cannot be read as such.") from None


class _Anything(Kind):
    """A value that somebody else checks."""

    def value(self, value: object) -> object:
        return value


class _Key(Kind):
    """A UUID, as text."""

    expected = "a UUID such as 123e4567-e89b-42d3-a456-426614174000"

    def value(self, value: object) -> UUID:
        try:
            return UUID(value if isinstance(value, str) else "")
        except ValueError:
            raise self.wrong(value) from None
