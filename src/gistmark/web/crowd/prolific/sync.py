"""Comparing a study with Prolific: every submission is read, and what differs is said.

Polling does the same as events do, so that a server which no event reaches knows as much, only
later.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.outcomes import done_in
from gistmark.web.crowd.prolific.accounts import MARKET, market_for
from gistmark.web.crowd.prolific.calls import MarketSubmission
from gistmark.web.crowd.prolific.hooks import forget_old_events
from gistmark.web.crowd.prolific.statuses import UNFINISHED, Told, apply_told
from gistmark.web.crowd.prolific.studies import told as study_told

_LOG = logging.getLogger(__name__)
_NAMED = 20
"""So many participants are named with a difference."""
_OVER = frozenset({"RETURNED", "TIMED-OUT", "SCREENED OUT", *UNFINISHED})
"""Statuses of submissions for which no code, or none that matters, was entered."""
LEFT = ("RETURNED", "TIMED-OUT")


@dataclass(frozen=True, slots=True)
class Difference:
    """Something on which the market and the platform do not agree, and whose visits it is about."""

    kind: str
    count: int
    sentence: str
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The submissions by status, there and here, and what differs."""

    there: dict[str, int] = field(default_factory=dict)
    here: dict[str, int] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()

    def to_mapping(self) -> dict[str, Any]:
        """The report as it is stored."""
        return asdict(self)

    @property
    def agrees(self) -> bool:
        return not self.differences


def report_from(stored: dict[str, Any]) -> Report | None:
    """The report of the last comparison; None before the first."""
    if not stored:
        return None
    differences = (
        Difference(each["kind"], each["count"], each["sentence"], tuple(each["people"]))
        for each in stored["differences"]
    )
    return Report(stored["there"], stored["here"], tuple(differences))


def sync(recruitment: Recruitment, by: User | None = None) -> Report:
    """Read everything that Prolific knows about a study, apply it, and compare."""
    market = market_for(recruitment)
    asked_at = timezone.now()
    study = market.study(recruitment.study)
    submissions = market.submissions(recruitment.study)
    counted = market.counts(recruitment.study)
    study_told(recruitment, study.status, by)
    foreign = [
        each for each in submissions if apply_told(recruitment, _told(each, asked_at)) == "another"
    ]
    report = compare(recruitment, submissions, counted, foreign)
    recruitment.report, recruitment.synced_at = report.to_mapping(), asked_at
    recruitment.save(update_fields=["report", "synced_at"])
    if by is not None:
        about = {"submissions": len(submissions), "differences": len(report.differences)}
        record(recruitment.campaign, by, "study-compared", recruitment=recruitment.key, **about)
    return report


def sync_all(after: int = 0) -> int:
    """Compare all studies that are open or wait for a review; how many there were.

    Those that were compared less than `after` seconds ago are left out. One process does it at a
    time. What fails is in the log, and tried again the next time.
    """
    with shared_lock("crowd-sync", wait=False) as ours:
        if not ours:
            return 0
        forget_old_events()
        connected = Recruitment.objects.filter(market=MARKET, account__isnull=False)
        waiting = Q(visits__status__in=[*UNFINISHED, "AWAITING REVIEW"])
        open_ = connected.exclude(study="").filter(Q(state__in=["active", "paused"]) | waiting)
        since = timezone.now() - timedelta(seconds=after)
        due = open_.filter(Q(synced_at=None) | Q(synced_at__lte=since))
        studies = list(due.select_related("campaign", "account").distinct())
        for each in studies:
            try:
                sync(each)
            except GistmarkError as error:
                _LOG.warning("The study %s was not compared: %s", each.key, error)
        return len(studies)


def compare(
    recruitment: Recruitment,
    submissions: Sequence[MarketSubmission],
    counted: dict[str, int],
    foreign: Iterable[MarketSubmission] = (),
) -> Report:
    """What the market's submissions and the visits here do not agree on."""
    visits = list(recruitment.visits.select_related("participant__user"))
    there = {each.id: each for each in submissions}
    here = {each.session: each for each in visits}
    taken = {each.id for each in foreign}
    counts_there = Counter(each.status for each in submissions)
    counts_here = Counter(v.status for v in visits if v.session in there)
    found = _differences(recruitment, there, here, taken)
    total = counted.get("TOTAL", len(submissions))
    if total != len(submissions):
        said = f"Prolific counts {total} submissions, but listed {len(submissions)}."
        found.append(Difference("incomplete", abs(total - len(submissions)), said))
    return Report(
        dict(sorted(counts_there.items())),
        dict(sorted(counts_here.items())),
        tuple(found),
    )


def _differences(
    recruitment: Recruitment,
    there: Mapping[str, MarketSubmission],
    here: Mapping[str, Visit],
    taken: Collection[str],
) -> list[Difference]:
    """What visits and submissions of the same session do not agree on, kind by kind."""
    both = [(there[s], visit) for s, visit in here.items() if s in there and s not in taken]
    kinds = [
        _difference(
            "unknown",
            [visit for session, visit in here.items() if session not in there],
            "{count} visit{s} here {has} a session that Prolific does not know: somebody made up "
            "the address, or came from another study. Nothing is paid for {it}.",
        ),
        _difference(
            "another",
            [here[session] for session in taken if session in here],
            "{count} visit{s} here began with another id than that of the participant to whom "
            "Prolific gave the place. Do not approve {it} before you know whose work it is.",
        ),
        _difference(
            "never-came",
            [v for s, v in both if v.arrived_at is None and s.status not in _OVER],
            "{count} participant{s} {has} finished on Prolific, but never came here.",
        ),
        _difference(
            "unfinished",
            [v for s, v in both if s.code and v.arrived_at and v.outcome == ""],
            "{count} participant{s} entered a code on Prolific and {has} not finished here.",
        ),
        _difference(
            "wrong-code",
            [v for s, v in both if s.code and v.outcome and s.code != recruitment.codes[v.outcome]],
            "{count} participant{s} entered a different code from the one that they were shown.",
        ),
        _difference(
            "no-code",
            [v for s, v in both if v.outcome and not s.code and s.status in UNFINISHED],
            "{count} participant{s} finished here and {has} not entered the code on Prolific yet.",
        ),
        _difference(
            "left-with-work",
            [v for s, v in both if s.status in LEFT and v.outcome and done_in(v).exists()],
            "{count} participant{s} returned the place or ran out of time and {has} finished work "
            "here. It is kept; Prolific pays nothing for it unless you approve it.",
        ),
    ]
    return [each for each in kinds if each is not None]


def _difference(kind: str, visits: list[Visit], sentence: str) -> Difference | None:
    if not visits:
        return None
    count = len(visits)
    words = {"s": "" if count == 1 else "s", "has": "has" if count == 1 else "have"}
    said = sentence.format(count=count, it="it" if count == 1 else "them", **words)
    people = sorted(visit.participant.user.username for visit in visits)
    return Difference(kind, count, said, tuple(people[:_NAMED]))


def _told(submission: MarketSubmission, at: Any) -> Told:
    return Told(submission.id, submission.participant, submission.status, at, submission.code)
