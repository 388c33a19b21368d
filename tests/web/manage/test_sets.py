"""Campaigns about several summaries at a time: on every page of a manager, and decided."""

from __future__ import annotations

import html
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.web.annotate.models import BatchItem, Submission
from gistmark.web.annotate.services.adjudications import KEY, adjudicate_as
from gistmark.web.results.adjudication.item import disputed_item
from web.factories import make_campaign
from web.manage.browsing import upload, url
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db

SETS = {
    "kind": "form",
    "scale": None,
    "dimensions": [],
    "shows": [],
    "set_size": 3,
    "sets_per_system": 2,
    "blocks": [
        {"type": "show", "what": "document"},
        {"type": "show", "what": "summaries"},
        {"type": "ranking", "name": "order", "question": "Which is better?", "ties": True},
        {"type": "best-worst", "name": "ends", "question": "The best and the worst?"},
    ],
}
PAGES = (
    "campaign", "campaign-numbers", "campaign-settings", "campaign-preview-task", "campaign-checks",
    "campaign-work", "campaign-adjudication", "campaign-documents", "campaign-practice-new",
    "campaign-pairs",
)  # fmt: skip


def few() -> Corpus:
    """Two documents of the sample, each with four systems."""
    corpus = load(sample_folder())
    names = {each.id for each in corpus.documents[:2]}
    return replace(
        corpus,
        documents=tuple(each for each in corpus.documents if each.id in names),
        summaries=tuple(each for each in corpus.summaries if each.document in names),
        ratings=(), comparisons=(), highlights=(), questions=(), planted=(),
    )  # fmt: skip


def test_every_page_of_a_campaign_about_sets_opens(client, manager, tmp_path: Path):
    campaign = worked_campaign(corpus=few(), annotators=2, owner=manager, **SETS)
    # 4 systems * 2 / 3 are 2 2/3, so 3 sets of each of the 2 documents
    assert BatchItem.objects.count() == 6
    assert {each.summaries.count() for each in BatchItem.objects.all()} == {3}
    assert Submission.objects.count() == 12
    for name in PAGES:
        assert client.get(url(name, campaign)).status_code == 200, name
    for name, argument in (
        ("campaign-submission", Submission.objects.first().pk),
        ("campaign-adjudicate", BatchItem.objects.first().pk),
        ("campaign-document", 0),
    ):
        assert client.get(url(name, campaign, argument)).status_code == 200, name
    sent = client.get(url("campaign-export", campaign, "folder"))
    data = b"".join(sent.streaming_content) if sent.streaming else sent.content
    zipfile.ZipFile(io.BytesIO(data)).extractall(tmp_path)
    corpus = load(tmp_path)
    # 6 sets * 3 systems * 2 questions * 2 annotators
    assert len(corpus.responses) == 72
    assert client.get(url("campaign-export", campaign, "csv")).status_code == 200


def test_a_draft_says_how_its_sets_come_out(client, manager):
    draft = make_campaign(corpus=few(), owner=manager, running=False, **SETS)
    body = html.unescape(client.get(url("campaign", draft)).content.decode())
    assert "6 items" in body
    assert "1 of the systems is in 3 sets and the others in 2" in body


def test_there_is_no_practice_on_sets(client, manager):
    draft = make_campaign(corpus=few(), owner=manager, running=False, **SETS)
    body = client.get(url("campaign-practice", draft)).content.decode()
    assert "there are no practice items for that" in body
    assert "Add a practice item" not in body
    item = {"document": few().documents[0].id, "systems": list(few().systems)[:3]}
    file = upload("practice.json", json.dumps({"items": [item]}).encode())
    reply = client.post(url("campaign-practice-import", draft), {"file": file}, follow=True)
    assert "there is no practice on sets of several summaries" in html.unescape(
        reply.content.decode()
    )
    assert not draft.practice_items.exists()


def test_a_decision_is_shown_in_the_order_of_the_item(manager):
    """Whoever decides sees the systems in another order than the annotator whose answer it is."""
    campaign = worked_campaign(corpus=few(), annotators=2, owner=manager, **SETS)
    turned = 0
    for submission in Submission.objects.select_related("task__batch"):
        row = submission.task.batch.items.get()
        adjudicate_as(campaign, row.pk, manager, submission.pk)
        shown = disputed_item(campaign, row.pk)
        (entry,) = submission.task.content["entries"]
        given = submission.answer["items"][entry["key"]]["answers"]["ends"]
        draft = shown.payload["draft"]["items"][KEY]["answers"]["ends"]
        for end in ("best", "worst"):
            assert shown.item.systems[draft[end]] == entry["systems"][given[end]]
        turned += given != draft
    assert turned
