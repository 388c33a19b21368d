"""Previews: a task of a campaign in any state, and what would become of an answer to it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema

from gistmark.web.annotate import services
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, responses
from gistmark.web.interface.languages import use_language

router = Router()


class PreviewEntry(Schema):
    """What managers know of an item: its document, its systems as shown, whether it is planted."""

    key: str
    document: str | None
    systems: list[str]
    planted: str | None


class PreviewOut(Schema):
    """A task: `task` is what an annotator gets, `entries` and `answer` what only managers know.

    `answer` is the right answer to the statement at the end; `lacking` was left out of the task.
    """

    number: int
    count: int
    lacking: list[str]
    entries: list[PreviewEntry]
    answer: bool | None
    task: dict[str, Any]


class PreviewAnswer(Schema):
    """A whole answer."""

    answer: dict[str, Any]


class OutcomeOut(Schema):
    """What would become of an answer; `message` is what its annotator would read."""

    outcome: Literal["accepted", "flagged", "paid", "rejected"]
    sentence: str
    reasons: list[str]
    message: str


@router.get("/{key}/preview/{int:number}", response=responses(PreviewOut), summary="Preview a task")
def get_preview(request: HttpRequest, key: Key, number: int) -> dict[str, Any]:
    """Task `number`, from 1, as an annotator would get it, with what only managers know."""
    return shown_preview(services.preview_task(managed(request, key), person(request), number))


def shown_preview(previewed: services.PreviewedTask) -> dict[str, Any]:
    """A previewed task as the API shows it."""
    seen = previewed.preview
    return {
        "number": seen.number,
        "count": seen.count,
        "lacking": list(seen.lacking),
        "entries": [asdict(entry) for entry in seen.task.entries],
        "answer": None if seen.task.question is None else seen.task.question.answer,
        "task": previewed.payload,
    }


@router.post(
    "/{key}/preview/{int:number}", response=responses(OutcomeOut), summary="Check a preview"
)
def check_preview(
    request: HttpRequest, key: Key, number: int, sent: PreviewAnswer
) -> dict[str, Any]:
    """What would become of an answer to a previewed task; nothing is stored."""
    campaign = managed(request, key)
    use_language(request, campaign.language)
    return asdict(services.check_preview(campaign, person(request), number, sent.answer))
