"""What the manager's pages share: the frame of a campaign's page, and errors as messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import render

from gistmark.errors import GistmarkError, Problem
from gistmark.web.accounts.permissions import PersonRequest
from gistmark.web.campaigns.models import Campaign

GET_AND_POST = ["GET", "HEAD", "POST"]
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


def status_of(*forms: Form) -> int:
    """400 where something that was filled in could not be used."""
    return 400 if any(form.is_bound for form in forms) else 200


def shown(problems: tuple[Problem, ...]) -> dict[str, Any]:
    """The first problems and how many more there are, for `campaigns/problems.html`."""
    return {"problems": problems[:SHOWN_PROBLEMS], "more": max(0, len(problems) - SHOWN_PROBLEMS)}


@contextmanager
def told(request: PersonRequest) -> Iterator[None]:
    """Show what a service refuses as a message on the next page."""
    try:
        yield
    except GistmarkError as error:
        messages.error(request, str(error))
