"""A new campaign: a name, an owner, a protocol and a corpus."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import Protocol, to_mapping
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.errors import NotAllowedError
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.corpora import store_corpus

LONGEST_NAME = 200


@transaction.atomic
def create_campaign(*, owner: User, name: str, protocol: Protocol, corpus: Corpus) -> Campaign:
    """Make a draft of a campaign; its owner manages it."""
    if not owner.may_manage:
        raise NotAllowedError(f"{owner.username!r} is an annotator and cannot own a campaign.")
    campaign = Campaign(owner=owner, name=checked_name(name), protocol=to_mapping(protocol))
    try:
        with transaction.atomic():
            campaign.save()
    except IntegrityError:
        raise name_is_taken(campaign.name) from None
    Membership.objects.create(campaign=campaign, user=owner, role=Membership.Role.MANAGER)
    store_corpus(campaign, corpus)
    record(campaign, owner, "made", protocol=protocol.name, **corpus.counts())
    return campaign


def checked_name(name: str) -> str:
    """A campaign's name without blanks around it."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A campaign needs a name of 1 to {LONGEST_NAME} printable characters.")
    return name


def name_is_taken(name: str) -> UsageError:
    """The error for a name that another campaign has."""
    return UsageError(f"There is already a campaign named {name!r}; choose another name.")
