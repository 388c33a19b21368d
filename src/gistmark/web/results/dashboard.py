"""Everything that a campaign's dashboard shows, gathered with a constant number of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import Progress, progress_of, protocol_of
from gistmark.web.results.annotators import AnnotatorWork, annotators_of
from gistmark.web.results.events import Told, latest_events
from gistmark.web.results.standings import Standings, standings_from
from gistmark.web.results.statistics import Found, known_statistics, statistics_of
from gistmark.web.results.timings import Timings, timings_of

PARTS = ("progress", "systems", "agreement", "annotators", "timings", "events")
"""The parts of the page that are renewed, each with a template of its name."""


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What the page shows; `found` is None until the statistics have been computed."""

    campaign: Campaign
    progress: Progress
    annotators: list[AnnotatorWork]
    timings: Timings
    events: list[Told]
    found: Found | None
    standings: list[Standings]

    @property
    def done_percent(self) -> float:
        return self._percent(self.progress.done)

    @property
    def held_percent(self) -> float:
        return self._percent(self.progress.held)

    @property
    def seconds_left(self) -> float | None:
        """How long the tasks that are not done will take, going by the median."""
        return self.timings.left(self.progress.open + self.progress.held)

    @property
    def headline(self) -> list[dict[str, Any]]:
        """One statistic of agreement for each dimension: the one that has an interval."""
        records = [] if self.found is None else self.found.agreement
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for record in records:
            if _tells_most(record):
                found.setdefault((record["subject"], record["dimension"]), record)
        return list(found.values())

    def _percent(self, count: int) -> float:
        wanted = self.progress.wanted
        return round(100 * count / wanted, 2) if wanted else 0.0


def dashboard_of(campaign: Campaign, *, compute: bool) -> Dashboard:
    """The dashboard; without `compute`, statistics are there only if they are known already."""
    found = statistics_of(campaign) if compute else known_statistics(campaign)
    ranking = [] if found is None else found.ranking
    return Dashboard(
        campaign=campaign,
        progress=progress_of([campaign])[campaign.pk],
        annotators=annotators_of(campaign, found.annotators if found else None),
        timings=timings_of(campaign),
        events=latest_events(campaign),
        found=found,
        standings=standings_from(ranking, protocol_of(campaign)),
    )


def _tells_most(record: dict[str, Any]) -> bool:
    """Alpha on the scale that the values suggest, or its like for choices and highlights."""
    name = record["statistic"]
    if record["subject"] == "ratings":
        return bool(name.startswith("alpha-") and (record["low"] is not None or not record["n"]))
    return name in ("alpha-symmetric", "span-alpha")
