"""Consent: what people agree to before their first task, in which version, and when.

Each distinct text is stored once. Whoever agreed to another text than the one that the campaign
has now is asked again; what they agreed to before stays on record.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Consent, ConsentText, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError, NotAllowedError

CONSENT_COLUMNS = ("annotator", "at", "text_hash", "text")
_SHORT = 12
"""So many digits of a hash the audit trail shows."""


def hash_of(text: str) -> str:
    """The hash by which versions of a text are told apart."""
    return sha256(text.encode()).hexdigest()


def consent_version(campaign: Campaign) -> str:
    """The hash of the text that the campaign asks to agree to now."""
    return hash_of(_text_of(campaign))


def consented(campaign: Campaign, user: User) -> bool:
    """Whether somebody has agreed to the text that the campaign has now."""
    given = Consent.objects.filter(membership__campaign=campaign, membership__user=user)
    return given.filter(text__hash=consent_version(campaign)).exists()


def asked_again(campaign: Campaign, user: User) -> bool:
    """Whether somebody agreed to another text of this campaign, and not to the one it has now."""
    given = Consent.objects.filter(membership__campaign=campaign, membership__user=user)
    return given.exists() and not consented(campaign, user)


def demand_consent(campaign: Campaign, user: User) -> None:
    """Refuse work by somebody who has not agreed to the text that the campaign has now.

    A machine has nothing to agree to.
    """
    if not user.machine and not consented(campaign, user):
        raise NotAllowedError(gettext("First read and accept the terms of the campaign."))


@transaction.atomic
def give_consent(campaign: Campaign, user: User, *, version: str | None = None) -> Consent:
    """Note that somebody has read and accepted what the campaign says about itself.

    `version` is the hash of the text that they have read; if the text has changed since, nothing
    is noted. Agreeing to the same text again changes nothing.
    """
    campaign = Campaign.objects.get(pk=campaign.pk)
    membership = Membership.objects.filter(campaign=campaign, user=user).first()
    if membership is None:
        raise NotAllowedError(
            gettext("You do not take part in '%(name)s'.") % {"name": campaign.name}
        )
    text = _text_of(campaign)
    if version is not None and version != hash_of(text):
        raise ConflictError(
            gettext("The terms have changed since you opened the page; please read them again.")
        )
    stored, _ = ConsentText.objects.get_or_create(hash=hash_of(text), defaults={"text": text})
    consent, new = Consent.objects.get_or_create(
        membership=membership, text=stored, defaults={"at": timezone.now()}
    )
    if new:
        record(campaign, user, "consented", text=stored.hash[:_SHORT])
    return consent


def consent_rows(campaign: Campaign, names: Mapping[str, str]) -> list[dict[str, str]]:
    """A row for each consent, the oldest first; `names` turns usernames into what files say."""
    given = Consent.objects.filter(membership__campaign=campaign)
    rows = given.select_related("membership__user", "text").order_by("at", "id")
    return [
        {
            "annotator": names.get(each.membership.user.username, each.membership.user.username),
            "at": each.at.isoformat(timespec="seconds"),
            "text_hash": each.text.hash,
            "text": each.text.text,
        }
        for each in rows
    ]


def _text_of(campaign: Campaign) -> str:
    return str(campaign.protocol.get("consent", ""))
