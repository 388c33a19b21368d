"""The designer of a campaign's protocol, and previews: what annotators will see.

The designer is a form of blocks. It saves through the API (`gistmark.web.api.campaigns.protocols`),
and the preview beside it is the page of a task in a frame, which this page alone may have. A
campaign as its annotators see it is the terms, and one task after another.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from gistmark.errors import GistmarkError, UsageError
from gistmark.judgements.checks import get_check
from gistmark.judgements.forms import block_types
from gistmark.judgements.forms.inputs import FORM_SETTINGS
from gistmark.judgements.protocols.own import has_form
from gistmark.judgements.tasks.designs import designs_of
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.pages import modules_of
from gistmark.web.annotate.services.launch import layout_in, new_version, version_name
from gistmark.web.annotate.services.previews import preview_task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager, manages
from gistmark.web.campaigns.services.protocols import edit_as_blocks, protocol_of, revision_of
from gistmark.web.interface.languages import use_language
from gistmark.web.interface.pages import allow_frames, allow_framing, errors_as_messages
from gistmark.web.manage.pages import page


@never_cache
@require_safe
@require_login
def design(request: PersonRequest, key: str) -> HttpResponse:
    """The designer, or for a campaign that has started its design to look at."""
    campaign = campaign_for_manager(request.user, key)
    protocol = protocol_of(campaign)
    previous = campaign.previous
    response = page(
        request,
        "setup/design",
        campaign,
        tab="design",
        protocol=protocol,
        composed=protocol.question_type.composed,
        convertible=has_form(protocol),
        previous=previous if previous and manages(request.user, previous) else None,
        version_name=version_name(campaign),
        layout=layout_in(campaign),
        designs=tuple(designs_of(protocol)),
        designer=_designer(campaign) if protocol.question_type.composed else None,
    )
    return allow_frames(response)


@never_cache
@require_POST
@require_login
@xframe_options_sameorigin
def preview(request: PersonRequest, key: str) -> HttpResponse:
    """A task under the protocol that is sent, which need not be saved nor whole; for the frame."""
    campaign = campaign_for_manager(request.user, key)
    sent = _sent(request)
    try:
        previewed = preview_task(campaign, request.user, _sent_number(request), design=sent)
    except GistmarkError as error:
        nothing = {"sentence": str(error)}
        return allow_framing(render(request, "annotate/preview_nothing.html", nothing))
    use_language(request, campaign.language)
    context = {
        "campaign": campaign,
        "seen": previewed.preview,
        "payload": previewed.payload,
        "modules": modules_of(previewed.payload["kind"]),
        "design": {"protocol": sent},
    }
    return allow_framing(render(request, "annotate/preview_design.html", context))


@require_POST
@require_login
def blocks(request: PersonRequest, key: str) -> HttpResponse:
    """Turn the preset of a draft into the form that equals it."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        lost = edit_as_blocks(campaign, request.user)
        sentence = "The protocol is a form of blocks now, and asks the same as before."
        if lost:
            names = ", ".join(f"“{get_check(name).about}”" for name in lost)
            sentence += f" A form cannot have this check, so it is off: {names}."
        messages.success(request, sentence)
    return redirect("campaign-design", campaign.key)


@require_POST
@require_login
def version(request: PersonRequest, key: str) -> HttpResponse:
    """Make a draft with this campaign's settings and protocol, whose protocol can be changed."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        draft = new_version(campaign, request.user)
        messages.success(request, f"This is a new version of {campaign.name}.")
        return redirect("campaign-design", draft.key)
    return redirect("campaign-design", campaign.key)


def _designer(campaign: Campaign) -> dict[str, Any]:
    """What the script of the page begins with."""
    return {
        "campaign": campaign.key,
        "protocol": campaign.protocol,
        "revision": revision_of(campaign),
        "editable": campaign.state == Campaign.State.DRAFT,
        "types": block_types(),
        "settings": [asdict(each) for each in FORM_SETTINGS],
        "addresses": {
            "save": reverse("api:set_protocol", args=[campaign.key]),
            "check": reverse("api:check_protocol"),
            "preview": reverse("campaign-design-preview", args=[campaign.key]),
        },
    }


def _sent(request: PersonRequest) -> dict[str, Any]:
    try:
        sent = json.loads(request.POST.get("protocol", ""))
    except (ValueError, RecursionError):
        raise UsageError("The design cannot be read as JSON.") from None
    if not isinstance(sent, dict):
        raise UsageError("The design must be a JSON object.")
    return sent


def _sent_number(request: PersonRequest) -> int:
    given = request.POST.get("task", "1")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= 9 else 1


@never_cache
@require_safe
@require_login
def preview_begin(request: PersonRequest, key: str) -> HttpResponse:
    """What an annotator reads and accepts before the first task."""
    campaign = campaign_for_manager(request.user, key)
    use_language(request, campaign.language)
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "practises": campaign.practice_items.exists() or campaign.comprehension.exists(),
    }
    return render(request, "annotate/preview_begin.html", context)


@never_cache
@require_safe
@require_login
def preview_one(request: PersonRequest, key: str) -> HttpResponse:
    """A task of the campaign, the first or `?task=N`; its script has the answer checked."""
    campaign = campaign_for_manager(request.user, key)
    previewed = preview_task(campaign, request.user, _asked_number(request.GET.get("task", "1")))
    use_language(request, campaign.language)
    context = {
        "campaign": campaign,
        "seen": previewed.preview,
        "payload": previewed.payload,
        "modules": modules_of(previewed.payload["kind"]),
    }
    return render(request, "annotate/preview.html", context)


def _asked_number(given: str) -> int:
    if not given.isascii() or not given.isdigit() or len(given) > 9:
        raise UsageError("The number of a task is a whole number from 1.")
    return int(given)
