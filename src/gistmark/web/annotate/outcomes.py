"""What becomes of submitted work: it is accepted, undecided or rejected.

Work that a check flagged, and that no manager has decided on, is undecided: it holds its slot, but
counts nowhere as accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from gistmark.web.annotate.models import Decision, Task
from gistmark.web.campaigns.models import Campaign

Outcome = Literal["accepted", "undecided", "rejected"]
_STATES = Task.State
OUTCOMES: Mapping[Outcome, Mapping[str, Any]] = {
    "accepted": {"state": _STATES.DONE, "flagged": False},
    "undecided": {"state": _STATES.DONE, "flagged": True},
    "rejected": {"state": _STATES.REJECTED},
}


def outcome_of(task: Task) -> Outcome | None:
    """What became of the work on a task; None where it has not been submitted."""
    for outcome, fields in OUTCOMES.items():
        if all(getattr(task, name) == value for name, value in fields.items()):
            return outcome
    return None


def told(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """The tasks, each with `is_told`: whether its annotator may know what became of the work.

    What the checks say is not told while the campaign goes on, or their answers could be learnt
    by trying; what a manager decided is.
    """
    decided = Decision.objects.filter(submission__task=OuterRef("pk"), undone=False)
    closed = Q(campaign__state=Campaign.State.CLOSED)
    return tasks.annotate(is_told=ExpressionWrapper(Exists(decided) | closed, BooleanField()))


def shown_state(task: Task, *, is_told: bool) -> str:
    """The state of a task as its annotator sees it: rejected work looks like any other."""
    if task.state == _STATES.REJECTED and not is_told:
        return _STATES.DONE
    return task.state


def ordinary(prefix: str = "") -> Q:
    """A filter for tasks that are the campaign's own, and not given to somebody to adjudicate."""
    return Q(**{f"{prefix}batch__adjudicates__isnull": True})


def having(*outcomes: Outcome, prefix: str = "") -> Q:
    """A filter for tasks (or, with the prefix `task__`, submissions) with one of the outcomes."""
    chosen = Q()
    for outcome in outcomes:
        chosen |= Q(**{f"{prefix}{name}": value for name, value in OUTCOMES[outcome].items()})
    return chosen
