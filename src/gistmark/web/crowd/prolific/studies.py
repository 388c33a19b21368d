"""A study on Prolific: made as a draft, published, paused, resumed and stopped through its API.

What the platform says about a study is what Prolific last answered. A study is made once: where
the answer to the request got lost, the study is looked for before it is made again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.markets import completion_codes
from gistmark.web.crowd.models import MarketAccount, Participant, Recruitment
from gistmark.web.crowd.prolific.accounts import market_for, market_of
from gistmark.web.crowd.prolific.calls import Prolific, Study, StudyAction
from gistmark.web.crowd.prolific.client import MarketError, UnsureError
from gistmark.web.crowd.prolific.offers import Offer, filters_from, market_filters, offer_of
from gistmark.web.crowd.recruitments import study_address
from gistmark.web.crowd.settings import RecruitmentSettings

ACTIONS: Mapping[str, StudyAction] = {
    "publish": "PUBLISH",
    "pause": "PAUSE",
    "resume": "START",
    "stop": "STOP",
}
_LEADS_TO = {"publish": "ACTIVE", "pause": "PAUSED", "resume": "ACTIVE", "stop": "COMPLETED"}
_STATES = {
    "UNPUBLISHED": Recruitment.State.DRAFT,
    "SCHEDULED": Recruitment.State.DRAFT,
    "PUBLISHING": Recruitment.State.ACTIVE,
    "ACTIVE": Recruitment.State.ACTIVE,
    "AWAITING REVIEW": Recruitment.State.ACTIVE,
    "PAUSED": Recruitment.State.PAUSED,
    "COMPLETED": Recruitment.State.ENDED,
}
"""What the market's words mean here. While all places are taken, one may still become free."""
STEPS: Mapping[str, tuple[str, ...]] = {
    "UNPUBLISHED": ("publish",),
    "ACTIVE": ("pause", "stop"),
    "PAUSED": ("resume", "stop"),
}
"""What can be done with a study in a state of the market's."""
_IN_FLIGHT = timedelta(minutes=2)
"""After this time a request that was never answered is not under way any more."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a study costs in all; only what the market said includes its tax and your own fee."""

    amount: int
    from_market: bool


def offer_for(
    settings: RecruitmentSettings, account: MarketAccount | None, *, quick: bool = False
) -> Offer:
    """What a study offers; the least rate is the market's own where it can be asked."""
    currency = account.currency if account is not None else settings.currency
    least = 0
    if account is not None and account.workspace:
        least = market_of(account, quick=quick).least_per_hour(account.workspace, currency)
    return offer_of(
        reward=settings.reward,
        minutes=settings.minutes,
        places=settings.places,
        currency=currency,
        least=least,
    )


def cost_of(offer: Offer, account: MarketAccount | None, *, quick: bool = False) -> Cost:
    """What a study costs with fees."""
    if account is None:
        return Cost(offer.estimate(), from_market=False)
    amount = market_of(account, quick=quick).cost(reward=offer.reward, places=offer.places)
    return Cost(amount, from_market=True)


def create_study(
    recruitment: Recruitment, account: MarketAccount, by: User | None, *, origin: str
) -> Recruitment:
    """Make the draft of a study on Prolific; `origin` is where the platform is reached."""
    settings = recruitment.read_settings()
    offer_for(settings, account).demand_enough()
    if recruitment.study:
        raise ConflictError(f"The study is on Prolific already, as {recruitment.study}.")
    market = market_of(account)
    known = market.filters(account.workspace) if _filtered(recruitment) else {}
    draft = payload_of(recruitment, known, origin=origin)
    study = _begin(recruitment, market)
    if study is None:
        try:
            study = market.create_study(draft)
        except UnsureError:
            raise
        except MarketError:
            Recruitment.objects.filter(pk=recruitment.pk).update(attempted_at=None)
            raise
    with transaction.atomic():
        recruitment.account, recruitment.study = account, study.id
        recruitment.attempted_at = None
        recruitment.save(update_fields=["account", "study", "attempted_at"])
        told(recruitment, study.status, by)
        record(
            recruitment.campaign, by, "study-created", recruitment=recruitment.key, study=study.id
        )
    return recruitment


def _begin(recruitment: Recruitment, market: Prolific) -> Study | None:
    """Note that the study is being made; the study, where an earlier request has made it.

    Of two managers at the same moment one gets on.
    """
    now = timezone.now()
    mine = Recruitment.objects.filter(pk=recruitment.pk, study="")
    if mine.filter(attempted_at=None).update(attempted_at=now):
        return None
    if not mine.filter(attempted_at__lt=now - _IN_FLIGHT).update(attempted_at=now):
        raise ConflictError(
            "The study is being made on Prolific, or was a moment ago; look again in two minutes."
        )
    name = internal_name(recruitment)
    return next((each for each in market.studies() if each.internal_name == name), None)


