"""Everything that a campaign's dashboard shows, gathered with a constant number of queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from django.utils import timezone

from gistmark.judgements.protocols.protocol import Protocol
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.results.dashboard.events import EventLine, latest_events
from gistmark.web.results.dashboard.pace import Forecast, Pace, Pay, pace_of
from gistmark.web.results.dashboard.progress import (
    AnnotatorWork,
    MachineWork,
    Progress,
    Timings,
    annotators_of,
    machine_work,
    progress_of,
    timings_of,
)
from gistmark.web.results.exports import judgement_files
from gistmark.web.results.models import HelperScores
from gistmark.web.results.statistics.decisions import Decisions, decisions_of
from gistmark.web.results.statistics.helping import stored_helper
from gistmark.web.results.statistics.questions import (
    AgreementByQuestion,
    QuestionTable,
    agreement_by_question,
    question_tables,
)
from gistmark.web.results.statistics.rankings import RankingTable, ranking_tables
from gistmark.web.results.statistics.study import StudyResults, known_statistics, statistics_soon

Compute = Literal["no", "soon"]
PARTS = (
    "progress",
    "decisions",
    "systems",
    "helper",
    "questions",
    "agreement",
    "annotators",
    "timings",
    "events",
)
"""The parts of the page that are renewed, each with a template of its name."""


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What the page shows; `statistics` is None until it has been computed.

    Where newer work counts by now, `older` is of when they are.
    """

    campaign: Campaign
    progress: Progress
    annotators: list[AnnotatorWork]
    timings: Timings
    events: list[EventLine]
    statistics: StudyResults | None
    older: datetime | None
    rankings: list[RankingTable]
    pace: Pace
    rate: Decimal | None = None
    decisions: Decisions | None = None
    machines: list[MachineWork] = field(default_factory=list)
    helper: HelperScores | None = None

    @property
    def protocol(self) -> Protocol:
        """What the campaign asks."""
        return protocol_of(self.campaign)

    @property
    def forecast(self) -> Forecast | None:
        """When the work will end, while the campaign gives out work."""
        if not self.campaign.gives_work or self.stopped:
            return None
        return self.pace.forecast(self.progress.open + self.progress.held, timezone.now())

    @property
    def stopped(self) -> bool:
        """Whether an adaptive campaign gives out no more tasks."""
        return self.decisions is not None and self.decisions.stopped_at is not None

    @property
    def pay(self) -> Pay | None:
        """What an hour earns at the rate that the manager typed."""
        return None if self.rate is None else self.pace.pay(self.rate)

    @property
    def done_percent(self) -> float:
        return self._percent(self.progress.done)

    @property
    def held_percent(self) -> float:
        return self._percent(self.progress.held)

    @property
    def seconds_left(self) -> float | None:
        """How long the tasks that are not done will take, going by the median."""
        coming = 0 if self.stopped else self.progress.open
        return self.timings.left(coming + self.progress.held)

    @property
    def headline(self) -> list[dict[str, Any]]:
        """The study's own choice of one statistic of agreement for each dimension."""
        from gistmark.analysis.findings.headline import headline_agreement
        from gistmark.analysis.studies.records import Agreement

        records = [] if self.statistics is None else self.statistics.agreement
        return [asdict(each) for each in headline_agreement(Agreement(**r) for r in records)]

    @property
    def helped(self) -> dict[str, Any] | None:
        """What stored scores come to, where the statistics are those of these scores."""
        return None if self.statistics is None or self.older else self.statistics.helped

    @property
    def helped_means(self) -> list[dict[str, Any]]:
        """The systems' means with the helper and without."""
        return [] if self.helped is None else [r for r in self.helped["records"] if not r["right"]]

    @property
    def has_letters(self) -> bool:
        return any(table.has_letters for table in self.rankings)

    @property
    def has_lines(self) -> bool:
        return any(table.has_lines for table in self.rankings)

    @property
    def system_findings(self) -> list[dict[str, Any]]:
        return self._findings("systems")

    @property
    def answer_findings(self) -> list[dict[str, Any]]:
        return self._findings("answers")

    @property
    def files(self) -> tuple[str, ...]:
        """The files of a corpus folder that annotators' answers go to, without their endings."""
        return judgement_files(self.protocol)

    @property
    def questions(self) -> list[QuestionTable]:
        """What was answered to questions of other types than ratings and comparisons."""
        return [] if self.statistics is None else question_tables(self.statistics)

    @property
    def by_question(self) -> AgreementByQuestion | None:
        """Each annotator's agreement question by question, where there are several."""
        if self.statistics is None:
            return None
        return agreement_by_question(self.statistics, [each.name for each in self.annotators])

    @property
    def agreement_findings(self) -> list[dict[str, Any]]:
        return [*self._findings("agreement"), *self._findings("confidence")]

    def _findings(self, kind: str) -> list[dict[str, Any]]:
        """What the study says in words about this."""
        findings = [] if self.statistics is None else self.statistics.findings
        return [each for each in findings if each["kind"] == kind]

    def _percent(self, count: int) -> float:
        wanted = self.progress.wanted
        return round(100 * count / wanted, 2) if wanted else 0.0


def dashboard_of(
    campaign: Campaign, *, compute: Compute = "no", rate: Decimal | None = None
) -> Dashboard:
    """The dashboard; without `compute`, statistics are there only if they are known already.

    With `soon` they are computed beside the request, and older ones may be shown meanwhile. `rate`
    is what is paid for a task.
    """
    statistics, older = _statistics(campaign, compute)
    return Dashboard(
        campaign=campaign,
        progress=progress_of([campaign])[campaign.pk],
        annotators=annotators_of(campaign, statistics.annotators if statistics else None),
        timings=timings_of(campaign),
        events=latest_events(campaign),
        statistics=statistics,
        older=older,
        rankings=[] if statistics is None else ranking_tables(statistics, protocol_of(campaign)),
        pace=pace_of(campaign),
        rate=rate,
        decisions=decisions_of(campaign, statistics.sequential if statistics else ()),
        machines=machine_work(campaign),
        helper=stored_helper(campaign),
    )


def _statistics(
    campaign: Campaign, compute: Compute
) -> tuple[StudyResults | None, datetime | None]:
    if compute == "soon":
        return statistics_soon(campaign)
    return known_statistics(campaign), None
