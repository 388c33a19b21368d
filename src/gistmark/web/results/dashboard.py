"""Everything that a campaign's dashboard shows, gathered with a constant number of queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass
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
        """The study's own choice of one statistic of agreement for each dimension."""
        from gistmark.analysis.findings.headline import headline_agreement
        from gistmark.analysis.records import Agreement

        records = [] if self.found is None else self.found.agreement
        return [asdict(each) for each in headline_agreement(Agreement(**r) for r in records)]

    @property
    def has_letters(self) -> bool:
        return any(table.has_letters for table in self.standings)

    @property
    def has_lines(self) -> bool:
        return any(table.has_lines for table in self.standings)

    @property
    def system_findings(self) -> list[dict[str, Any]]:
        return self._findings("systems")

    @property
    def agreement_findings(self) -> list[dict[str, Any]]:
        return self._findings("agreement")

    def _findings(self, kind: str) -> list[dict[str, Any]]:
        """What the study says in words about this."""
        found = [] if self.found is None else self.found.findings
        return [each for each in found if each["kind"] == kind]

    def _percent(self, count: int) -> float:
        wanted = self.progress.wanted
        return round(100 * count / wanted, 2) if wanted else 0.0


def dashboard_of(campaign: Campaign, *, compute: bool) -> Dashboard:
    """The dashboard; without `compute`, statistics are there only if they are known already."""
    found = statistics_of(campaign) if compute else known_statistics(campaign)
    return Dashboard(
        campaign=campaign,
        progress=progress_of([campaign])[campaign.pk],
        annotators=annotators_of(campaign, found.annotators if found else None),
        timings=timings_of(campaign),
        events=latest_events(campaign),
        found=found,
        standings=[] if found is None else standings_from(found, protocol_of(campaign)),
    )
