"""People and metrics together: a campaign's mean ratings with the help of scores."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.uploads import read_scores_upload
from gistmark.web.config.pages import GET_AND_POST, errors_on
from gistmark.web.manage.forms.helping import HelperForm
from gistmark.web.manage.pages import page
from gistmark.web.results.helping import helped


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def helper(request: PersonRequest, key: str) -> HttpResponse:
    """Ask for scores; with them, show intervals by people alone and with their help."""
    campaign = campaign_for_manager(request.user, key)
    filled = (request.POST, request.FILES) if request.method == "POST" else ()
    form = HelperForm(*filled)
    shown: dict[str, object] = {}
    if form.is_valid():
        given = form.cleaned_data
        with errors_on(form):
            file = given["scores"]
            scores = read_scores_upload(file.name or "", file.chunks())
            records, findings = helped(campaign, scores, given["helper"], given["population"])
            shown = {"records": records, "findings": findings}
    status = 400 if form.errors else 200
    return page(request, "helper", campaign, tab="campaign", status=status, form=form, **shown)
