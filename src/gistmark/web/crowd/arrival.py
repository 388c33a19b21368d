"""Arrival: somebody comes from a market by the study's address, and is let in or not.

An address alone proves nothing: whoever knows somebody's id could write it into one. So the first
browser in which a participant arrives is theirs from then on, known by a cookie of which a hash is
stored. Another browser gets in with a token that the market signed for this very session, or after
a manager has let it in. That holds for a new session of the same participant, too, since a session
can be made up as easily; and for those who have deleted their cookies.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import create_user
from gistmark.web.accounts.sign_in.devices import end_all_sessions
from gistmark.web.annotate.services.capacity import submitted_by
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.storage.transactions import retried
from gistmark.web.crowd.markets import get_market
from gistmark.web.crowd.models import Participant, Recruitment, Visit
from gistmark.web.crowd.outcomes import done_in
from gistmark.web.crowd.recruitments import is_id
from gistmark.web.crowd.tokens import read_token

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_LENGTH = 10


class ArrivalError(GistmarkError):
    """Somebody is not let in; the sentences say why, and what they can do."""

    def __init__(self, sentence: str, advice: str, *, status: int = 400) -> None:
        super().__init__(sentence)
        self.advice = advice
        self.status = status


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a study's address says; all of it may be made up unless the token is valid."""

    pid: str
    study: str
    session: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Browser:
    """Where somebody arrives: the hash of its cookie, if it has one, and who is logged in."""

    hash: str
    user: User | None = None


def read_arrival(recruitment: Recruitment, query: QueryDict) -> Arrival:
    """The ids of an address; those that are missing, doubled or placeholders are refused."""
    market = get_market(recruitment.market)
    names = market.parameters(recruitment.read_settings())
    ids = {}
    for name in (names.participant, names.study, names.session):
        values = query.getlist(name) if name else []
        if name and (len(values) != 1 or not is_id(values[0])):
            raise ArrivalError(
                gettext("The address of this study is wrong or incomplete: see '%(name)s'.")
                % {"name": name},
                gettext(
                    "Open the study from its page on the market again. If that does not help, tell "
                    "the researcher."
                ),
            )
        ids[name] = values[0] if values else ""
    pid = ids[names.participant]
    token = query.get(market.token_parameter, "") if market.token_parameter else ""
    return Arrival(pid, ids[names.study], ids[names.session] or pid, str(token))


def is_proven(recruitment: Recruitment, arrival: Arrival, host: str) -> bool:
    """Whether the market signed this arrival, for this session, participant, study and host.

    Keys may have to be fetched, so this is not called inside a transaction.
    """
    market = get_market(recruitment.market)
    if not arrival.token or not market.keys_address():
        return False
    claims = read_token(arrival.token, market.keys_address())
    if claims is None:
        return False
    names = market.parameters(recruitment.read_settings())
    said = claims.parameters
    return (
        claims.session == arrival.session
        and said.get(names.participant) == arrival.pid
        and said.get(names.study, arrival.study) == arrival.study
        and urlsplit(claims.audience).netloc == host
    )


@retried
def enter(
    recruitment: Recruitment,
    arrival: Arrival,
    browser: Browser,
    *,
    proven: bool,
    count_new: Callable[[], None] = lambda: None,
) -> Visit:
    """Let somebody in: their visit, which belongs to this browser from now on.

    `count_new` is called before an account is made for somebody who has proven nothing.
    """
    _demand_study(recruitment, arrival)
    visit = _known_visit(recruitment, arrival)
    if visit is None:
        _demand_open(recruitment)
    participant = _locked(recruitment.market, arrival.pid)
    if participant is None:
        if not proven:
            _demand_first(recruitment, None)
            count_new()
        make_participant(recruitment.market, arrival.pid)
        participant = _locked(recruitment.market, arrival.pid)
        assert participant is not None, "somebody has just made it"
    _demand_active(participant)
    if not _belongs_to(participant, browser):
        if not proven:
            _demand_first(recruitment, participant)
        end_all_sessions(participant.user, by=None)
        participant.visits.update(browser="")
    if visit is None:
        visit, _ = Visit.objects.get_or_create(
            recruitment=recruitment, participant=participant, session=arrival.session
        )
    now = timezone.now()
    visit.browser = browser.hash
    visit.arrived_at = visit.arrived_at or now
    visit.verified_at = now if proven else visit.verified_at
    visit.save(update_fields=["browser", "arrived_at", "verified_at"])
    _join(visit)
    return visit