def payload_of(
    recruitment: Recruitment, known: Mapping[str, Any], *, origin: str
) -> dict[str, Any]:
    """A study as Prolific's API takes it."""
    settings = recruitment.read_settings()
    payload = {
        "name": title_of(recruitment),
        "internal_name": internal_name(recruitment),
        "description": description_of(recruitment),
        "external_study_url": study_address(recruitment, origin),
        "prolific_id_option": "url_parameters",
        "completion_codes": completion_codes(recruitment),
        "total_available_places": settings.places,
        "estimated_completion_time": settings.minutes,
        "reward": settings.reward,
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "study_labels": ["annotation"],
        "filters": market_filters(
            filters_from(settings.filters),
            known,
            earlier_studies=earlier_studies(recruitment),
            earlier_people=earlier_people(recruitment),
        ),
    }
    return payload | ({"is_external_study_url_secure": True} if settings.require_token else {})


def title_of(recruitment: Recruitment) -> str:
    """What participants see as the study's name."""
    return recruitment.read_settings().title or "Judge summaries of short texts"


def description_of(recruitment: Recruitment) -> str:
    """What participants read before they take part."""
    settings = recruitment.read_settings()
    tasks = (
        "1 task"
        if settings.tasks_per_participant == 1
        else (f"{settings.tasks_per_participant} tasks")
    )
    return settings.description or (
        "You will read texts and judge summaries of them. There are no right or wrong opinions, "
        f"but please read with care. The study has {tasks} and takes about {settings.minutes} "
        f"minute{'' if settings.minutes == 1 else 's'}. You can pause and come back in the same "
        "browser."
    )


def internal_name(recruitment: Recruitment) -> str:
    """What tells the study from all others, by which it is found again."""
    return f"gistmark {recruitment.campaign.key} {recruitment.key}"


def earlier_studies(recruitment: Recruitment) -> list[str]:
    """The studies of the same campaign, and of those it goes back to, on the same market."""
    if not recruitment.read_settings().exclude_earlier:
        return []
    others = Recruitment.objects.filter(
        campaign__in=_line_of(recruitment.campaign), market=recruitment.market
    )
    return sorted(
        others.exclude(pk=recruitment.pk).exclude(study="").values_list("study", flat=True)
    )


def earlier_people(recruitment: Recruitment) -> list[str]:
    """Participants of earlier studies whose ids on the market nobody entered."""
    if not recruitment.read_settings().exclude_earlier:
        return []
    people = Participant.objects.filter(
        market=recruitment.market,
        visits__recruitment__campaign__in=_line_of(recruitment.campaign),
        visits__recruitment__study="",
    )
    others = people.exclude(visits__recruitment=recruitment)
    return sorted(set(others.values_list("pid", flat=True)))


def change_study(recruitment: Recruitment, step: str, by: User | None) -> Recruitment:
    """Publish, pause, resume or stop a study; a publication costs money from then on."""
    if step not in ACTIONS:
        raise UsageError(f"A step of a study is {', '.join(ACTIONS)}, not {step!r}.")
    if step in ("publish", "resume") and not recruitment.campaign.gives_work:
        raise ConflictError(
            f"The campaign {recruitment.campaign.name!r} is {recruitment.campaign.state}: "
            "participants would find nothing to do. Start it first."
        )
    market = market_for(recruitment)
    _demand_study(recruitment)
    try:
        study = market.transition(recruitment.study, ACTIONS[step])
    except MarketError:
        study = market.study(recruitment.study)
        told(recruitment, study.status, by)
        if study.status != _LEADS_TO[step]:
            raise
    told(recruitment, study.status, by)
    record(recruitment.campaign, by, f"study-{step}", recruitment=recruitment.key)
    return recruitment


def add_places(recruitment: Recruitment, places: int, by: User | None) -> Recruitment:
    """Raise the number of places of a study that is on Prolific; it cannot be lowered there."""
    market = market_for(recruitment)
    _demand_study(recruitment)
    settings = recruitment.read_settings()
    if places <= settings.places:
        raise UsageError(
            "On Prolific places can only be added: the study has "
            f"{settings.places}, so give a larger number."
        )
    changed = replace(settings, places=places)
    study = market.update_study(recruitment.study, {"total_available_places": places})
    with transaction.atomic():
        recruitment.settings = changed.to_mapping()
        recruitment.save(update_fields=["settings"])
        told(recruitment, study.status, by)
        record(recruitment.campaign, by, "study-places", recruitment=recruitment.key, places=places)
    return recruitment


def told(recruitment: Recruitment, status: str, by: User | None) -> None:
    """Note which state the market says that a study has."""
    status = status[:40]
    state = _STATES.get(status, recruitment.state)
    if (recruitment.market_status, recruitment.state) == (status, state):
        return
    recruitment.market_status, recruitment.state = status, state
    recruitment.save(update_fields=["market_status", "state"])
    about = {"recruitment": recruitment.key, "status": status}
    record(recruitment.campaign, by, "study-status", **about)


def _filtered(recruitment: Recruitment) -> bool:
    """Whether the study restricts who is invited, so that the market's filters are needed."""
    some = filters_from(recruitment.read_settings().filters)
    return bool(some.sentences() or earlier_studies(recruitment) or earlier_people(recruitment))


def _line_of(campaign: Campaign) -> list[int]:
    """The campaign and those that it is a new version of."""
    line, current = [campaign.pk], campaign.previous
    while current is not None and current.pk not in line:
        line.append(current.pk)
        current = current.previous
    return line


def _demand_study(recruitment: Recruitment) -> None:
    if not recruitment.study:
        raise ConflictError("The study is not on Prolific yet; make its draft first.")
