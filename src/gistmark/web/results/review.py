"""The work that was submitted, for managers to look at and decide on: a list, and one submission.

In the list, what a check flagged comes first, then the newest. A decision changes neither, so
whoever decides while going through it keeps their position. Of one submission there is the task as
its annotator saw it, and what managers alone may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, TextField, When
from django.db.models.functions import Cast

from gistmark import judgements
from gistmark.judgements.tasks.task import payload, task_from
from gistmark.judgements.verdicts import Verdict
from gistmark.records import Question
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import BatchItem, Comment, Submission
from gistmark.web.annotate.outcomes import Outcome, by_machines, having, ordinary, outcome_of
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import material_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import NotFoundError

SHOWS: dict[str, str] = {
    "all": "All",
    "to-review": "To review",
    "undecided": "Undecided",
    "accepted": "Accepted",
    "paid": "Paid, not counted",
    "late": "Late",
    "rejected": "Rejected",
    "machines": "Machines",
}
"""Which work can be shown, and how a page calls it."""
_CHOSEN = {
    "all": Q(),
    "to-review": Q(task__flagged=True),
    "undecided": having("undecided", prefix="task__"),
    "accepted": having("accepted", prefix="task__"),
    "paid": having("paid", prefix="task__"),
    "late": having("late", prefix="task__"),
    "rejected": having("rejected", prefix="task__"),
}
"""Of the work of people; that of machines is shown apart."""
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """Which submissions are wanted; what is empty filters nothing.

    `check` is the name of a check that flagged the work. `text` is looked for in names and titles
    of documents and in the summaries that were judged. `comments` is "yes" where only work with
    comments or reports of problems is wanted.
    """

    show: str = "all"
    annotator: str = ""
    check: str = ""
    text: str = ""
    comments: str = ""

    @property
    def query(self) -> dict[str, str]:
        """The filter as parts of an address."""
        parts = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in parts.items() if value and (name, value) != _ALL}


_ALL = ("show", "all")


def filter_from(sent: Any) -> WorkFilter:
    """The filter that an address asks for; anything unknown filters nothing."""
    show = sent.get("show", "all")
    names = ("annotator", "check", "text")
    parts = {name: sent.get(name, "").replace("\x00", "").strip()[:_LONGEST] for name in names}
    comments = "yes" if sent.get("comments") == "yes" else ""
    return WorkFilter(show if show in SHOWS else "all", **parts, comments=comments)


def submissions_of(campaign: Campaign, wanted: WorkFilter) -> QuerySet[Submission]:
    """The current submissions that match, in the order of the list, without their answers."""
    flagged = Case(When(_flags="[]", then=1), default=0)
    ordered = _matching(campaign, wanted).annotate(unflagged=flagged)
    return ordered.order_by("unflagged", "-received_at", "-pk")


def listed(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """The same with what a list shows of them; the number of queries is fixed."""
    items = BatchItem.objects.select_related("document").only(
        "batch", "position", "document__name", "document__title"
    )
    return (
        rows.select_related("task", "annotator")
        .defer("answer", "task__content")
        .prefetch_related(
            "decisions__manager", "task__comments", Prefetch("task__batch__items", queryset=items)
        )
    )


def counts_of(campaign: Campaign, wanted: WorkFilter) -> dict[str, int]:
    """How many submissions each choice of `show` has, whatever is chosen now."""
    everything = replace(wanted, show="all")
    counts = {
        name.replace("-", "_"): Count("pk", filter=chosen) if chosen else Count("pk")
        for name, chosen in _CHOSEN.items()
    }
    numbers = _matching(campaign, everything).order_by().aggregate(**counts)
    machines = _matching(campaign, replace(wanted, show="machines")).order_by().count()
    return {name: numbers[name.replace("-", "_")] for name in _CHOSEN} | {"machines": machines}


def annotators_with_work(campaign: Campaign) -> list[str]:
    """The names of all who have submitted something."""
    current = Submission.objects.filter(task__campaign=campaign, current=True)
    names = current.order_by("annotator__username").values_list("annotator__username", flat=True)
    return list(names.distinct())


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The submissions before and after one, its position from 1, and how many there are.

    The position is None where the submission itself no longer matches the filter.
    """

    before: int | None
    after: int | None
    position: int | None
    count: int


def neighbours(submission: Submission, rows: QuerySet[Submission]) -> Neighbours:
    """What comes before and after a submission among rows in the order of the list."""
    unflagged = int(not submission.flags)
    at, pk = submission.received_at, submission.pk
    earlier = Q(received_at__gt=at) | Q(received_at=at, pk__gt=pk)
    later = Q(received_at__lt=at) | Q(received_at=at, pk__lt=pk)
    before = rows.filter(Q(unflagged__lt=unflagged) | Q(earlier, unflagged=unflagged))
    after = rows.filter(Q(unflagged__gt=unflagged) | Q(later, unflagged=unflagged))
    numbers = before.values_list("pk", flat=True)
    inside = rows.filter(pk=pk).exists()
    ahead = numbers.count()
    return Neighbours(
        before=numbers.reverse().first(),
        after=after.values_list("pk", flat=True).first(),
        position=ahead + 1 if inside else None,
        count=rows.count(),
    )


def submission_of(campaign: Campaign, pk: int) -> Submission:
    """A submission of this campaign."""
    rows = Submission.objects.filter(task__campaign=campaign, pk=pk)
    submission = rows.select_related("task__batch", "annotator").first()
    if submission is None:
        raise NotFoundError("The campaign has no such submission.")
    submission.task.campaign = campaign
    return submission


def numbers_of(sent: Iterable[str]) -> list[int]:
    """The submissions that a form has ticked; what is no number of one is left out."""
    return [int(each) for each in sent if each.isascii() and each.isdigit() and len(each) < 18]


def _matching(campaign: Campaign, wanted: WorkFilter) -> QuerySet[Submission]:
    whose = by_machines if wanted.show == "machines" else ordinary
    rows = Submission.objects.filter(
        _CHOSEN.get(wanted.show, Q()), whose("task__"), task__campaign=campaign, current=True
    )
    rows = rows.annotate(_flags=Cast("flags", TextField()))
    if wanted.annotator:
        rows = rows.filter(annotator__username=wanted.annotator)
    if wanted.check:
        rows = rows.filter(_flags__contains=f'"kind": "{wanted.check}"')
    if wanted.text:
        text = wanted.text
        said = (
            Q(document__name__icontains=text)
            | Q(document__title__icontains=text)
            | Q(summaries__summary__text__icontains=text)
        )
        items = BatchItem.objects.filter(said, batch=OuterRef("task__batch"))
        rows = rows.filter(Exists(items))
    if wanted.comments:
        rows = rows.filter(Exists(Comment.objects.filter(task=OuterRef("task"))))
    return rows


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
