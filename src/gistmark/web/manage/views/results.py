"""What has come in: the live dashboard, pairs of systems, and documents."""

from __future__ import annotations

from dataclasses import fields

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.corpus.files.tables import Table, dump_csv
from gistmark.errors import UsageError
from gistmark.judgements.protocols.protocol import Protocol, Scale
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services.adjudications import adjudications_of
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.crowd.models import Recruitment
from gistmark.web.interface.pages import errors_as_messages
from gistmark.web.manage.views.setup.campaigns import campaign as draft_page
from gistmark.web.results.dashboard.dashboard import PARTS, dashboard_of
from gistmark.web.results.dashboard.pace import read_rate
from gistmark.web.results.documents import document_results
from gistmark.web.results.exports import file_stem, formats_for, judgement_files
from gistmark.web.results.statistics.rankings import choose_pairs
from gistmark.web.results.statistics.study import current_statistics, known_statistics

PAGE = 50


@never_cache
@require_safe
@require_login
def dashboard(request: PersonRequest, key: str) -> HttpResponse:
    """How a campaign goes; one that has not started shows what it needs for that.

    The page comes at once. Statistics that are not known yet are fetched by its script, or
    waited for a moment with `?statistics=now`.
    """
    campaign = campaign_for_manager(request.user, key)
    if campaign.state == Campaign.State.DRAFT:
        return draft_page(request, key)
    rate = None
    with errors_as_messages(request):
        rate = read_rate(request.GET.get("rate", ""))
    board = dashboard_of(
        campaign, compute="soon" if "statistics" in request.GET else "no", rate=rate
    )
    context = {
        "campaign": campaign,
        "tab": "campaign",
        "board": board,
        "formats": formats_for(protocol_of(campaign)),
        "adjudicated": len(adjudications_of(campaign)),
        "recruits": Recruitment.objects.filter(campaign=campaign).exists(),
    }
    return render(request, "results/dashboard.html", context)


@never_cache
@require_safe
@require_login
def numbers(request: PersonRequest, key: str) -> HttpResponse:
    """The parts of the dashboard as they are now, rendered, for the script of the page."""
    rate = read_rate(request.GET.get("rate", ""))
    board = dashboard_of(campaign_for_manager(request.user, key), compute="soon", rate=rate)
    parts = {
        name: render_to_string(f"results/dashboard/{name}.html", {"board": board}, request)
        for name in PARTS
    }
    return JsonResponse({"parts": parts})


@never_cache
@require_safe
@require_login
def pairs(request: PersonRequest, key: str) -> HttpResponse:
    """The pairs of `?ranking=`, and of `?system=` where there are many."""
    campaign = campaign_for_manager(request.user, key)
    query = {name: request.GET.get(name, "") for name in ("ranking", "system")}
    try:
        chosen = choose_pairs(current_statistics(campaign).pairs, **query)
    except UsageError as error:
        raise Http404(str(error)) from error
    context = {"campaign": campaign, "tab": "campaign", "pairs": chosen}
    return render(request, "results/pairs.html", context)


@never_cache
@require_safe
@require_login
def pairs_csv(request: PersonRequest, key: str) -> HttpResponse:
    """All pairs of all rankings as CSV, with the names that `study.json` has."""
    from gistmark.analysis.studies.records import Pair

    campaign = campaign_for_manager(request.user, key)
    records = current_statistics(campaign).pairs
    names = [field.name for field in fields(Pair)]
    table = Table({name: [record[name] for record in records] for name in names})
    response = HttpResponse("".join(dump_csv(table)), content_type="text/csv; charset=utf-8")
    name = f"{file_stem(campaign)}-pairs.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@require_safe
@require_login
def documents(request: PersonRequest, key: str) -> HttpResponse:
    """All documents, page by page."""
    campaign = campaign_for_manager(request.user, key)
    listed = campaign.documents.filter(texts__isnull=False).defer("texts")
    page = Paginator(listed, PAGE).get_page(request.GET.get("page"))
    statistics = known_statistics(campaign)
    known = {} if statistics is None else statistics.documents
    context = {
        "campaign": campaign,
        "tab": "campaign",
        "page": page,
        "rows": [(each, known.get(each.name, {})) for each in page],
        "known": statistics is not None,
        "highlighted": judgement_files(protocol_of(campaign)) == ("highlights",),
        "spread": len(_scales(protocol_of(campaign))) == 1
        and any("deviation" in each for each in known.values()),
    }
    return render(request, "results/documents.html", context)


def _scales(protocol: Protocol) -> set[Scale]:
    """The scales of a protocol; standard deviations on different ones have no mean."""
    if not protocol.scaled:
        return set()
    return {protocol.scale_of(each.name) for each in protocol.dimensions}


@never_cache
@require_safe
@require_login
def document(request: PersonRequest, key: str, position: int) -> HttpResponse:
    """One document with its heat map and the judgements of its summaries."""
    campaign = campaign_for_manager(request.user, key)
    results = document_results(campaign, position)
    documents = campaign.documents.filter(texts__isnull=False).order_by("position")
    positions = documents.values_list("position", flat=True)
    context = {
        "campaign": campaign,
        "tab": "campaign",
        "results": results,
        "before": positions.filter(position__lt=position).last(),
        "after": positions.filter(position__gt=position).first(),
    }
    return render(request, "results/document.html", context)
