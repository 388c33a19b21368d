"""What the market says about one submission, applied to the visit here.

Whatever comes first, a webhook or the answer to a poll, binds the submission to its participant, so
that no other id can be written into the address of that session. An older message never undoes a
newer one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone

from gistmark.web.annotate.services.capacity import submitted_by
from gistmark.web.annotate.services.leases import release_of
from gistmark.web.campaigns.models import Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.storage.transactions import retried
from gistmark.web.crowd.arrival import make_participant
from gistmark.web.crowd.markets import get_market
from gistmark.web.crowd.models import LONGEST_ID, Participant, Recruitment, Visit
from gistmark.web.crowd.recruitments import is_id

Applied = Literal["applied", "unchanged", "older", "another", "odd"]
"""What came of it; `another` is a session that belongs to somebody else here."""
UNFINISHED = frozenset({"", "RESERVED", "ACTIVE"})
_LONGEST_STATUS = 40
_SECOND = timedelta(seconds=1)
_RANKS = {"": -1, "RESERVED": 0, "ACTIVE": 1, "AWAITING REVIEW": 2, "TIMED-OUT": 2}
_LAST_RANK = 3


@dataclass(frozen=True, slots=True)
class Told:
    """What the market says: the submission's id, its participant, and how it stands at a time.

    `code` is None where the message does not say which code was entered.
    """

    session: str
    pid: str
    status: str
    at: datetime
    code: str | None = None


def apply_told(recruitment: Recruitment, told: Told) -> Applied:
    """Store what the market says, and open the place again that it has given to somebody else."""
    if not (is_id(told.session) and is_id(told.pid)):
        return "odd"
    if not 0 < len(told.status) <= _LONGEST_STATUS:
        return "odd"
    if not Participant.objects.filter(market=recruitment.market, pid=told.pid).exists():
        make_participant(recruitment.market, told.pid)
    return _store(recruitment, told)


@retried
def _store(recruitment: Recruitment, told: Told) -> Applied:
    participant = Participant.objects.get(market=recruitment.market, pid=told.pid)
    visit, _ = Visit.objects.get_or_create(
        recruitment=recruitment, session=told.session, defaults={"participant": participant}
    )
    visit = Visit.objects.select_for_update(of=("self",)).get(pk=visit.pk)
    if visit.participant_id != participant.pk:
        return "another"
    if _is_older(told, visit):
        return "older"
    before = visit.status
    visit.status, visit.synced_at = told.status, timezone.now()
    visit.status_at = max(told.at, visit.status_at or told.at)
    if told.code is not None:
        visit.entered_code = told.code[:LONGEST_ID]
    visit.save(update_fields=["status", "status_at", "synced_at", "entered_code"])
    if before == told.status:
        return "unchanged"
    record(
        recruitment.campaign,
        participant.user,
        "visit-status",
        recruitment=recruitment.key,
        status=told.status,
    )
    gone = get_market(recruitment.market).gone
    if told.status in gone and before not in gone:
        _open_place(visit)
    return "applied"


def _is_older(told: Told, visit: Visit) -> bool:
    """Whether the visit is further than a message says.

    The market's clock ticks in seconds: within one, what comes later in the life of a submission
    counts as later.
    """
    if visit.status_at is None or told.at >= visit.status_at + _SECOND:
        return False
    if told.at <= visit.status_at - _SECOND:
        return True
    return _RANKS.get(told.status, _LAST_RANK) < _RANKS.get(visit.status, _LAST_RANK)


def _open_place(visit: Visit) -> None:
    """Release what the participant holds, unless they are on another visit of the campaign.

    What was opened stays with them: should they submit it all the same, it comes late, and is kept.
    """
    campaign, user = visit.recruitment.campaign, visit.participant.user
    others = visit.participant.visits.filter(
        recruitment__campaign=campaign, outcome="", status__in=UNFINISHED
    )
    if others.exclude(pk=visit.pk).exists():
        return
    release_of(campaign, [user], None)
    done = submitted_by(user).filter(campaign=campaign).count()
    Membership.objects.filter(campaign=campaign, user=user).update(most_tasks=done)
