"""What becomes of submitted work: the verdict in force, or why there is none yet; and the
work that counts, as results.

Accepted work counts. Work that a check flagged, and that no manager has decided on, is undecided:
it holds its slot, but counts nowhere as accepted. Work that came late holds no slot, and waits for
a manager too. The others have the verdict of their name (`gistmark.judgements.verdicts`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from gistmark.judgements.answers import Result, read_answer
from gistmark.judgements.tasks.slots import State as SlotState
from gistmark.judgements.tasks.slots import verdict_in
from gistmark.judgements.tasks.task import task_from
from gistmark.judgements.verdicts import Verdict
from gistmark.web.annotate.models import Decision, Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import texts_of
from gistmark.web.campaigns.services.protocols import protocol_of

Outcome = Literal["accepted", "undecided", "paid", "late", "rejected"]
_STATES = Task.State
OUTCOMES: Mapping[Outcome, Mapping[str, Any]] = {
    "accepted": {"state": _STATES.DONE, "flagged": False},
    "undecided": {"state": _STATES.DONE, "flagged": True},
    "paid": {"state": _STATES.PAID},
    "late": {"state": _STATES.LATE},
    "rejected": {"state": _STATES.REJECTED},
}
UNCOUNTED: tuple[Outcome, ...] = ("paid", "late", "rejected")
"""The work that does not count, and whose slots are open again or somebody else's."""
_HIDDEN = (_STATES.PAID, _STATES.LATE, _STATES.REJECTED)


def outcome_of(task: Task) -> Outcome | None:
    """What became of the work on a task; None where it has not been submitted."""
    for outcome, fields in OUTCOMES.items():
        if all(getattr(task, name) == value for name, value in fields.items()):
            return outcome
    return None


def verdict_of(work: Task | Submission) -> Verdict | None:
    """The verdict in force on a task, or on the current submission of one.

    None where nothing was submitted, where it waits for a manager (it is flagged, or came late),
    and for a submission that a newer one has replaced.
    """
    if isinstance(work, Submission):
        return verdict_of(work.task) if work.current else None
    undecided = outcome_of(work) == "undecided"
    return None if undecided else verdict_in(cast(SlotState, work.state))


def told(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """The tasks, each with `is_told`: whether its annotator may know what became of the work.

    What the checks say is not told while the campaign goes on, or their answers could be learnt by
    trying; what a manager decided is told. That work is paid but does not count is never told
    before the end: as a rule it follows from the checks.
    """
    decided = Decision.objects.filter(submission__task=OuterRef("pk"), undone=False)
    is_told = (Exists(decided) & ~Q(state=_STATES.PAID)) | Q(campaign__state=Campaign.State.CLOSED)
    return tasks.annotate(is_told=ExpressionWrapper(is_told, BooleanField()))


def shown_state(task: Task, *, is_told: bool) -> str:
    """The state of a task as its annotator sees it: what does not count looks like what does."""
    return task.state if is_told or not hidden(task) else _STATES.DONE


def hidden(task: Task) -> bool:
    """Whether the state of a task tells what annotators may not know before its time."""
    return task.state in _HIDDEN


def ordinary(prefix: str = "") -> Q:
    """A filter for people's tasks that are the campaign's own, and not given to adjudicate."""
    own = Q(**{f"{prefix}batch__adjudicates__isnull": True})
    return own & Q(**{f"{prefix}machine": False})


def by_machines(prefix: str = "") -> Q:
    """A filter for the tasks of machines, which count with none of people's."""
    return Q(**{f"{prefix}machine": True})


def having(*outcomes: Outcome, prefix: str = "") -> Q:
    """A filter for tasks (or, with the prefix `task__`, submissions) with one of the outcomes."""
    chosen = Q()
    for outcome in outcomes:
        chosen |= Q(**{f"{prefix}{name}": value for name, value in OUTCOMES[outcome].items()})
    return chosen


def counting(
    campaign: Campaign, *, undecided: bool = False, machines: bool = False
) -> QuerySet[Submission]:
    """The submissions that count: accepted ones, and on demand those that are undecided.

    They are those of people, unless those of `machines` are wanted instead.
    """
    outcomes: tuple[Outcome, ...] = ("accepted", "undecided") if undecided else ("accepted",)
    return Submission.objects.filter(
        having(*outcomes, prefix="task__"),
        by_machines("task__") if machines else ordinary("task__"),
        task__campaign=campaign,
        current=True,
    )


def accepted_results(
    campaign: Campaign,
    batches: Collection[int] | None = None,
    *,
    undecided: bool = False,
    machines: bool = False,
) -> Iterator[Result]:
    """The results that count, the current answers of all accepted tasks, batch by batch.

    They are those of people, unless those of `machines` are wanted instead.

    Annotators go by the name that they have now.

    `batches` are the primary keys of those that are wanted; by default it is all of them.
    `undecided` adds work that a check flagged and no manager has decided on.
    """
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    current = counting(campaign, undecided=undecided, machines=machines)
    if batches is not None:
        current = current.filter(task__batch__in=batches)
    columns = ("answer", "task__content", "annotator__username")
    rows = current.order_by("task__batch__number", "task_id").values_list(*columns)
    for answer, content, name in rows.iterator():
        assert content is not None, "a task that was submitted was opened"
        task = replace(task_from(content), annotator=name)
        yield Result(task, read_answer(answer, protocol, task, texts=texts))


@dataclass(frozen=True, slots=True)
class Arrived:
    """A result that counts, with the batch that it is of."""

    batch: int
    probability: float | None
    among: int | None
    result: Result


def results_as_they_came(campaign: Campaign, *, undecided: bool = False) -> Iterator[Arrived]:
    """The results that count, in the order in which they came in."""
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    columns = (
        "answer", "task__content", "annotator__username",
        "task__batch", "task__batch__probability", "task__batch__among",
    )  # fmt: skip
    current = counting(campaign, undecided=undecided).order_by("received_at", "pk")
    for answer, content, name, batch, probability, among in current.values_list(*columns):
        assert content is not None, "a task that was submitted was opened"
        task = replace(task_from(content), annotator=name)
        result = Result(task, read_answer(answer, protocol, task, texts=texts))
        yield Arrived(batch, probability, among, result)
