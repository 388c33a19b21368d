"""People and metrics together on the pages of a campaign."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from gistmark.scoring import score
from gistmark.web.campaigns.services import corpus_of
from web.factories import make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(manager):
    return worked_campaign("overall", owner=manager, corpus=make_corpus(24), tasks=3)


def scores_of(campaign, tmp_path):
    path = tmp_path / "scores.csv"
    score(corpus_of(campaign), ["rouge1", "chars"]).write(path)
    return SimpleUploadedFile("scores.csv", path.read_bytes())


def test_scores_help_with_the_ratings_of_a_campaign(campaign, manager, log_in, tmp_path):
    client = log_in(manager)
    address = reverse("campaign-helper", args=[campaign.key])
    sent = {"scores": scores_of(campaign, tmp_path), "helper": "rouge1", "population": "corpus"}
    page = client.post(address, sent)
    text = page.content.decode()
    assert page.status_code == 200, text
    assert "With the helper" in text
    assert "documents are too few" in text or "rouge1" in text
    unknown = {"scores": scores_of(campaign, tmp_path), "helper": "nothing", "population": "beyond"}
    refused = client.post(address, unknown)
    assert refused.status_code == 400
    assert "nothing" in refused.content.decode()
    wrong = SimpleUploadedFile("scores.csv", b"no scores")
    assert client.post(address, sent | {"scores": wrong}).status_code == 400
