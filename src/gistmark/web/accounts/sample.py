"""The sample campaign that the guided set-up offers."""

from __future__ import annotations

from django.db import transaction

from gistmark.corpus import load, sample_folder
from gistmark.judgements import get_protocol
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import create_campaign, readiness, start

NAME = "Sample campaign"
PROTOCOL = "likert"


def load_sample(owner: User) -> Campaign:
    """Make a campaign of the bundled sample, and start it where nothing is in the way."""
    with transaction.atomic():
        campaign = create_campaign(
            owner=owner, name=NAME, protocol=get_protocol(PROTOCOL), corpus=load(sample_folder())
        )
        if not readiness(campaign):
            start(campaign, owner)
    return campaign
