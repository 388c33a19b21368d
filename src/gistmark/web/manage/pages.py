"""What the manager's pages share: the frame of a campaign's page, and lists of problems."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from gistmark.errors import Problem, grouped
from gistmark.web.accounts.permissions import PersonRequest
from gistmark.web.campaigns.models import Campaign

SHOWN_PROBLEMS = 20


def page(
    request: PersonRequest,
    template: str,
    campaign: Campaign,
    *,
    tab: str,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """A page of a campaign, with its tabs."""
    frame = {"campaign": campaign, "tab": tab, "is_draft": campaign.state == Campaign.State.DRAFT}
    return render(request, f"campaigns/{template}.html", frame | context, status=status)


def shown(problems: tuple[Problem, ...]) -> dict[str, Any]:
    """The first problems, like ones as one, and how many more, for `campaigns/problems.html`."""
    lines = grouped(problems)
    return {"problems": lines[:SHOWN_PROBLEMS], "more": max(0, len(lines) - SHOWN_PROBLEMS)}
