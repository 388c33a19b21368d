"""Statistics that are computed beside the requests, in a thread, by one process at a time.

Whoever asks waits a moment for them. Where they take longer, the ones before are shown with their
time, and those who ask later get the new ones.
"""

from __future__ import annotations

import logging
from datetime import datetime
from threading import Lock, Thread

from django.conf import settings
from django.db import connection

from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.locks import shared_lock
from gistmark.web.results.statistics import (
    StudyResults,
    known_statistics,
    lock_name,
    older_statistics,
    statistics_of,
)

_MOMENT = 2.0
_LOG = logging.getLogger(__name__)
_running: dict[int, Thread] = {}
_guard = Lock()


def statistics_soon(campaign: Campaign) -> tuple[StudyResults | None, datetime | None]:
    """The statistics, and where they are older than the work that counts, of when they are.

    None where there are none yet.
    """
    known = known_statistics(campaign)
    if known is not None:
        return known, None
    if not settings.JOBS_IN_THREADS:
        return statistics_of(campaign), None
    _begin(campaign).join(_MOMENT)
    known = known_statistics(campaign)
    return (known, None) if known is not None else older_statistics(campaign)


def _begin(campaign: Campaign) -> Thread:
    """The thread of this process that computes the statistics of a campaign; begun if need be."""
    with _guard:
        thread = _running.get(campaign.pk)
        if thread is None or not thread.is_alive():
            thread = Thread(target=_run, args=[campaign.pk], name="statistics", daemon=True)
            _running[campaign.pk] = thread
            thread.start()
        return thread


def _run(pk: int) -> None:
    try:
        campaign = Campaign.objects.get(pk=pk)
        with shared_lock(f"{lock_name(campaign)}-job", wait=False) as ours:
            if ours:
                statistics_of(campaign)
    except Exception:
        _LOG.exception("The statistics of campaign %s could not be computed.", pk)
    finally:
        connection.close()
