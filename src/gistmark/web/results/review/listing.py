"""Which work to look at: filters, counts, and what comes before and after a submission.

What a check flagged comes first, then the newest. A decision changes neither, so whoever decides
while going through a list keeps their position in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, TextField, When
from django.db.models.functions import Cast

from gistmark.web.annotate.models import BatchItem, Comment, Submission
from gistmark.web.annotate.outcomes import by_machines, having, ordinary
from gistmark.web.campaigns.models import Campaign
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
