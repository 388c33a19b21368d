"""Comments: what annotators say about tasks and items, and the list of it for managers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema

from gistmark.web.annotate import services
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, Name, Page, Text, responses
from gistmark.web.interface.languages import use_language

router = Router()
campaigns = Router()


class NewComment(Schema):
    """What you say, and a key of your choice: the same one twice is the same comment.

    `item` is the key of an item of the task; without it the comment is about the whole task.
    """

    key: UUID
    text: Text
    item: Name = ""
    kind: Literal["comment", "problem"] = "comment"


class StoredOut(Schema):
    """When the comment was stored."""

    created_at: datetime


class CommentOut(Schema):
    """A comment; `about` names the document and systems of its item, or is empty.

    `kind` is `release` where a task was given back, and `reason` says why.
    """

    id: int
    slot: str
    annotator: str
    item: str
    about: str
    kind: str
    reason: str
    text: str
    created_at: datetime


class CommentsOut(Schema):
    """A page of comments, and how many there are in all."""

    comments: list[CommentOut]
    count: int


@router.post("/tasks/{int:id}/comments", response=responses(StoredOut), summary="Comment")
def comment_on_task(request: HttpRequest, id: int, sent: NewComment) -> dict[str, Any]:
    """Say something about your task or an item of it; the answer stays as it is."""
    user = person(request)
    use_language(request, services.language_of(id, user))
    stored = services.add_comment(
        services.task_for(user, id), user, sent.key, text=sent.text, item=sent.item, kind=sent.kind
    )
    return {"created_at": stored.created_at}


@campaigns.get("/{key}/comments", response=responses(CommentsOut), summary="List the comments")
def list_comments(request: HttpRequest, key: Key, page: Query[Page]) -> dict[str, Any]:
    """What annotators say about their tasks, and why they gave some back; the newest first."""
    comments = services.comments_of(managed(request, key))
    part = comments[page.offset : page.offset + page.limit]
    listed = [
        {
            "id": each.pk,
            "slot": each.task.slot,
            "annotator": each.annotator.username,
            **{name: getattr(each, name) for name in ("item", "about", "kind", "reason", "text")},
            "created_at": each.created_at,
        }
        for each in part
    ]
    return {"comments": listed, "count": comments.count()}
