"""Comments of annotators: about an item, about a task, and why a task is given back."""

from __future__ import annotations

from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext

from gistmark.errors import UsageError, unknown_name
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Comment, Submission, Task
from gistmark.web.annotate.services.drafts import content_of, demand_own
from gistmark.web.annotate.services.leases import lock_task, release
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.storage.transactions import retried

LONGEST_COMMENT = 2000
MOST_COMMENTS = 100
"""So many comments one task may have: no person writes more."""
_KINDS = (Comment.Kind.COMMENT, Comment.Kind.PROBLEM)


@retried
def add_comment(
    task: Task, user: User, key: UUID, *, text: str, item: str = "", kind: str = "comment"
) -> Comment:
    """Store what an annotator says about their task; the same key again stores nothing."""
    task = lock_task(task.pk)
    demand_own(task, user)
    earlier = task.comments.filter(key=key).first()
    if earlier is not None:
        return earlier
    if kind not in _KINDS:
        raise unknown_name("kind of comment", kind, list(_KINDS))
    keys = [entry.key for entry in content_of(task).entries]
    if item and item not in keys:
        raise unknown_name("item", item, keys)
    words = _checked(text)
    if not words:
        raise UsageError(gettext("The comment is empty."))
    if task.comments.count() >= MOST_COMMENTS:
        raise ConflictError(
            gettext("A task may have at most %(most)s comments, and this one has that many.")
            % {"most": MOST_COMMENTS}
        )
    return Comment.objects.create(
        task=task, annotator=user, key=key, item=item, kind=kind, text=words
    )


@retried
def give_back(task: Task, user: User, *, reason: str = "", text: str = "") -> Task:
    """Release a task of one's own, and store why, where that is said."""
    if reason and reason not in Comment.Reason.values:
        raise unknown_name("reason", reason, Comment.Reason.values)
    words = _checked(text)
    released = release(task, user)
    if reason or words:
        Comment.objects.create(
            task=released, annotator=user, kind=Comment.Kind.RELEASE, reason=reason, text=words
        )
    return released


def comments_of(campaign: Campaign) -> QuerySet[Comment]:
    """All comments of a campaign, the newest first.

    `submission` is the current submission of the task, or None where nothing was submitted.
    """
    comments = Comment.objects.filter(task__campaign=campaign)
    current = Submission.objects.filter(task=OuterRef("task"), current=True)
    related = comments.select_related("task", "annotator")
    return related.annotate(submission=Subquery(current.values("pk")[:1]))


def _checked(text: str) -> str:
    text = text.strip()
    if len(text) > LONGEST_COMMENT:
        raise UsageError(
            gettext("The text has %(length)s characters; %(most)s are allowed.")
            % {"length": len(text), "most": LONGEST_COMMENT}
        )
    if "\0" in text:
        raise UsageError(gettext("The text must not have NUL characters (U+0000)."))
    return text
