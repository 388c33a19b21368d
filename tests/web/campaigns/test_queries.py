"""The number of queries of each page does not depend on the size of the campaign."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from web.annotate.answering import done
from web.campaigns.browsing import url
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


def queries(client, where) -> int:
    """The queries of a page; the very first request also asks whether the platform is set up."""
    client.get(where)
    with CaptureQueriesContext(connection) as counted:
        assert client.get(where).status_code == 200
    return len(counted)


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "campaign",
        "campaign-settings",
        "campaign-checks",
        "campaign-people",
        "campaign-question-new",
    ],
)
def test_a_page_takes_as_many_queries_for_a_large_campaign_as_for_a_small_one(
    client, manager, name, running
):
    counts = []
    for size in (2, 12):
        people = tuple(make_user() for _ in range(size))
        corpus = make_corpus(documents=size)
        campaign = make_campaign(owner=manager, corpus=corpus, annotators=people, running=running)
        if running:
            for user in people:
                done(campaign, user)
        counts.append(queries(client, url(name, campaign)))
    assert counts[0] == counts[1]


def test_the_list_takes_as_many_queries_for_many_campaigns_as_for_few(client, manager):
    counts = []
    for _ in range(2):
        for _ in range(4):
            make_campaign(owner=manager)
        counts.append(queries(client, "/campaigns/"))
    assert counts[0] == counts[1]
