"""The systems of a campaign two by two: a page to read, and a file with everything."""

from __future__ import annotations

from dataclasses import fields

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.corpus.tables import Table, dump_csv
from gistmark.errors import GistmarkError
from gistmark.web.accounts.permissions import PersonRequest, campaign_for_manager, require_login
from gistmark.web.results.exports import file_stem
from gistmark.web.results.pairs import choose_pairs
from gistmark.web.results.statistics import statistics_of


@never_cache
@require_safe
@require_login
def pairs(request: PersonRequest, key: str) -> HttpResponse:
    """The pairs of `?ranking=`, and of `?system=` where there are many."""
    campaign = campaign_for_manager(request.user, key)
    asked = {name: request.GET.get(name, "") for name in ("ranking", "system")}
    try:
        chosen = choose_pairs(statistics_of(campaign).pairs, **asked)
    except GistmarkError as error:
        raise Http404(str(error)) from error
    context = {"campaign": campaign, "tab": "campaign", "pairs": chosen}
    return render(request, "results/pairs.html", context)


@never_cache
@require_safe
@require_login
def pairs_csv(request: PersonRequest, key: str) -> HttpResponse:
    """All pairs of all rankings as CSV, with the names that `study.json` has."""
    from gistmark.analysis.records import Pair

    campaign = campaign_for_manager(request.user, key)
    records = statistics_of(campaign).pairs
    names = [field.name for field in fields(Pair)]
    table = Table({name: [record[name] for record in records] for name in names})
    response = HttpResponse("".join(dump_csv(table)), content_type="text/csv; charset=utf-8")
    name = f"{file_stem(campaign)}-pairs.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
