"""Invitations by e-mail: each address gets a link of its own, for one person."""

from __future__ import annotations

import re
from datetime import timedelta

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.web.accounts.addresses import checked_address, queue_mail
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import record
from gistmark.web.campaigns.services.invitations import INVITATION_DAYS, make_invitation
from gistmark.web.config.start import whole_address
from gistmark.web.interface.languages import ENGLISH
from gistmark.web.notices.reminders import demand_mail
from gistmark.web.outbox.models import Delivery

MOST = 100
MOST_A_DAY = 500


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
    addresses = _addresses(text)
    about = f"invitations {by.pk if by else 0}"
    today = Delivery.objects.filter(about=about, created_at__gt=timezone.now() - timedelta(days=1))
    if today.count() + len(addresses) > MOST_A_DAY:
        raise UsageError(f"At most {MOST_A_DAY} invitations are sent by mail in a day.")
    with transaction.atomic():
        for address in addresses:
            made = make_invitation(by=by, campaign=campaign, days=days)
            link = whole_address("join", made.secret, base=base)
            _send(campaign, address, link, days, about)
        record(campaign, by, "invited-by-mail", invitations=len(addresses))
    return len(addresses)


def _addresses(text: str) -> list[str]:
    parts = [part for part in re.split(r"[\s,;]+", text) if part]
    if not 1 <= len(parts) <= MOST:
        raise UsageError(f"Write 1 to {MOST} e-mail addresses, one on each line.")
    wrong = []
    for part in parts:
        try:
            checked_address(part)
        except UsageError:
            wrong.append(part)
    if wrong:
        raise UsageError(f"These are no e-mail addresses: {', '.join(wrong[:10])}.")
    return list({part.lower(): part for part in parts}.values())


def _send(campaign: Campaign, address: str, link: str, days: int, about: str) -> None:
    with translation.override(campaign.language or ENGLISH):
        text = gettext(
            "Hello,\n\nyou are invited to take part in “%(campaign)s” as an annotator. Open this "
            "address to begin; it is for you alone, and valid for %(days)s days:\n\n%(link)s"
        ) % {"campaign": campaign.name, "days": days, "link": link}
        subject = gettext("An invitation to “%(campaign)s”") % {"campaign": campaign.name}
    queue_mail(address, " ".join(subject.split()), text, title="invitation", about=about)
