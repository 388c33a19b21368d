"""Mails about campaigns: reminders to annotators, invitations, and digests for managers.

Annotators who hold tasks that they have not submitted are reminded, and not too often: whoever has
a confirmed address and has not switched reminders off gets at most one for each campaign in
`settings.REMINDER_DAYS` days, in the campaign's language.

Of an invitation each address gets a link of its own, for one person.

A digest is what happened in their campaigns, for managers who want to know each day or each week. A
served platform sends them once a day, and so does `gistmark notices digest`; whoever is not due yet
gets none, so it may run as often as it likes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.addresses import checked_address, queue_mail, reminders_secret
from gistmark.web.accounts.models import MailAddress, User
from gistmark.web.accounts.people import pasted
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.invitations import INVITATION_DAYS, make_invitation
from gistmark.web.config.start import whole_address
from gistmark.web.interface.languages import ENGLISH
from gistmark.web.notices.models import Reminder
from gistmark.web.outbox.models import Delivery
from gistmark.web.outbox.senders import has_mail_server
from gistmark.web.results.dashboard.progress import progress_of

MOST_INVITED = 100
MOST_INVITED_A_DAY = 500
PERIODS = {
    MailAddress.Digest.DAILY: timedelta(hours=20),
    MailAddress.Digest.WEEKLY: timedelta(days=6, hours=12),
}
"""A little less than a day and a week: a timer that is late once is not late for ever."""
_USUAL = {MailAddress.Digest.DAILY: timedelta(days=1), MailAddress.Digest.WEEKLY: timedelta(days=7)}


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many annotators hold tasks, and how many of them can be reminded today."""

    with_work: int
    to_remind: int


def demand_mail() -> None:
    """Refuse what needs a mail server where there is none."""
    if not has_mail_server():
        raise UsageError("No mail server is configured; set GISTMARK_SMTP_HOST.")


def waiting_in(campaign: Campaign) -> Waiting:
    """Who would be reminded now."""
    held = _held(campaign)
    return Waiting(len(held), len(_addresses(campaign, held)))


def remind(campaign: Campaign, *, by: User | None, base: str | None = None) -> int:
    """Remind everybody who can be reminded; tells how many mails are on their way."""
    demand_mail()
    if not campaign.gives_work:
        raise UsageError("Only annotators of a running campaign are reminded.")
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        held = _held(campaign)
        chosen = _addresses(campaign, held)
        for known in chosen:
            _remind(campaign, known, base)
            Reminder.objects.update_or_create(
                campaign=campaign, user=known.user, defaults={"sent_at": timezone.now()}
            )
        if chosen:
            record(campaign, by, "reminded", annotators=len(chosen))
    return len(chosen)


def _held(campaign: Campaign) -> set[int]:
    """The numbers of the annotators who hold tasks."""
    tasks = Task.objects.filter(campaign=campaign, state=Task.State.HELD, machine=False)
    members = campaign.memberships.filter(role="annotator", user__is_active=True).values("user")
    return set(tasks.filter(annotator__in=members).values_list("annotator_id", flat=True))


def _addresses(campaign: Campaign, held: set[int]) -> list[MailAddress]:
    recent = timezone.now() - timedelta(days=settings.REMINDER_DAYS)
    reminded = Reminder.objects.filter(campaign=campaign, sent_at__gt=recent).values("user")
    known = MailAddress.objects.filter(
        user__in=held, verified_at__isnull=False, reminders=True
    ).exclude(user__in=reminded)
    return list(known.select_related("user").order_by("pk"))


def _remind(campaign: Campaign, known: MailAddress, base: str | None) -> None:
    stop = whole_address("reminders-stop", reminders_secret(known.user), base=base)
    about = {
        "name": known.user.username,
        "campaign": campaign.name,
        "link": whole_address("work", base=base),
        "stop": stop,
    }
    with translation.override(campaign.language or ENGLISH):
        text = gettext(
            "Hello %(name)s,\n\nyou have tasks in “%(campaign)s” that you have not "
            "submitted yet:\n\n%(link)s\n\nIf you want no more reminders: %(stop)s"
        )
        subject = gettext("Your tasks of “%(campaign)s”") % about
    queue_mail(
        known.address, _line(subject), text % about, title="reminder",
        about=f"campaign {campaign.pk}", person=known.user, unsubscribe=stop,
    )  # fmt: skip


def _line(text: str) -> str:
    return " ".join(text.split())


def invite_by_mail(
    campaign: Campaign,
    text: str,
    *,
    by: User | None,
    days: int = INVITATION_DAYS,
    base: str | None = None,
) -> int:
    """Send a link to every address in a text, all or none; tells how many.

    The addresses are forgotten once the mails are sent.
    """
    demand_mail()
    if campaign.state == Campaign.State.CLOSED:
        raise UsageError("The campaign is closed, so nobody can be invited.")
    addresses = _addresses_in(text)
    about = f"invitations {by.pk if by else 0}"
    today = Delivery.objects.filter(about=about, created_at__gt=timezone.now() - timedelta(days=1))
    if today.count() + len(addresses) > MOST_INVITED_A_DAY:
        raise UsageError(f"At most {MOST_INVITED_A_DAY} invitations are sent by mail in a day.")
    with transaction.atomic():
        for address in addresses:
            made = make_invitation(by=by, campaign=campaign, days=days)
            link = whole_address("join", made.secret, base=base)
            _send_invitation(campaign, address, link, days, about)
        record(campaign, by, "invited-by-mail", invitations=len(addresses))
    return len(addresses)


def _addresses_in(text: str) -> list[str]:
    parts = pasted(text)
    if not 1 <= len(parts) <= MOST_INVITED:
        raise UsageError(f"Write 1 to {MOST_INVITED} e-mail addresses, one on each line.")
    wrong = []
    for part in parts:
        try:
            checked_address(part)
        except UsageError:
            wrong.append(part)
    if wrong:
        raise UsageError(f"These are not e-mail addresses: {', '.join(wrong[:10])}.")
    return list({part.lower(): part for part in parts}.values())


def _send_invitation(campaign: Campaign, address: str, link: str, days: int, about: str) -> None:
    with translation.override(campaign.language or ENGLISH):
        text = gettext(
            "Hello,\n\nyou are invited to take part in “%(campaign)s” as an annotator. Open this "
            "address to begin; it is for you alone, and valid for %(days)s days:\n\n%(link)s"
        ) % {"campaign": campaign.name, "days": days, "link": link}
        subject = gettext("An invitation to “%(campaign)s”") % {"campaign": campaign.name}
    queue_mail(address, " ".join(subject.split()), text, title="invitation", about=about)


def send_digests(*, base: str | None = None) -> int:
    """Send the digests that are due; tells how many mails are on their way."""
    demand_mail()
    count = 0
    for digest, period in PERIODS.items():
        due = Q(digested_at=None) | Q(digested_at__lte=timezone.now() - period)
        wanted = MailAddress.objects.filter(
            due, digest=digest, verified_at__isnull=False, user__is_active=True
        )
        count += sum(_send_digest(pk, base) for pk in wanted.values_list("pk", flat=True))
    return count


@transaction.atomic
def _send_digest(pk: int, base: str | None) -> int:
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
    text += f"\n\nTo choose how often you get this mail: {account}"
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
