"""Joining a campaign or the platform: by an invitation, or by registering."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from gistmark.errors import UsageError
from gistmark.web.accounts.forms import NewAccountForm, NewNameForm
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.sign_in.attempts import (
    TooManyAttemptsError,
    count_registration,
    visitor_address,
)
from gistmark.web.accounts.sign_in.credentials import LinkError
from gistmark.web.accounts.views.entering import Means, log_in_now, refuse_taken_name
from gistmark.web.accounts.views.sign_on import (
    Newcomer,
    adopt,
    newcomer,
    only_admins_sentence,
    ways_in,
)
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.invitations import (
    campaign_to_register_for,
    gains_nothing,
    join_as_known,
    join_as_new,
    read_invitation,
    register_as_known,
    register_as_new,
)
from gistmark.web.config.errors import refuse
from gistmark.web.interface.languages import use_language
from gistmark.web.interface.pages import GET_AND_POST, errors_on, form_status

CreateAccount = Callable[[str, str | None], User]


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Follow an invitation, with a new account or the one that somebody is logged in with."""
    try:
        link = read_invitation(secret)
        if link.campaign is not None:
            use_language(request, link.campaign.language)
        if isinstance(request.user, User):
            return _join_as_known(request, request.user, link, secret)
        return _new_account(
            request,
            link.campaign,
            lambda name, password: join_as_new(secret, name=name, password=password),
        )
    except LinkError as error:
        return refuse(request, 404, str(error))


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def register(request: HttpRequest, key: str) -> HttpResponse:
    """Take part in a campaign that is open to everybody."""
    campaign = campaign_to_register_for(key)
    use_language(request, campaign.language)
    if not isinstance(request.user, User):
        return _new_account(
            request,
            campaign,
            lambda name, password: _register(request, campaign, name, password),
        )
    if request.method == "POST":
        register_as_known(campaign, request.user)
        return _welcome(request, campaign)
    return render(request, "accounts/sign_in/join_known.html", {"campaign": campaign})


def _register(request: HttpRequest, campaign: Campaign, name: str, password: str | None) -> User:
    count_registration(visitor_address(request))
    return register_as_new(campaign, name=name, password=password)


def _join_as_known(request: HttpRequest, user: User, link: Link, secret: str) -> HttpResponse:
    if request.method == "POST":
        join_as_known(secret, user)
        return _welcome(request, link.campaign)
    context = {"campaign": link.campaign, "link": link, "has_all": gains_nothing(link, user)}
    return render(request, "accounts/sign_in/join_known.html", context)


def _new_account(
    request: HttpRequest, campaign: Campaign | None, create: CreateAccount
) -> HttpResponse:
    """Ask for a name and a password, make the account and log its person in.

    Whoever comes from the provider is asked for a name alone.
    """
    somebody = newcomer(request)
    if request.method == "POST" and somebody is None and not settings.PASSWORDS_FOR_ALL:
        return refuse(request, 403, only_admins_sentence())
    form = _form_for(request, somebody)
    status = form_status(form)
    if form.is_valid():
        try:
            with errors_on(form, "name", kind=UsageError):
                user = _created(request, form, create, somebody)
                _welcome(request, campaign)
                means: Means = "password" if somebody is None else "provider"
                return log_in_now(request, user, reverse("home"), means=means)
        except TooManyAttemptsError as error:
            form.add_error(None, str(error))
            status = 429
    context = {"form": form, "campaign": campaign, "newcomer": somebody, **ways_in(request.path)}
    return render(request, "accounts/sign_in/join_new.html", context, status=status)


def _form_for(request: HttpRequest, somebody: Newcomer | None) -> NewAccountForm | NewNameForm:
    if somebody is None:
        return NewAccountForm(_posted(request))
    return NewNameForm(_posted(request), initial={"name": somebody.name})


def _created(
    request: HttpRequest,
    form: NewAccountForm | NewNameForm,
    create: CreateAccount,
    somebody: Newcomer | None,
) -> User:
    """The new account, with a password or connected with the provider."""
    name = form.cleaned_data["name"]
    refuse_taken_name(request, name)
    if somebody is None:
        return create(name, form.cleaned_data["password"])
    with transaction.atomic():
        user = create(name, None)
        adopt(request, user, somebody)
    return user


def _welcome(request: HttpRequest, campaign: Campaign | None) -> HttpResponse:
    if campaign is not None:
        messages.success(request, gettext("You take part in %(name)s.") % {"name": campaign.name})
    return redirect("home")


def _posted(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None
