"""One submission for review: the task as its annotator saw it, and what managers alone may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gistmark import judgements
from gistmark.judgements import Verdict, payload, task_from
from gistmark.records import Question
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Comment, Submission
from gistmark.web.annotate.outcomes import Outcome, outcome_of
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import material_of, protocol_of


@dataclass(frozen=True, slots=True)
class ReviewedEntry:
    """One entry of the task: what it is, and what was answered, in words.

    `reasons` are those of checks that are about this entry alone.
    """

    key: str
    document: str | None
    systems: tuple[str, ...]
    planted: str | None
    values: tuple[tuple[str, str], ...]
    seconds: float | None
    reasons: tuple[str, ...]
    comments: tuple[Comment, ...]


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A manager's decision, as the audit trail has it."""

    manager: str
    verdict: Verdict
    reason: str
    at: datetime
    undone: bool

    @property
    def sentence(self) -> str:
        """What was decided, as it follows the manager's name."""
        words: Mapping[Verdict, str] = {
            "counts": "accepted it",
            "paid": "decided to pay but not count it",
            "rejected": "rejected it",
        }
        return words[self.verdict]


@dataclass(frozen=True, slots=True)
class ReviewedSubmission:
    """A submission with everything about it; `payload` is what the annotator's browser got.

    `reasons` are those of the checks that are about the task as a whole. `code` is the completion
    code, where the campaign gives any. `question` is the statement with its right answer.
    `comments` are those about the whole task.
    """

    submission: Submission
    outcome: Outcome | None
    payload: dict[str, Any]
    entries: tuple[ReviewedEntry, ...]
    reasons: tuple[str, ...]
    question: Question | None
    reply: bool | None
    code: str | None
    decisions: tuple[DecisionLine, ...]
    comments: tuple[Comment, ...]

    @property
    def all_reasons(self) -> str:
        """What all checks said, as one text."""
        return " ".join(flag["reason"] for flag in self.submission.flags)


def reviewed(campaign: Campaign, submission: Submission) -> ReviewedSubmission:
    """A submission as a manager of its campaign sees it."""
    task = submission.task
    assert task.content is not None, "a task that was submitted was opened"
    content = task_from(task.content)
    documents = {entry.document for entry in content.entries if entry.document is not None}
    comments = tuple(task.comments.order_by("pk"))
    shown = payload(content, protocol_of(campaign), material_of(campaign, documents))
    return ReviewedSubmission(
        submission=submission,
        outcome=outcome_of(task),
        payload=shown | {"draft": submission.answer, "version": 0},
        entries=tuple(_entry(each, submission, comments) for each in content.entries),
        reasons=tuple(
            flag["reason"]
            for flag in submission.flags
            if not any(_is_about(flag, entry) for entry in content.entries)
        ),
        question=content.question,
        reply=submission.answer.get("reply"),
        code=shown_code(task, campaign),
        decisions=tuple(_decisions(submission)),
        comments=tuple(each for each in comments if not each.item),
    )


def values_of(given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The answer to one entry in words: dimensions with their values, or the number of marks."""
    for name, rating in given.get("ratings", {}).items():
        extra = [f"{part} {rating[part]}" for part in ("confidence", "weight") if rating.get(part)]
        yield name, str(rating["value"]) + (f" ({', '.join(extra)})" if extra else "")
    yield from given.get("choices", {}).items()
    if "highlights" in given:
        yield "highlights", str(len(given["highlights"]))
    if "units" in given:
        yield "content units", str(len(given["units"]))
    if "presence" in given:
        marks = given["presence"].values()
        yield "units stated", f"{sum(marks)} of {len(marks)}"


def _entry(
    entry: judgements.Entry, submission: Submission, comments: Iterable[Comment]
) -> ReviewedEntry:
    given = submission.answer["items"].get(entry.key, {})
    return ReviewedEntry(
        key=entry.key,
        document=entry.document,
        systems=entry.systems,
        planted=entry.planted,
        values=tuple(values_of(given)),
        seconds=given.get("seconds"),
        reasons=tuple(flag["reason"] for flag in submission.flags if _is_about(flag, entry)),
        comments=tuple(each for each in comments if each.item == entry.key),
    )


def _is_about(flag: dict[str, Any], entry: judgements.Entry) -> bool:
    """Whether a check names this entry, by its number or as one that was planted."""
    if flag["kind"] == "planted":
        return entry.planted is not None
    named: Iterable[str] = (f"item {entry.key} ", f"document {entry.document!r}.")
    return flag["kind"] != "question" and any(name in flag["reason"] for name in named)


def _decisions(submission: Submission) -> Iterator[DecisionLine]:
    for each in submission.decisions.select_related("manager"):
        yield DecisionLine(
            each.manager.username, each.verdict, each.reason, each.created_at, each.undone
        )
