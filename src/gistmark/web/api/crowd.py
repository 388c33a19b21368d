"""Studies on Prolific: made, published, compared, reviewed and paid by programs.

Participants go by their pseudonyms here, too.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from django.http import Http404, HttpRequest
from ninja import Path, Router, Schema, Status
from pydantic import Field

from gistmark.errors import UsageError
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, Text, responses
from gistmark.web.config.errors import ConflictError, NotFoundError
from gistmark.web.crowd.models import BonusPayment, Recruitment
from gistmark.web.crowd.prolific.accounts import MARKET, account_of
from gistmark.web.crowd.prolific.bonuses import drop_bonuses, pay_bonuses, set_up_bonuses
from gistmark.web.crowd.prolific.offers import filters_from
from gistmark.web.crowd.prolific.review import (
    VisitWork,
    approve,
    draft_rejection,
    draft_return,
    find_work,
    reject,
    request_return,
    work_of,
)
from gistmark.web.crowd.prolific.studies import change_study, create_study, offer_for
from gistmark.web.crowd.prolific.sync import sync
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings

router = Router()
Study = Annotated[str, Path(pattern="^[0-9a-f]{10}$", description="The key of a study.")]


class StudyIn(Schema):
    """A study on Prolific; `reward` is in the smallest unit of the currency."""

    places: Count
    tasks_per_participant: Count = 1
    minutes: Count
    reward: Count
    currency: Name = "GBP"
    filters: dict[str, Any] = {}
    exclude_earlier: bool = True
    require_token: bool = False
    approve_automatically: bool = False
    title: Name = ""
    description: Text = ""


class StudyOut(Schema):
    """A study; `market_status` is Prolific's own word, `study` its id there."""

    key: str
    market: str
    study: str
    state: str
    market_status: str
    settings: dict[str, Any]


class StepIn(Schema):
    """What to do with a study; `create` makes its draft for the platform at `url`."""

    step: Literal["create", "publish", "pause", "resume", "stop"]
    url: Name = ""


class ReportOut(Schema):
    """Submissions by status on Prolific and here, and what differs."""

    there: dict[str, int]
    here: dict[str, int]
    differences: list[dict[str, Any]]


class MarketSubmissionOut(Schema):
    """A submission with the verdicts on its work; `rejection` is why it may not be rejected."""

    participant: str
    status: str
    outcome: str
    verdicts: dict[str, int]
    seconds: float
    failures: int
    suggestion: str
    rejection: str | None


class ReviewIn(Schema):
    """What to do with these participants' submissions; without a `message`, a draft is sent."""

    action: Literal["approve", "return", "reject"]
    people: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    message: Text | None = None


class ReviewedOut(Schema):
    """How many submissions were approved, rejected, or asked to be returned."""

    count: int


class BonusIn(Schema):
    """The same bonus for each of these participants, in the smallest unit of the currency."""

    amount: Count
    people: Annotated[list[Name], Field(min_length=1, max_length=200)]


class BonusOut(Schema):
    """Bonuses that wait to be confirmed, or were paid; `total` includes fees and tax."""

    id: int
    state: str
    amount: int
    total: int


class ConfirmIn(Schema):
    """The total that is confirmed; it must be that of the bonuses, or nothing is paid."""

    total: Count


@router.get("/{key}/studies", response=responses(list[StudyOut]), summary="Studies on Prolific")
def list_studies(request: HttpRequest, key: Key) -> list[Recruitment]:
    """The studies that recruit for a campaign."""
    return list(managed(request, key).recruitments.filter(market=MARKET))


@router.post("/{key}/studies", response=responses(StudyOut, 201), summary="Plan a study")
def plan_study(request: HttpRequest, key: Key, new: StudyIn) -> Status[Recruitment]:
    """Plan a study; nothing is sent to Prolific yet. Too low a reward is refused with the rule."""
    campaign, user = managed(request, key), person(request)
    settings = RecruitmentSettings(**new.dict())
    filters_from(settings.filters)
    offer_for(settings, account_of(user)).demand_enough()
    made = create_recruitment(campaign, market=MARKET, settings=settings, by=user)
    return Status(201, made)


