"""The documents of a campaign, and what people said about one."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.web.accounts.permissions import PersonRequest, campaign_for_manager, require_login
from gistmark.web.results.documents import document_results

PAGE = 50


@never_cache
@require_safe
@require_login
def documents(request: PersonRequest, key: str) -> HttpResponse:
    """All documents, page by page."""
    campaign = campaign_for_manager(request.user, key)
    listed = campaign.documents.filter(texts__isnull=False).defer("texts")
    page = Paginator(listed, PAGE).get_page(request.GET.get("page"))
    context = {"campaign": campaign, "tab": "campaign", "page": page}
    return render(request, "results/documents.html", context)


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
