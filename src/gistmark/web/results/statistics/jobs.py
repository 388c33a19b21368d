"""Statistics that are computed beside the requests, in a thread, by one process at a time.

Whoever asks waits a moment for them. Where they take longer, the ones before are shown with their
time, and those who ask later get the new ones.
"""

from __future__ import annotations

from datetime import datetime

from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.server.threads import run_beside
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.results.statistics.study import (
    StudyResults,
    known_statistics,
    lock_name,
    older_statistics,
    statistics_of,
)

MOMENT = 2.0
"""So many seconds a page waits for what is done beside it."""


def statistics_soon(campaign: Campaign) -> tuple[StudyResults | None, datetime | None]:
    """The statistics, and where they are older than the work that counts, of when they are.

    None where there are none yet.
    """
    known = statistics_within(campaign, MOMENT)
    return (known, None) if known is not None else older_statistics(campaign)


def statistics_within(campaign: Campaign, seconds: float) -> StudyResults | None:
    """The statistics of the work as it is now; None where they take longer than so many seconds.

    They go on being computed then.
    """
    known = known_statistics(campaign)
    if known is None:
        pk = campaign.pk
        run_beside(job_name(campaign), lambda: _run(pk), wait=seconds)
        known = known_statistics(campaign)
    return known


def current_statistics(campaign: Campaign) -> StudyResults:
    """The statistics for whoever can do nothing without them; a `ConflictError` asks to wait."""
    known = statistics_within(campaign, MOMENT)
    if known is None:
        raise ConflictError("The statistics are being computed; try again in a moment.")
    return known


def job_name(campaign: Campaign) -> str:
    """The thread that computes the statistics of a campaign, and the lock of all processes."""
    return f"{lock_name(campaign)}-job"


def _run(pk: int) -> None:
    campaign = Campaign.objects.get(pk=pk)
    with shared_lock(job_name(campaign), wait=False) as ours:
        if ours:
            statistics_of(campaign)
