"""The guided set-up: the first admin, then a sample campaign if wished for."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.forms import SetUpForm
from gistmark.web.accounts.permissions import PersonRequest, require_admin
from gistmark.web.accounts.sample import load_sample
from gistmark.web.accounts.set_up import create_first_admin, is_set_up


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Make the first admin; once there is one, the page leads to the start."""
    if is_set_up():
        return redirect("home")
    if request.method != "POST":
        form = SetUpForm(initial={"code": request.GET.get("code", "")})
        return render(request, "accounts/set_up.html", {"form": form})
    form = SetUpForm(request.POST)
    if form.is_valid():
        try:
            cleaned = form.cleaned_data
            admin = create_first_admin(name=cleaned["name"], password=cleaned["password"])
        except UsageError as error:
            form.add_error(None, str(error))
        else:
            login(request, admin)
            return redirect("set-up-sample")
    return render(request, "accounts/set_up.html", {"form": form}, status=400)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@require_admin
def sample(request: PersonRequest) -> HttpResponse:
    """Offer the sample campaign."""
    if request.method != "POST":
        return render(request, "accounts/sample.html")
    try:
        campaign = load_sample(request.user)
    except GistmarkError as error:
        context = {"sentence": str(error)}
        return render(request, "accounts/sample.html", context, status=400)
    messages.success(request, f"{campaign.name} is loaded.")
    return redirect("campaign", campaign.key)
