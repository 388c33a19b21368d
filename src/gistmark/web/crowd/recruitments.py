"""Recruitments: making, finding and changing one with its completion codes; the ids of markets."""

from __future__ import annotations

import re
import secrets

from django.db import IntegrityError, transaction
from django.urls import reverse

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.markets import demand_market
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.markets import MARKETS, get_market
from gistmark.web.crowd.models import LONGEST_ID, Recruitment, Visit
from gistmark.web.crowd.settings import OUTCOMES, RecruitmentSettings

_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH = 8
MOST_LISTED = 500
_ID = re.compile(rf"[A-Za-z0-9._~:@=+-]{{1,{LONGEST_ID}}}")


@transaction.atomic
def create_recruitment(
    campaign: Campaign, *, market: str, settings: RecruitmentSettings, by: User | None
) -> Recruitment:
    """Recruit for a campaign on a market; the codes of all outcomes are made with it."""
    if campaign.archived_at is not None or campaign.state == Campaign.State.CLOSED:
        raise ConflictError(f"The campaign {campaign.name!r} is closed and recruits nobody.")
    if market not in MARKETS:
        raise UsageError(f"There is no market {market!r}; markets are {', '.join(MARKETS)}.")
    demand_market(campaign)
    recruitment = Recruitment.objects.create(
        campaign=campaign,
        market=market,
        settings=settings.to_mapping(),
        codes=draw_codes(),
        created_by=by,
    )
    record(campaign, by, "recruitment-made", recruitment=recruitment.key, market=market)
    return recruitment


def draw_codes() -> dict[str, str]:
    """A completion code for each outcome; nobody can tell one from another."""
    codes: set[str] = set()
    while len(codes) < len(OUTCOMES):
        codes.add("".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH)))
    return dict(zip(OUTCOMES, codes, strict=True))


@transaction.atomic
def change_recruitment(
    recruitment: Recruitment,
    by: User | None,
    *,
    settings: RecruitmentSettings | None = None,
    study: str | None = None,
    state: str | None = None,
) -> Recruitment:
    """Change what a recruitment knows; None leaves something as it is."""
    before = (recruitment.settings, recruitment.study, recruitment.state)
    if settings is not None:
        recruitment.settings = settings.to_mapping()
    if study is not None:
        recruitment.study = checked_id(study, "study") if study else ""
    if state is not None:
        recruitment.state = Recruitment.State(state)
    if (recruitment.settings, recruitment.study, recruitment.state) == before:
        return recruitment
    try:
        with transaction.atomic():
            recruitment.save(update_fields=["settings", "study", "state"])
    except IntegrityError:
        raise UsageError(f"The study {study!r} recruits for another campaign already.") from None
    about = {"recruitment": recruitment.key, "study": recruitment.study, "state": recruitment.state}
    record(recruitment.campaign, by, "recruitment-changed", **about, settings=recruitment.settings)
    return recruitment


def find_recruitment(campaign: Campaign, named: str = "") -> Recruitment:
    """The recruitment of a campaign with this key or study; without a name, the only one."""
    known = list(campaign.recruitments.select_related("campaign"))
    wanted = [each for each in known if not named or named in (each.key, each.study)]
    if len(wanted) == 1:
        return wanted[0]
    if not known:
        raise UsageError(f"The campaign {campaign.name!r} recruits on no market.")
    keys = ", ".join(f"{each.key} ({each.market})" for each in known)
    raise UsageError(f"Name one of the recruitments of {campaign.name!r}: {keys}.")


def latest_visits(recruitment: Recruitment) -> tuple[list[Visit], int]:
    """Who came last, and how many there are in all."""
    visits = recruitment.visits.select_related("participant__user").order_by("-pk")
    return list(visits[:MOST_LISTED]), visits.count()


def study_address(recruitment: Recruitment, origin: str) -> str:
    """What a manager pastes into the market; `origin` is such as `https://study.example.org`."""
    address = f"{origin.rstrip('/')}{reverse('crowd-arrival', args=[recruitment.key])}"
    return get_market(recruitment.market).study_address(address, recruitment.read_settings())


def is_id(value: str) -> bool:
    """Whether this can be an id of a market.

    >>> is_id("5f0c1d"), is_id("{{%PROLIFIC_PID%}}"), is_id("")
    (True, False, False)
    """
    return _ID.fullmatch(value) is not None


def checked_id(value: str, what: str) -> str:
    """An id that a manager typed, without blanks around it."""
    value = value.strip()
    if not is_id(value):
        raise UsageError(
            f"The id of a {what} has 1 to {LONGEST_ID} letters, digits and . _ ~ : @ = + -, "
            f"not {value[:LONGEST_ID]!r}."
        )
    return value
