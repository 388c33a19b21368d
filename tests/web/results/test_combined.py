"""The page that combines campaigns: one corpus of several, for whoever manages all of them."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

import gistmark
from gistmark.corpus import load, sample_folder, save
from gistmark.web.results.exports.combined import combined_corpus
from gistmark.web.results.exports.material import Choices
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


def test_three_modes_of_highres_are_studied_by_campaign(tmp_path: Path):
    sample = load(sample_folder())
    some = replace(sample.only(sample.document_ids[:2]), ratings=(), comparisons=())
    shown = {
        "content-highlight": "heat-map", "content-document": "document",
        "content-reference": "reference",
    }  # fmt: skip
    campaigns = [worked_campaign(name, corpus=some, annotators=3, name=name) for name in shown]
    combined = combined_corpus(campaigns, Choices())
    save(combined.corpus, tmp_path / "modes")
    corpus = load(tmp_path / "modes")
    assert combined.notes == ()
    assert {each.campaign: (each.shows or "").split(", ")[0] for each in corpus.conditions} == shown
    assert len(corpus.highlights) == len(some.highlights)
    study = gistmark.study(corpus, options=gistmark.StudyOptions(resamples=40, by="campaign"))
    modes = {(mode.campaign, mode.dimension) for mode in study.modes}
    assert modes == {(name, dimension) for name in shown for dimension in ("precision", "recall")}
    assert {record.shared for record in study.mode_differences} == {0}
    assert all(record.n for record in study.mode_differences if not record.system)
