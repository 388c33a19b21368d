"""Digests: what happened in their campaigns, for managers who want to know each day or each week.

A served platform sends them once a day, and so does `gistmark notices digest`; whoever is not due
yet gets none, so it may run as often as it likes.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from gistmark.web.accounts.addresses import queue_mail
from gistmark.web.accounts.models import MailAddress, User
from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.start import whole_address
from gistmark.web.notices.reminders import demand_mail
from gistmark.web.results.dashboard.progress import progress_of

PERIODS = {
    MailAddress.Digest.DAILY: timedelta(hours=20),
    MailAddress.Digest.WEEKLY: timedelta(days=6, hours=12),
}
"""A little less than a day and a week: a timer that is late once is not late for ever."""
_USUAL = {MailAddress.Digest.DAILY: timedelta(days=1), MailAddress.Digest.WEEKLY: timedelta(days=7)}


def send_digests(*, base: str | None = None) -> int:
    """Send the digests that are due; tells how many mails are on their way."""
    demand_mail()
    count = 0
    for digest, period in PERIODS.items():
        due = Q(digested_at=None) | Q(digested_at__lte=timezone.now() - period)
        wanted = MailAddress.objects.filter(
            due, digest=digest, verified_at__isnull=False, user__is_active=True
        )
        count += sum(_send(pk, base) for pk in wanted.values_list("pk", flat=True))
    return count


@transaction.atomic
def _send(pk: int, base: str | None) -> int:
    """One digest, unless nothing is running or somebody else has just sent it."""
    known = MailAddress.objects.select_for_update(of=("self",)).select_related("user").get(pk=pk)
    digest, now = MailAddress.Digest(known.digest), timezone.now()
    if known.digested_at is not None and known.digested_at > now - PERIODS[digest]:
        return 0
    since = known.digested_at or now - _USUAL[digest]
    known.digested_at = now
    known.save(update_fields=["digested_at"])
    campaigns = _running(known.user, since)
    if not campaigns:
        return 0
    lines = [_lines(campaign, since, base) for campaign in campaigns]
    text = f"Your campaigns since {since:%-d %B %Y, %H:%M} (UTC):\n\n" + "\n\n".join(lines)
    account = whole_address("account", base=base)
    text += f"\n\nHow often you get this mail: {account}"
    queue_mail(known.address, "Your campaigns on Gistmark", text, title="digest", person=known.user)
    return 1


def _running(user: User, since: datetime) -> list[Campaign]:
    """The campaigns that somebody owns or manages and that run, or ended since the last digest."""
    if not user.may_manage:
        return []
    mine = Q(owner=user) | Q(memberships__user=user, memberships__role="manager")
    runs = Q(state__in=[Campaign.State.PILOT, Campaign.State.RUNNING, Campaign.State.PAUSED])
    found = Campaign.objects.filter(mine, runs | Q(closed_at__gt=since), archived_at=None)
    return list(found.distinct().order_by("name"))


def _lines(campaign: Campaign, since: datetime, base: str | None) -> str:
    progress = progress_of([campaign])[campaign.pk]
    arrived = Submission.objects.filter(
        task__campaign=campaign, task__machine=False, received_at__gt=since, current=True
    ).count()
    return (
        f"{campaign.name} ({campaign.state})\n"
        f"  submissions that arrived: {arrived}\n"
        f"  tasks done: {progress.done} of {progress.wanted}\n"
        f"  waiting for your decision: {progress.flagged}\n"
        f"  {whole_address('campaign', campaign.key, base=base)}"
    )
