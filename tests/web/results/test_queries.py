"""The number of queries of a page does not grow with documents, annotators or ratings."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gistmark.web.results.models import Statistics
from web.api.calling import Caller
from web.factories import make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db

PAGES = {
    "campaign": (),
    "campaign-numbers": (),
    "campaign-pairs": (),
    "campaign-pairs-csv": (),
    "campaign-work": (),
    "campaign-documents": (),
    "campaign-document": (0,),
    "campaign-export": ("folder",),
}
CALLS = (
    "/campaigns",
    "/campaigns/{key}",
    "/campaigns/{key}/checks",
    "/campaigns/{key}/members",
    "/campaigns/{key}/submissions",
    "/campaigns/{key}/results/progress",
    "/campaigns/{key}/results/annotators",
    "/campaigns/{key}/results/agreement",
    "/campaigns/{key}/results/ratings",
    "/campaigns/{key}/results/findings",
    "/campaigns/{key}/results/pairs",
    "/campaigns/{key}/export/folder",
)


@pytest.fixture(scope="module")
def two_sizes(django_db_setup, django_db_blocker):
    """A small campaign, and one with more documents, annotators and ratings, for all tests here."""
    with django_db_blocker.unblock(), transaction.atomic():
        small = worked_campaign("likert", annotators=1, corpus=make_corpus(documents=1, systems=1))
        large = worked_campaign("likert", annotators=4, corpus=make_corpus(documents=4, systems=2))
        yield small, large
        transaction.set_rollback(True)


def queries_of(action) -> int:
    with CaptureQueriesContext(connection) as found:
        action()
    return len(found)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_as_many_queries_at_any_size(name, two_sizes, log_in):
    counts = []
    for campaign in two_sizes:
        client = log_in(campaign.owner)
        address = reverse(name, args=[campaign.key, *PAGES[name]])
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
