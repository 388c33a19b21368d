"""What the annotator's pages share: the campaign that a page is about, in its language."""

from __future__ import annotations

from gistmark.web.accounts.permissions import PersonRequest
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_member
from gistmark.web.config.languages import use_language


def joined_campaign(request: PersonRequest, key: str) -> Campaign:
    """The campaign of this key, for somebody who takes part; the page is in its language."""
    campaign = campaign_for_member(request.user, key)
    use_language(request, campaign.language)
    return campaign
