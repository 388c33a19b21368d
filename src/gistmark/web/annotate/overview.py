"""What somebody has to do and has done: their campaigns as an annotator, with their tasks.

The number of queries is the same however many campaigns and tasks there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby, starmap

from django.db.models import Count, Q

from gistmark.web.accounts.models import User
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.outcomes import hidden, told
from gistmark.web.annotate.services.adaptive import stopped_campaigns
from gistmark.web.annotate.services.capacity import finished, full_pilots
from gistmark.web.annotate.services.claims import had_by
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.qualification.services.admission import Admission, admissions

_STATES = Task.State
MOST_LISTED = 100
"""So many of the submitted tasks are listed; the latest ones."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A task with the number that it has for its annotator, and its completion code if any."""

    number: int
    task: Task
    code: str | None = None

    @property
    def is_late(self) -> bool:
        """Whether its slot may be somebody else's by now; it can be submitted all the same."""
        return self.task.state == _STATES.LAPSED and not self.task.released

    @property
    def is_begun(self) -> bool:
        return self.task.state == _STATES.HELD or self.is_late

    @property
    def is_known_uncounted(self) -> bool:
        """Whether the work does not count and its annotator may know."""
        is_told: bool = getattr(self.task, "is_told", False)
        return is_told and hidden(self.task)


@dataclass(frozen=True, slots=True)
class Work:
    """One campaign as its annotator sees it; `waiting` counts tasks that they could claim."""

    campaign: Campaign
    tasks: tuple[Listed, ...]
    waiting: int
    admission: Admission

    @property
    def begun(self) -> list[Listed]:
        """What they may still submit."""
        return [each for each in self.tasks if each.is_begun]

    @property
    def submitted(self) -> list[Listed]:
        """What they have submitted, the latest first."""
        return [each for each in reversed(self.tasks) if each.task.submitted]

    @property
    def latest(self) -> list[Listed]:
        """The latest of them, with their completion codes where the campaign gives any."""
        return [
            replace(each, code=shown_code(each.task, self.campaign))
            for each in self.submitted[:MOST_LISTED]
        ]

    @property
    def running(self) -> bool:
        return self.campaign.gives_work

    @property
    def can_go_on(self) -> bool:
        """Whether there is a next task, or something to pass before the first."""
        return self.running and (
            bool(self.begun) or (bool(self.waiting) and not self.admission.ended)
        )

    @property
    def editable(self) -> bool:
        """Whether what was submitted may still be changed."""
        return self.running and bool(self.campaign.protocol["editable"])


def work_of(user: User) -> list[Work]:
    """The campaigns that somebody annotates for, those that run first."""
    memberships = Membership.objects.filter(user=user, role=Membership.Role.ANNOTATOR)
    joined = memberships.exclude(campaign__state=Campaign.State.DRAFT).select_related("campaign")
    campaigns = [membership.campaign for membership in joined]
    waiting = _waiting(user, campaigns)
    tasks = _tasks(user)
    admitted = admissions(user, campaigns)
    order = list(Campaign.State.values)
    campaigns.sort(key=lambda campaign: (order.index(campaign.state), campaign.name))
    return [
        Work(
            campaign, tasks.get(campaign.pk, ()), waiting.get(campaign.pk, 0), admitted[campaign.pk]
        )
        for campaign in campaigns
    ]


def _waiting(user: User, campaigns: list[Campaign]) -> dict[int, int]:
    able = (
        {each.pk for each in campaigns} - full_pilots(campaigns, user) - finished(campaigns, user)
    )
    able -= stopped_campaigns(campaigns)
    free = Batch.objects.filter(campaign__in=able, open__gt=0).exclude(had_by(user))
    counts = (
        free.order_by("campaign")
        .values("campaign")
        .annotate(single=Count("pk", filter=Q(group=None)), groups=Count("group", distinct=True))
    )
    return {row["campaign"]: row["single"] + row["groups"] for row in counts}


def _tasks(user: User) -> dict[int, tuple[Listed, ...]]:
    """The tasks of somebody by campaign, in the order in which they got them."""
    mine = told(Task.objects.filter(annotator=user)).select_related("draft").defer("content")
    ordered = mine.order_by("campaign", "claimed_at", "pk")
    return {
        campaign: tuple(starmap(Listed, enumerate(group, start=1)))
        for campaign, group in groupby(ordered, key=lambda task: task.campaign_id)
    }
