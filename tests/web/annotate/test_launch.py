"""The sample campaign is ready to be worked on."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.web.annotate.services.launch import load_sample
from gistmark.web.campaigns.models import Campaign


def test_the_sample_campaign_runs(admin):
    campaign = load_sample(admin)
    assert campaign.state == Campaign.State.RUNNING
    assert campaign.owner == admin
    assert campaign.tasks.exists()


def test_it_is_loaded_once(admin):
    load_sample(admin)
    with pytest.raises(UsageError, match="already a campaign named"):
        load_sample(admin)
