"""Reminders: annotators who hold tasks that they have not submitted get a mail, and not too often.

Whoever has a confirmed address and has not switched reminders off gets at most one for each
campaign in `settings.REMINDER_DAYS` days, in the campaign's language.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.addresses import queue_mail, reminders_secret
from gistmark.web.accounts.models import MailAddress, User
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import record
from gistmark.web.config.start import whole_address
from gistmark.web.interface.languages import ENGLISH
from gistmark.web.notices.models import Reminder
from gistmark.web.outbox import mail


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many annotators hold tasks, and how many of them can be reminded today."""

    with_work: int
    to_remind: int


def demand_mail() -> None:
    """Refuse what needs a mail server where there is none."""
    if not mail.is_configured():
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
            "Hello %(name)s,\n\nin “%(campaign)s” there is work of yours that you have not "
            "submitted yet:\n\n%(link)s\n\nIf you want no more reminders: %(stop)s"
        )
        subject = gettext("Your tasks of “%(campaign)s”") % about
    queue_mail(
        known.address, _line(subject), text % about, title="reminder",
        about=f"campaign {campaign.pk}", person=known.user, unsubscribe=stop,
    )  # fmt: skip


def _line(text: str) -> str:
    return " ".join(text.split())