@router.post("/{key}/studies/{study}/step", response=responses(StudyOut), summary="Change a study")
def change_study_of(request: HttpRequest, key: Key, study: Study, wanted: StepIn) -> Recruitment:
    """Make the draft on Prolific, publish, pause, resume or stop it."""
    recruitment, user = _study(request, key, study), person(request)
    if wanted.step != "create":
        return change_study(recruitment, wanted.step, user)
    account = account_of(user)
    if account is None:
        raise ConflictError("No API token of Prolific is stored for you.")
    if not wanted.url.startswith("https://") and not wanted.url.startswith("http://"):
        raise UsageError("The url is where participants reach the platform: https://….")
    return create_study(recruitment, account, user, origin=wanted.url)


@router.post("/{key}/studies/{study}/sync", response=responses(ReportOut), summary="Compare")
def sync_study(request: HttpRequest, key: Key, study: Study) -> dict[str, Any]:
    """Read everything that Prolific knows about a study, and say what differs."""
    return asdict(sync(_study(request, key, study), person(request)))


@router.get(
    "/{key}/studies/{study}/submissions",
    response=responses(list[MarketSubmissionOut]),
    summary="Submissions on Prolific",
)
def list_study_submissions(request: HttpRequest, key: Key, study: Study) -> list[dict[str, Any]]:
    """The submissions that Prolific knows, with what to do next."""
    return [_work(each) for each in work_of(_study(request, key, study))]


@router.post(
    "/{key}/studies/{study}/review", response=responses(ReviewedOut), summary="Review submissions"
)
def review_submissions(
    request: HttpRequest, key: Key, study: Study, wanted: ReviewIn
) -> dict[str, int]:
    """Approve, ask for a return, or reject where the market's rules allow that."""
    recruitment, user = _study(request, key, study), person(request)
    work = [find_work(recruitment, name) for name in dict.fromkeys(wanted.people)]
    if wanted.action == "approve":
        return {"count": approve(recruitment, [each.visit for each in work], user)}
    for each in work:
        if wanted.action == "reject":
            reject(each, _or(wanted.message, draft_rejection(each)), user)
        else:
            request_return(each.visit, _or(wanted.message, draft_return(each)), user)
    return {"count": len(work)}


@router.post(
    "/{key}/studies/{study}/bonuses", response=responses(BonusOut, 201), summary="Set up bonuses"
)
def set_up_bonuses_of(
    request: HttpRequest, key: Key, study: Study, wanted: BonusIn
) -> Status[BonusPayment]:
    """Learn what bonuses cost; nothing is paid before the total is confirmed."""
    recruitment = _study(request, key, study)
    visits = [find_work(recruitment, name).visit for name in dict.fromkeys(wanted.people)]
    return Status(201, set_up_bonuses(recruitment, visits, wanted.amount, person(request)))


@router.post(
    "/{key}/studies/{study}/bonuses/{int:number}/pay",
    response=responses(BonusOut),
    summary="Pay bonuses",
)
def pay_bonuses_of(
    request: HttpRequest, key: Key, study: Study, number: int, confirmed: ConfirmIn
) -> BonusPayment:
    """Pay bonuses that were set up, once."""
    payment = _payment(request, key, study, number)
    return pay_bonuses(payment, confirmed.total, person(request))


@router.delete(
    "/{key}/studies/{study}/bonuses/{int:number}",
    response=responses(None, 204),
    summary="Give bonuses up",
)
def drop_bonuses_of(request: HttpRequest, key: Key, study: Study, number: int) -> Status[None]:
    """Give up bonuses that wait to be confirmed."""
    drop_bonuses(_payment(request, key, study, number), person(request))
    return Status(204, None)


def _study(request: HttpRequest, key: str, study: str) -> Recruitment:
    studies = managed(request, key).recruitments.filter(market=MARKET)
    found = studies.select_related("campaign", "account").filter(key=study).first()
    if found is None:
        raise Http404("This campaign has no such study.")
    return found


def _payment(request: HttpRequest, key: str, study: str, number: int) -> BonusPayment:
    payments = _study(request, key, study).bonus_payments.select_related("recruitment__account")
    found = payments.filter(pk=number).first() if number < 2**63 else None
    if found is None:
        raise NotFoundError("This study has no such payment of bonuses.")
    return found


def _or(message: str | None, draft: str) -> str:
    return draft if message is None else message


def _work(work: VisitWork) -> dict[str, Any]:
    return {
        "participant": work.name,
        "status": work.visit.status,
        "outcome": work.visit.outcome,
        "verdicts": work.verdicts,
        "seconds": work.seconds,
        "failures": work.failures,
        "suggestion": work.suggestion,
        "rejection": work.fault,
    }
