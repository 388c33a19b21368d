"""The machines of a campaign: models that judge beside people."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.web.accounts.credentials import make_token
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.services.machines import add_machine, machines_of
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.config.pages import GET_AND_POST, errors_on, form_status
from gistmark.web.manage.forms.machines import MachineForm
from gistmark.web.manage.pages import page
from gistmark.web.results.progress import machine_work


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def machines(request: PersonRequest, key: str) -> HttpResponse:
    """Which machines judge, how far they are, and how to run them; a new one is added."""
    campaign = campaign_for_manager(request.user, key)
    form = MachineForm(request.POST) if request.method == "POST" else MachineForm()
    if form.is_valid():
        with errors_on(form, "model"):
            made = add_machine(campaign, by=request.user, **form.cleaned_data)
            messages.success(request, f"The machine {made.membership.user.username} takes part.")
            return redirect("campaign-machines", campaign.key)
    return page(
        request,
        "machines",
        campaign,
        tab="people",
        status=form_status(form),
        form=form,
        machines=list(zip(machines_of(campaign), machine_work(campaign), strict=True)),
    )


@never_cache
@require_POST
@require_login
def token(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Make a token for a machine's own tasks, and show it, this once."""
    campaign = campaign_for_manager(request.user, key)
    machine = machines_of(campaign).filter(pk=pk).first()
    if machine is None:
        raise Http404("The campaign has no such machine.")
    made = make_token(machine.membership.user, f"made by {request.user.username}"[:100])
    context = {"campaign": campaign, "machine": machine, "secret": made.secret}
    return render(request, "campaigns/machine_token.html", context)
