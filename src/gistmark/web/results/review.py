"""The work that was submitted, for the manager to look at: flagged first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, QuerySet, When

from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.errors import NotFoundError

_STATES = Task.State
SHOWS = {
    "all": "everything",
    "to-review": "what is to review",
    "accepted": "accepted",
    "rejected": "rejected",
}
"""Which work can be shown, and how a page calls it."""


@dataclass(frozen=True, slots=True)
class EntryAnswer:
    """What a submission says about one entry of its task."""

    key: str
    about: str
    values: tuple[tuple[str, str], ...]
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Decided:
    """A manager's decision, as the audit trail has it."""

    manager: str
    accepted: bool
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A submission as the manager sees it; `reasons` are those of the checks.

    `code` is the completion code, where the campaign gives any.
    """

    submission: Submission
    code: str | None
    reasons: tuple[str, ...]
    answers: tuple[EntryAnswer, ...]
    reply: str
    decisions: tuple[Decided, ...]

    @property
    def accepted(self) -> bool:
        return self.submission.task.state == _STATES.DONE


def current_submissions(
    campaign: Campaign, show: str = "all", annotator: str | None = None
) -> QuerySet[Submission]:
    """The current submissions: those that wait for the manager first, then the newest."""
    current = Submission.objects.filter(task__campaign=campaign, current=True)
    if show == "to-review":
        current = current.filter(task__flagged=True)
    elif show in ("accepted", "rejected"):
        state = _STATES.DONE if show == "accepted" else _STATES.REJECTED
        current = current.filter(task__state=state)
    if annotator:
        current = current.filter(annotator__username=annotator)
    waiting = Case(When(task__flagged=True, then=0), default=1)
    related = current.select_related("task", "annotator")
    return related.prefetch_related("decisions__manager").order_by(waiting, "-received_at", "-pk")


def submission_of(campaign: Campaign, pk: int) -> Submission:
    """A submission of this campaign."""
    submission = Submission.objects.filter(task__campaign=campaign, pk=pk).first()
    if submission is None:
        raise NotFoundError("The campaign has no such submission.")
    return submission


def reviewed(campaign: Campaign, submissions: Iterable[Submission]) -> list[Reviewed]:
    """The submissions of a campaign with what they say, for a page."""
    return [
        Reviewed(
            submission=each,
            code=shown_code(each.task, campaign),
            reasons=tuple(flag["reason"] for flag in each.flags),
            answers=tuple(_answers(each)),
            reply=_reply(each),
            decisions=tuple(
                Decided(one.manager.username, one.accepted, one.reason, one.created_at)
                for one in each.decisions.all()
            ),
        )
        for each in submissions
    ]


def _answers(submission: Submission) -> Iterator[EntryAnswer]:
    content = submission.task.content or {"entries": []}
    for entry in content["entries"]:
        given = submission.answer["items"].get(entry["key"], {})
        yield EntryAnswer(entry["key"], _about(entry), tuple(_values(given)), given.get("seconds"))


def _about(entry: dict[str, Any]) -> str:
    if entry["planted"]:
        return f"planted: {entry['planted']}"
    return " · ".join([entry["document"], *entry["systems"]])


def _values(given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, rating in given.get("ratings", {}).items():
        extra = [str(rating[part]) for part in ("confidence", "weight") if rating.get(part)]
        yield name, str(rating["value"]) + (f" ({', '.join(extra)})" if extra else "")
    yield from given.get("choices", {}).items()
    if "highlights" in given:
        yield "highlights", str(len(given["highlights"]))


def _reply(submission: Submission) -> str:
    """What was answered to the True/False statement, if there was one."""
    question = (submission.task.content or {}).get("question")
    if question is None:
        return ""
    words = {True: "true", False: "false", None: "nothing"}
    reply, right = words[submission.answer.get("reply")], words[question["answer"]]
    return f"“{question['statement']}” is {right}; the annotator said {reply}."
