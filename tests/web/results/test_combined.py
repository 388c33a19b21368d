"""The page that combines campaigns: one corpus of several, for whoever manages all of them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from gistmark.corpus import load
from web.factories import make_campaign, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_manager_downloads_several_campaigns_as_one_corpus(tmp_path: Path):
    first, second = worked_campaign(name="Document"), worked_campaign(name="Reference")
    client = client_of(make_user("admin"))
    page = client.get(reverse("campaigns-combine"))
    assert page.status_code == 200
    assert all(campaign.key in page.content.decode() for campaign in (first, second))
    response = client.post(reverse("campaigns-combine"), {"campaigns": [first.key, second.key]})
    assert response.headers["Content-Type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(response.content)).extractall(tmp_path / "both")
    corpus = load(tmp_path / "both")
    assert {rating.campaign for rating in corpus.ratings} == {"Document", "Reference"}
    assert len({rating.annotator for rating in corpus.ratings}) == 4
    assert first.events.filter(verb="exported").exists()


def test_one_campaign_alone_and_that_of_others_are_refused():
    mine, other = make_campaign(), make_campaign()
    make_campaign(owner=mine.owner)
    client = client_of(mine.owner)
    alone = client.post(reverse("campaigns-combine"), {"campaigns": [mine.key]})
    assert alone.status_code == 400
    assert "two campaigns or more" in alone.content.decode()
    refused = client.post(reverse("campaigns-combine"), {"campaigns": [mine.key, other.key]})
    assert refused.status_code == 400
    assert other.key not in client.get(reverse("campaigns-combine")).content.decode()
    assert client_of(make_user()).get(reverse("campaigns-combine")).status_code == 403


def test_the_list_of_campaigns_leads_to_the_page():
    campaign = make_campaign()
    page = client_of(campaign.owner).get(reverse("campaigns")).content.decode()
    assert reverse("campaigns-combine") in page
    assert (
        "fewer than two campaigns"
        in client_of(campaign.owner).get(reverse("campaigns-combine")).content.decode()
    )
