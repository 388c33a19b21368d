"""Statistics beside the requests: computed once, and older ones shown with their time meanwhile."""

from __future__ import annotations

from threading import Event

import pytest

from gistmark.web.annotate.models import Submission, Task
from gistmark.web.config.server.threads import wait_for
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.results.models import Statistics
from gistmark.web.results.statistics import study as statistics
from web.annotate.answering import at_once
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(settings):
    settings.JOBS_IN_THREADS = True
    return worked_campaign(annotators=2, tasks=1)


def in_another_thread(call):
    (result,) = at_once([call])
    return result


def test_those_who_ask_at_the_same_time_get_what_one_of_them_computes(campaign, monkeypatch):
    computed = []
    compute = statistics.compute

    def counted(corpus, stored):
        computed.append(corpus)
        return compute(corpus, stored)

    monkeypatch.setattr(statistics, "compute", counted)
    results = at_once([lambda: statistics.statistics_of(campaign)] * 3)
    assert len(computed) == 1
    assert results[0] == results[1] == results[2]


def test_a_request_does_not_wait_for_statistics_that_take_long(campaign, monkeypatch):
    statistics.statistics_of(campaign)
    before = Statistics.objects.get()
    Task.objects.filter(pk=Submission.objects.first().task_id).update(state="rejected")
    goes_on, compute = Event(), statistics.compute

    def slow(corpus, stored):
        goes_on.wait(60)
        return compute(corpus, stored)

    monkeypatch.setattr(statistics, "compute", slow)
    monkeypatch.setattr(statistics, "MOMENT", 0.1)
    results, older = statistics.statistics_soon(campaign)
    assert (results, older) == (statistics.StudyResults(**before.content), before.created_at)
    goes_on.set()
    wait_for(statistics.job_name(campaign))
    results, older = statistics.statistics_soon(campaign)
    assert (results, older) == (statistics.known_statistics(campaign), None)
    assert results is not None


def test_a_lock_is_one_thread_s_at_a_time():
    with shared_lock("x") as ours:
        assert ours

        def tried():
            with shared_lock("x", wait=False) as theirs:
                return theirs

        assert in_another_thread(tried) is False
    assert in_another_thread(tried) is True
