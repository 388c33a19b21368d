"""The life of a campaign, and what keeps it from starting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import close, outlook, pause, readiness, resume
from gistmark.web.config.errors import ConflictError, NotReadyError
from web.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db


def test_starting_makes_every_slot():
    campaign = make_campaign(judges=3, items_per_task=2)  # 2 documents x 2 systems, 2 per task
    assert campaign.state == "running"
    assert campaign.started_at is not None
    assert sorted(Task.objects.values_list("slot", flat=True)) == [
        "1.1", "1.2", "1.3", "2.1", "2.2", "2.3",
    ]  # fmt: skip
    for batch in Batch.objects.all():
        assert batch.open == 3
        assert len({item.document for item in batch.read_items()}) == 2


def test_starting_does_not_ask_the_database_for_every_document(django_assert_max_num_queries):
    campaign = make_campaign(corpus=make_corpus(documents=100), running=False)
    with django_assert_max_num_queries(45):
        start(campaign, None)


def test_the_way_of_a_campaign():
    campaign = make_campaign()
    for step, state in (
        (pause, "paused"),
        (resume, "running"),
        (pause, "paused"),
        (close, "closed"),
    ):
        step(campaign, None)
        assert campaign.state == Campaign.objects.get(pk=campaign.pk).state == state
    assert campaign.closed_at is not None


@pytest.mark.parametrize(
    ("steps", "wrong", "sentence"),
    [
        ([], start, "is running and cannot be started: only one that is a draft can"),
        ([], resume, "is running and cannot be resumed: only one that is paused can"),
        ([pause], pause, "is paused and cannot be paused"),
        ([close], resume, "is closed and cannot be resumed"),
        ([close], close, "is closed and cannot be closed: only one that is running or paused can"),
    ],
)
def test_a_step_that_does_not_follow_is_refused(steps, wrong, sentence):
    campaign = make_campaign()
    for step in steps:
        step(campaign, None)
    with pytest.raises(ConflictError, match=sentence):
        wrong(campaign, None)


def test_a_draft_can_only_be_started():
    campaign = make_campaign(running=False)
    for step in (pause, resume, close):
        with pytest.raises(ConflictError, match="is a draft and cannot be"):
            step(campaign, None)


def test_a_campaign_without_its_checks_is_not_ready():
    corpus = replace(make_corpus(), questions=(), planted=())
    campaign = make_campaign("content-document", corpus=corpus, running=False)
    assert [str(problem) for problem in readiness(campaign)] == [
        "Document 'd1' has no True/False statement about its text.",
        "Document 'd2' has no True/False statement about its text.",
    ]
    with pytest.raises(NotReadyError, match="cannot start yet:\n  Document 'd1' has no") as caught:
        start(campaign, None)
    assert len(caught.value.problems) == 2
    assert not Task.objects.exists()
    planting = make_campaign("fluency", corpus=corpus, running=False)
    assert "there are none to plant" in str(readiness(planting)[0])


def test_what_cannot_be_judged_is_told_but_keeps_nothing_from_starting():
    corpus = make_corpus()
    untitled = replace(
        corpus, documents=(corpus.documents[0], replace(corpus.documents[1], title=None))
    )
    campaign = make_campaign("quality", corpus=untitled)
    assert [str(problem) for problem in outlook(campaign).found.problems] == [
        "The summary of document 'd2' by 'sys1' cannot be judged: it lacks a title.",
        "The summary of document 'd2' by 'sys2' cannot be judged: it lacks a title.",
    ]
    assert Batch.objects.count() == 2


def test_a_campaign_with_nothing_to_judge_is_not_ready():
    corpus = Corpus(summaries=make_corpus().summaries)
    campaign = make_campaign("content-document", corpus=corpus, running=False)
    assert str(readiness(campaign)[0]) == "There is nothing to judge in the corpus."
