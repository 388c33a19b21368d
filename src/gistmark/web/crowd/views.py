"""The participants' pages: arriving from a market, and going back to it with a code."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import User, digest, generate_secret
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.sign_in.attempts import (
    TooManyAttemptsError,
    count_registration,
    visitor_address,
)
from gistmark.web.accounts.sign_in.devices import note_session
from gistmark.web.annotate.pages import joined_campaign
from gistmark.web.campaigns.services.consents import consented
from gistmark.web.config.errors import TITLES
from gistmark.web.crowd import outcomes
from gistmark.web.crowd.arrival import (
    Arrival,
    ArrivalError,
    Browser,
    enter,
    is_proven,
    read_arrival,
)
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.tokens import KeysUnavailableError
from gistmark.web.interface.languages import use_language

COOKIE = "gistmark_browser"
_AGE = 60 * 60 * 24 * 365
_PATH = "/crowd/"
_VISIT = "visit"
_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_safe
def arrive(request: HttpRequest, key: str) -> HttpResponse:
    """The address of a study: whoever comes from the market goes on to their work."""
    recruitment = _recruitment(key)
    use_language(request, recruitment.campaign.language)
    if request.method == "HEAD":
        return HttpResponse()
    try:
        if isinstance(request.user, User) and not request.user.from_market:
            return render(request, "crowd/logged_in.html", status=409)
        arrival = read_arrival(recruitment, request.GET)
        secret = request.COOKIES.get(COOKIE) or generate_secret()
        visit = _entered(request, recruitment, arrival, secret)
    except ArrivalError as error:
        return _refused(request, error)
    except TooManyAttemptsError as error:
        advice = gettext("Keep your place and reload this page then.")
        return _refused(request, ArrivalError(str(error), advice, status=429))
    return _keep_browser(redirect("crowd-finish", key=recruitment.campaign.key), visit, secret)


@never_cache
@require_safe
@require_login
def finish(request: PersonRequest, key: str) -> HttpResponse:
    """Where a participant goes on: the code where the visit has ended, else what comes next."""
    campaign = joined_campaign(request, key)
    visit = _visit(request, key)
    task = outcomes.settle(visit)
    if visit.outcome:
        context = {
            "campaign": campaign,
            "ending": outcomes.show_ending(visit),
            "submitted": outcomes.done_in(visit).count(),
        }
        return _private(render(request, "crowd/finish.html", context))
    if task is not None:
        return redirect("task", pk=task.pk)
    if not consented(campaign, request.user):
        return redirect("work-begin", key=key)
    return redirect("work-practice", key=key)


@require_POST
@require_login
def decline(request: PersonRequest, key: str) -> HttpResponse:
    """Somebody does not agree to take part."""
    joined_campaign(request, key)
    visit = _visit(request, key)
    if not consented(visit.recruitment.campaign, request.user):
        outcomes.decline(visit)
    return redirect("crowd-finish", key=key)


def _recruitment(key: str) -> Recruitment:
    known = Recruitment.objects.select_related("campaign")
    recruitment = None if "\0" in key else known.filter(key=key).first()
    if recruitment is None:
        raise Http404(
            gettext("There is no study at this address; open it from its page on the market.")
        )
    return recruitment


def _entered(
    request: HttpRequest, recruitment: Recruitment, arrival: Arrival, secret: str
) -> Visit:
    """Let somebody in and log them in, under their pseudonym."""
    user = request.user if isinstance(request.user, User) else None
    visit = enter(
        recruitment,
        arrival,
        Browser(digest(secret), user),
        proven=_proven(request, recruitment, arrival),
        count_new=partial(count_registration, visitor_address(request)),
    )
    person = visit.participant.user
    if user is None or user.pk != person.pk:
        login(request, person, backend=_BACKEND)
        note_session(request, person)
        note("logged-in", by=person, name=person.username)
    request.session[_VISIT] = visit.pk
    return visit


def _proven(request: HttpRequest, recruitment: Recruitment, arrival: Arrival) -> bool:
    """Whether the market signed the arrival; who need not prove it gets in without its keys."""
    try:
        return is_proven(recruitment, arrival, request.get_host())
    except KeysUnavailableError as error:
        if not recruitment.read_settings().require_token:
            return False
        raise ArrivalError(
            gettext("We cannot check with the market just now whether this place is yours."),
            gettext("Keep your place, and open the study from the market again in a minute."),
            status=503,
        ) from error


def _visit(request: PersonRequest, key: str) -> Visit:
    campaign = joined_campaign(request, key)
    visit = outcomes.visit_of(request.user, campaign, request.session.get(_VISIT))
    if visit is None:
        raise Http404(gettext("You do not take part in this campaign through a crowd market."))
    return visit


def _refused(request: HttpRequest, error: ArrivalError) -> HttpResponse:
    context = {"title": TITLES[error.status], "sentence": str(error), "advice": error.advice}
    return _private(render(request, "crowd/refused.html", context, status=error.status))


def _private(response: HttpResponse) -> HttpResponse:
    """Let no other page learn the address of this one, which may name a participant."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _keep_browser(response: HttpResponse, visit: Visit, secret: str) -> HttpResponse:
    """Let the browser prove next time that the visit is its own."""
    assert visit.browser == digest(secret), "the visit belongs to the browser that has the cookie"
    response.set_cookie(
        COOKIE,
        secret,
        max_age=_AGE,
        httponly=True,
        secure=bool(settings.SESSION_COOKIE_SECURE),
        samesite="Lax",
        path=_PATH,
    )
    return _private(response)