@transaction.atomic
def let_in(visit: Visit, by: User | None) -> None:
    """Let a participant come in another browser: the next that arrives is theirs.

    Sessions in the browser that was theirs end.
    """
    visit.participant.visits.update(browser="")
    visit.browser = ""
    end_all_sessions(visit.participant.user, by=by)
    record(visit.recruitment.campaign, by, "browser-let-in", user=visit.participant.user.username)


def pseudonym() -> str:
    """A name for a participant that nothing about them can be learnt from."""
    return "participant-" + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def _demand_study(recruitment: Recruitment, arrival: Arrival) -> None:
    if recruitment.study and arrival.study and arrival.study != recruitment.study:
        raise ArrivalError(
            gettext("This address belongs to another study."),
            gettext("Open the study from its page on the market again."),
            status=403,
        )


def _known_visit(recruitment: Recruitment, arrival: Arrival) -> Visit | None:
    """The visit of this session; it is refused to anybody but the participant whose it is."""
    visits = Visit.objects.select_related("participant__user", "recruitment__campaign")
    visit = visits.filter(recruitment=recruitment, session=arrival.session).first()
    if visit is not None and visit.participant.pid != arrival.pid:
        raise ArrivalError(
            gettext("This address belongs to somebody else's place in the study."),
            gettext("Open the study from its page on the market again."),
            status=403,
        )
    return visit


def _demand_open(recruitment: Recruitment) -> None:
    """Refuse people who are new while there is nothing for them to do."""
    campaign = recruitment.campaign
    if campaign.gives_work and recruitment.state != Recruitment.State.ENDED:
        return
    if campaign.state == Campaign.State.PAUSED:
        sentence = gettext("This study is paused just now.")
        advice = gettext("Keep your place and reload this page in a few minutes.")
    elif campaign.state == Campaign.State.DRAFT:
        sentence = gettext("This study has not started yet.")
        advice = gettext("Keep your place and reload this page in a few minutes.")
    else:
        sentence = gettext("This study has ended.")
        advice = gettext("Please return your place on the market.")
    raise ArrivalError(sentence, advice, status=409)


def _belongs_to(participant: Participant, browser: Browser) -> bool:
    """Whether this browser is the participant's: by its cookie, or because they are logged in."""
    if browser.user is not None and browser.user.pk == participant.user_id:
        return True
    return participant.visits.filter(browser=browser.hash).exists()


def _demand_first(recruitment: Recruitment, participant: Participant | None) -> None:
    """Refuse who has proven nothing, unless nobody has come as this participant before."""
    if recruitment.read_settings().require_token:
        raise ArrivalError(
            gettext("This study can only be opened from its page on the market."),
            gettext("Open the study from its page on the market again."),
            status=403,
        )
    if participant is not None and participant.visits.exclude(browser="").exists():
        raise ArrivalError(
            gettext("This study was opened in another browser before."),
            gettext(
                "Please go on in the browser in which you began. If this is the one, reload this "
                "page. If you have deleted its cookies, or cannot use it any more, write to the "
                "researcher through the market: they can let you in here, and nothing that you "
                "did is lost."
            ),
            status=403,
        )


def _locked(market: str, pid: str) -> Participant | None:
    """The participant of this id, whom nobody else can let in until the transaction ends."""
    people = Participant.objects.select_for_update(of=("self",)).select_related("user")
    return people.filter(market=market, pid=pid).first()


def make_participant(market: str, pid: str) -> None:
    """An account for somebody who has never been here, unless another request has just made it."""
    with suppress(IntegrityError), transaction.atomic():
        user = create_user(pseudonym(), from_market=True)
        Participant.objects.create(market=market, pid=pid, user=user)


def _demand_active(participant: Participant) -> None:
    if not participant.user.is_active:
        raise ArrivalError(
            gettext("This account is closed."),
            gettext("Write to the researcher through the market if you have questions."),
            status=403,
        )


def _join(visit: Visit) -> None:
    """Let a participant take part, for as many tasks more as the visit is for.

    A visit that has ended, or whose place the market has given to somebody else, is for none.
    """
    campaign, user = visit.recruitment.campaign, visit.participant.user
    membership = add_member(campaign, user, Membership.Role.ANNOTATOR)
    if visit.outcome or visit.status in get_market(visit.recruitment.market).gone:
        return
    before = submitted_by(user).filter(campaign=campaign).count() - done_in(visit).count()
    membership.most_tasks = before + visit.recruitment.read_settings().tasks_per_participant
    membership.save(update_fields=["most_tasks"])
