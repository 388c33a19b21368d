"""The queries of a page, or of an operation of the API, do not grow with the campaign."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gistmark.web.annotate.models import BatchItem, Submission
from gistmark.web.results.exports import Choices, request_export
from gistmark.web.results.models import Statistics
from gistmark.web.results.statistics.study import statistics_of
from web.annotate.answering import done
from web.api.calling import Caller
from web.factories import make_campaign, make_corpus, make_user
from web.manage.browsing import url
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db

# A name stands for the number of a submission or an item.
PAGES = {
    "campaign": (),
    "campaign-numbers": (),
    "campaign-pairs": (),
    "campaign-pairs-csv": (),
    "campaign-work": (),
    "campaign-submission": ("submission",),
    "campaign-adjudication": (),
    "campaign-adjudicate": ("item",),
    "campaign-documents": (),
    "campaign-document": (0,),
    "campaign-export": ("folder",),
    "campaign-exported": ("export",),
    "campaign-exported-file": ("export",),
}
CALLS = (
    "/campaigns",
    "/campaigns/{key}",
    "/campaigns/{key}/checks",
    "/campaigns/{key}/members",
    "/campaigns/{key}/candidates",
    "/campaigns/{key}/submissions",
    "/campaigns/{key}/adjudication",
    "/campaigns/{key}/results/progress",
    "/campaigns/{key}/results/times",
    "/campaigns/{key}/results/annotators",
    "/campaigns/{key}/results/agreement",
    "/campaigns/{key}/results/ratings",
    "/campaigns/{key}/results/findings",
    "/campaigns/{key}/results/notes",
    "/campaigns/{key}/results/questions",
    "/campaigns/{key}/results/pairs",
    "/campaigns/{key}/export/folder",
)


def queries(client, where) -> int:
    """The queries of a page; the very first request also asks whether the platform is set up."""
    client.get(where)
    with CaptureQueriesContext(connection) as counted:
        assert client.get(where).status_code == 200
    return len(counted)


OF_SET_UP = (
    "campaign",
    "campaign-settings",
    "campaign-checks",
    "campaign-people",
    "campaign-question-new",
)


@pytest.mark.parametrize("running", [False, True])
def test_pages_take_as_many_queries_for_a_large_campaign_as_for_a_small_one(
    client, manager, running
):
    counts = []
    for size in (2, 12):
        people = tuple(make_user() for _ in range(size))
        corpus = make_corpus(documents=size)
        campaign = make_campaign(owner=manager, corpus=corpus, annotators=people, running=running)
        if running:
            for user in people:
                done(campaign, user)
        counts.append({name: queries(client, url(name, campaign)) for name in OF_SET_UP})
    assert counts[0] == counts[1]


@pytest.mark.parametrize("query", ["", "?q=campaign&state=running"])
def test_the_list_takes_as_many_queries_for_many_campaigns_as_for_few(client, manager, query):
    counts = []
    for _ in range(2):
        for _ in range(4):
            make_campaign(owner=manager)
        counts.append(queries(client, f"/campaigns/{query}"))
    assert counts[0] == counts[1]


@pytest.fixture(scope="module")
def two_sizes(shared_db):
    """A small campaign, and one with more documents, annotators and ratings, for all tests here.

    Their statistics and an export are there already.
    """
    small = worked_campaign("likert", annotators=2, corpus=make_corpus(documents=1, systems=1))
    large = worked_campaign("likert", annotators=4, corpus=make_corpus(documents=4, systems=2))
    for campaign in (small, large):
        statistics_of(campaign)
        request_export(campaign, "csv", Choices(), wait=0)
    return small, large


def queries_of(action) -> int:
    with CaptureQueriesContext(connection) as result:
        action()
    return len(result)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_as_many_queries_at_any_size(name, two_sizes, log_in):
    counts = []
    for campaign in two_sizes:
        client = log_in(campaign.owner)
        known = {
            "export": request_export(campaign, "csv", Choices(), wait=0).pk,
            "submission": Submission.objects.filter(task__campaign=campaign).first().pk,
            "item": BatchItem.objects.filter(batch__campaign=campaign).first().pk,
        }
        arguments = (known.get(each, each) for each in PAGES[name])
        address = reverse(name, args=[campaign.key, *arguments])
        assert client.get(address).status_code == 200
        counts.append(queries_of(lambda client=client, address=address: client.get(address)))
    assert counts[0] == counts[1]
    assert counts[0] < 25


def test_computing_statistics_takes_as_many_queries_at_any_size(two_sizes, log_in):
    counts = []
    for campaign in two_sizes:
        client = log_in(campaign.owner)
        address = reverse("campaign-numbers", args=[campaign.key])
        client.get(address)
        Statistics.objects.all().delete()
        counts.append(queries_of(lambda client=client, address=address: client.get(address)))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("path", CALLS)
def test_an_operation_takes_as_many_queries_at_any_size(path, two_sizes):
    counts = []
    for campaign in two_sizes:
        caller = Caller(campaign.owner)
        asked = path.format(key=campaign.key)
        assert caller.get(asked).status_code == 200
        counts.append(queries_of(lambda caller=caller, asked=asked: caller.get(asked)))
    assert counts[0] == counts[1]
    assert counts[0] < 25
