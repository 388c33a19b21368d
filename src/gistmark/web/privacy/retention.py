"""Retention: so many days after the end of a campaign its annotators are erased.

That is for annotators who take part nowhere else: in no other campaign, or only in ones that are
past their retention too. Managers and admins stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.privacy.erasure import blocked, erase_many


@dataclass(frozen=True, slots=True)
class Retention:
    """What retention means for a campaign: when, whom, and who stays.

    `ends_at` is None where the campaign has not ended or keeps its people for good. `waiting` are
    those who cannot be erased yet.
    """

    campaign: Campaign
    ends_at: datetime | None
    people: tuple[User, ...]
    elsewhere: int
    waiting: int

    @property
    def sentence(self) -> str:
        """Whom it is about, in words."""
        sentences = [f"annotators who are erased: {len(self.people)}"]
        if self.elsewhere:
            sentences.append(f"who stay because they take part elsewhere: {self.elsewhere}")
        if self.waiting:
            sentences.append(f"who wait for the end of a study on a market: {self.waiting}")
        return "; ".join(sentences) + "."


def retention_of(campaign: Campaign) -> Retention:
    """What retention means for this campaign as things are now."""
    past = {campaign.pk, *(each.pk for each in _past())}
    members = Membership.objects.filter(
        campaign=campaign, role=Membership.Role.ANNOTATOR, user__role=User.Role.ANNOTATOR
    )
    users = User.objects.filter(pk__in=members.values("user"), erased=False, machine=False)
    users = users.order_by("pk")
    busy = set(
        Membership.objects.filter(user__in=users)
        .exclude(campaign__in=past)
        .values_list("user", flat=True)
    )
    alone = [user for user in users if user.pk not in busy]
    waiting = set(blocked(alone))
    return Retention(
        campaign,
        _end(campaign),
        people=tuple(user for user in alone if user.pk not in waiting),
        elsewhere=len(busy),
        waiting=len(waiting),
    )


def due_retentions() -> list[Retention]:
    """Those that are past their end and have somebody to erase."""
    return [found for each in _past() if (found := retention_of(each)).people]


def apply_retention() -> int:
    """Erase whom no campaign needs any more; returns how many. One process does it at a time."""
    count = 0
    with shared_lock("retention", wait=False) as ours:
        for due in due_retentions() if ours else []:
            numbers = [user.pk for user in due.people]
            still = list(User.objects.filter(pk__in=numbers, erased=False))
            if still:
                erase_many(still, by=None)
                record(due.campaign, None, "retention", people=len(still))
            count += len(still)
    return count


def _past() -> list[Campaign]:
    """The campaigns that ended longer ago than their retention."""
    now = timezone.now()
    closed = Campaign.objects.filter(state=Campaign.State.CLOSED, retention_days__isnull=False)
    return [each for each in closed.order_by("pk") if (end := _end(each)) and end <= now]


def _end(campaign: Campaign) -> datetime | None:
    if campaign.closed_at is None or campaign.retention_days is None:
        return None
    return campaign.closed_at + timedelta(days=campaign.retention_days)
