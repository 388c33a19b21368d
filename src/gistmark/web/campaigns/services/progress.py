"""How far campaigns and their annotators have come: counts of slots, a query for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from django.db.models import Count, Q, QuerySet

from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign, Membership

_STATES = Task.State


@dataclass(frozen=True, slots=True)
class Progress:
    """Slots by state; `flagged` are those that wait for a word of the manager."""

    open: int = 0
    held: int = 0
    done: int = 0
    rejected: int = 0
    lapsed: int = 0
    flagged: int = 0

    @property
    def wanted(self) -> int:
        """How many results there will be."""
        return self.open + self.held + self.done


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who takes part, with what they have and have done."""

    name: str
    role: str
    active: bool
    progress: Progress

    @property
    def given(self) -> int:
        """Everything that was ever given to them and not given up."""
        return self.progress.held + self.progress.done + self.progress.rejected


def progress_of(campaigns: Iterable[Campaign]) -> dict[int, Progress]:
    """The progress of each campaign by its number; one without slots has none of anything."""
    wanted = [campaign.pk for campaign in campaigns]
    found = _by("campaign", Task.objects.filter(campaign__in=wanted))
    return {pk: found.get(pk, Progress()) for pk in wanted}


def members_of(campaign: Campaign) -> tuple[Member, ...]:
    """Everybody who takes part, managers first, with their counts."""
    found = _by("annotator", Task.objects.filter(campaign=campaign, annotator__isnull=False))
    memberships = Membership.objects.filter(campaign=campaign).select_related("user")
    return tuple(
        Member(
            each.user.username, each.role, each.user.is_active, found.get(each.user_id, Progress())
        )
        for each in memberships.order_by("-role", "user__username")
    )


def _by(field: str, tasks: QuerySet[Task]) -> dict[int, Progress]:
    """The counts of some tasks, by the campaign or the annotator that they are of."""
    counts = {state.value: Count("pk", filter=Q(state=state)) for state in _STATES}
    counts["flagged"] = Count("pk", filter=Q(flagged=True))
    names = [each.name for each in fields(Progress)]
    rows = tasks.order_by().values(field).annotate(**counts).values_list(field, *names)
    return {key: Progress(*numbers) for key, *numbers in rows}
