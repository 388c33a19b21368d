"""Campaigns about several summaries at a time: on every page of a manager, and decided."""

from __future__ import annotations

import html
import io
import zipfile
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from django.urls import reverse

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.judgements.tasks.practice import ENTRY
from gistmark.web.annotate.models import BatchItem, Submission
from gistmark.web.annotate.services.adjudications import KEY, adjudicate_as
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.qualification.services.attempts import (
    continue_practice,
    practice_payload,
    submit_practice,
)
from gistmark.web.qualification.services.plans import (
    items_of,
    judged_items,
    practice_of,
    replace_practice,
    set_right,
)
from gistmark.web.results.adjudication.item import disputed_item
from web.factories import make_campaign
from web.manage.browsing import url
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


def test_a_set_can_be_practised(client, manager, annotator, log_in):
    campaign = make_campaign(corpus=few(), owner=manager, running=False, **SETS)
    item = judged_items(campaign)[0]
    page = url("campaign-practice-new", campaign)
    body = html.unescape(client.get(page).content.decode())
    assert f"{item.document}: {', '.join(item.systems)}" in body
    assert "How many pairs of a ranking may stand the other way round" in body
    client.post(page, {"set": item.id, "tolerance": 1, "reason": "Fewer facts."})
    (stored,) = items_of(campaign)
    assert (stored.read().document, stored.read().systems) == (item.document, item.systems)
    right = {"answers": {"order": [[2], [0], [1]], "ends": {"best": 2, "worst": 1}}}
    set_right(stored, right, manager)
    file = practice_of(campaign).to_mapping()
    assert replace_practice(campaign, file, manager).to_mapping() == file
    start(campaign, manager)
    add_member(campaign, annotator)
    give_consent(campaign, annotator)
    answer = continue_practice(campaign, annotator)
    assert len(practice_payload(answer)["items"][0]["summaries"]) == 3
    # One pair of the ranking stands the other way round, and the worst is another one.
    wrong = {"answers": {"order": [[0], [2], [1]], "ends": {"best": 2, "worst": 0}}}
    answered = submit_practice(answer.pk, annotator, uuid4(), {"items": {ENTRY: wrong}})
    assert answered.marks == {"order": True, "ends": True}
    page = log_in(annotator).get(reverse("practice-item", args=[answer.pk]))
    body = html.unescape(page.content.decode())
    assert "1 > 3 > 2" in body
    assert "3 > 1 > 2" in body
    assert body.count("<h3>Summary ") == 3


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
