"""The protocol of a campaign: stored whole, changed only while the campaign is a draft."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.db import transaction

from gistmark.errors import UsageError
from gistmark.judgements import Protocol, configured, protocol_from, to_mapping
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.locking import locked_draft


def protocol_of(campaign: Campaign) -> Protocol:
    """What the campaign asks, with every setting."""
    return protocol_from(campaign.protocol)


@transaction.atomic
def change_protocol(campaign: Campaign, changes: Mapping[str, object], by: User | None) -> Protocol:
    """Change some settings; `gistmark.judgements.configured` says what changes look like."""
    current = locked_draft(campaign)
    protocol = configured(protocol_of(current), changes)
    mapping = to_mapping(protocol)
    if "\\u0000" in json.dumps(mapping):
        raise UsageError("The settings must not have NUL characters (U+0000).")
    campaign.protocol = current.protocol = mapping
    current.save(update_fields=["protocol"])
    record(campaign, by, "protocol-changed", settings=sorted(changes))
    return protocol
