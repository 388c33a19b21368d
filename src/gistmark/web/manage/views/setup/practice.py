"""The practice of a campaign: its settings, items, questions, and who has qualified."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.judgements.tasks.practice import in_words
from gistmark.text.written import as_written, summary_as_written
from gistmark.web.accounts.people import find_user
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.pages import modules_of
from gistmark.web.campaigns.models import Campaign, Document
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.corpora import material_of, texts_of
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.forms.practice import (
    CandidateForm,
    ComprehensionForm,
    PracticeFileForm,
    PracticeItemForm,
    PracticeSettingsForm,
)
from gistmark.web.manage.pages import page
from gistmark.web.qualification.models import PracticeItem
from gistmark.web.qualification.services import attempts as attempts_service
from gistmark.web.qualification.services import people as people_service
from gistmark.web.qualification.services import plans
from gistmark.web.qualification.services.plans import SETTINGS

_DECISIONS = {
    "grant": (people_service.grant, "{name} is qualified."),
    "withdraw": (people_service.withdraw, "{name} is no longer qualified."),
    "retry": (people_service.forgive, "{name} can try again."),
}


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def practice(request: PersonRequest, key: str) -> HttpResponse:
    """All of it; posted, the settings are changed."""
    campaign = campaign_for_manager(request.user, key)
    if request.method != "POST":
        return _page(request, campaign)
    form = PracticeSettingsForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            plans.change_practice_settings(campaign, request.user, **form.cleaned_data)
            messages.success(request, "The settings of the practice are saved.")
            return redirect("campaign-practice", campaign.key)
    return _page(request, campaign, settings_form=form)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def new_item(request: PersonRequest, key: str) -> HttpResponse:
    """Choose an item to practise on."""
    campaign = campaign_for_manager(request.user, key)
    posted = (request.POST,) if request.method == "POST" else ()
    form = PracticeItemForm(campaign, *posted)
    if form.is_valid():
        with errors_on(form):
            made = plans.save_item(campaign, request.user, **form.values())
            return redirect("campaign-practice-answer", campaign.key, made.pk)
    title, button = "A new practice item", "Go on to the right answer"
    return _form(request, campaign, form, title=title, button=button)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def item(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Change a practice item, beside its texts."""
    campaign = campaign_for_manager(request.user, key)
    stored = plans.item_of(campaign, pk)
    posted = (request.POST,) if request.method == "POST" else ()
    form = PracticeItemForm(campaign, *posted, item=stored)
    if form.is_valid():
        with errors_on(form):
            saved = plans.save_item(campaign, request.user, item=stored, **form.values())
            if saved.right is None:
                return redirect("campaign-practice-answer", campaign.key, saved.pk)
            return _saved(request, campaign)
    return _form(request, campaign, form, title="A practice item", document=stored.document)


@never_cache
@require_safe
@require_login
def answer(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """The annotators' own page, on which the manager gives the right answer."""
    campaign = campaign_for_manager(request.user, key)
    stored = plans.item_of(campaign, pk)
    payload = attempts_service.right_answer_payload(stored)
    context = {
        "campaign": campaign,
        "item": stored.read(),
        "pk": stored.pk,
        "payload": payload,
        "modules": modules_of(payload["kind"]),
    }
    return render(request, "practice/answer.html", context)


@require_POST
@require_login
def move(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Let an item and its neighbour change places."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        up = request.POST.get("to") == "up"
        plans.move_item(plans.item_of(campaign, pk), up, request.user)
    return redirect("campaign-practice", campaign.key)


@require_POST
@require_login
def remove(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Take an item out."""
    campaign = campaign_for_manager(request.user, key)
    stored = plans.item_of(campaign, pk)
    with errors_as_messages(request):
        plans.remove_item(stored, request.user)
        messages.success(request, "Removed.")
    return redirect("campaign-practice", campaign.key)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def new_question(request: PersonRequest, key: str) -> HttpResponse:
    """Write a comprehension question."""
    campaign = campaign_for_manager(request.user, key)
    form = ComprehensionForm(request.POST) if request.method == "POST" else ComprehensionForm()
    if form.is_valid():
        with errors_on(form):
            plans.save_question(campaign, request.user, form.question_asked())
            return _saved(request, campaign)
    return _form(request, campaign, form, title="A new comprehension question")


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def question(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Change a comprehension question."""
    campaign = campaign_for_manager(request.user, key)
    stored = plans.comprehension_of(campaign, pk)
    posted = request.method == "POST"
    form = ComprehensionForm(request.POST) if posted else ComprehensionForm.of(stored)
    if form.is_valid():
        with errors_on(form):
            plans.save_question(campaign, request.user, form.question_asked(), stored)
            return _saved(request, campaign)
    return _form(request, campaign, form, title="A comprehension question")


@require_POST
@require_login
def remove_one(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Ask a comprehension question no more."""
    campaign = campaign_for_manager(request.user, key)
    stored = plans.comprehension_of(campaign, pk)
    with errors_as_messages(request):
        plans.remove_question(stored, request.user)
        messages.success(request, "Removed.")
    return redirect("campaign-practice", campaign.key)


@never_cache
@require_POST
@require_login
def import_(request: PersonRequest, key: str) -> HttpResponse:
    """Put the practice of a file in the place of the one that there is."""
    campaign = campaign_for_manager(request.user, key)
    form = PracticeFileForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_on(form, "file"):
            read = plans.replace_practice(campaign, form.cleaned_data["file"], request.user)
            counts = f"{len(read.items)} items and {len(read.comprehension)} questions"
            messages.success(request, f"The practice now has {counts}.")
            return redirect("campaign-practice", campaign.key)
    return _page(request, campaign, file_form=form)


@never_cache
@require_safe
@require_login
def file(request: PersonRequest, key: str) -> HttpResponse:
    """The practice as a file."""
    campaign = campaign_for_manager(request.user, key)
    options = {"ensure_ascii": False, "indent": 2}
    whole = plans.practice_of(campaign).to_mapping()
    response = JsonResponse(whole, json_dumps_params=options)
    response.headers["Content-Disposition"] = 'attachment; filename="practice.json"'
    return response


@never_cache
@require_safe
@require_login
def attempts(request: PersonRequest, key: str) -> HttpResponse:
    """Every answer of every try as CSV."""
    campaign = campaign_for_manager(request.user, key)
    record(campaign, request.user, "exported", format="practice-attempts")
    response = HttpResponse(
        people_service.attempts_csv(campaign), content_type="text/csv; charset=utf-8"
    )
    response.headers["Content-Disposition"] = 'attachment; filename="practice-attempts.csv"'
    return response


@require_POST
@require_login
def people(request: PersonRequest, key: str) -> HttpResponse:
    """Grant or withdraw a qualification by hand, or let somebody try again."""
    campaign = campaign_for_manager(request.user, key)
    form = CandidateForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose an annotator, and what to do.")
        return redirect("campaign-practice", campaign.key)
    with errors_as_messages(request):
        decide, sentence = _DECISIONS[form.cleaned_data["action"]]
        user = find_user(form.cleaned_data["name"])
        decide(campaign, user, request.user)
        messages.success(request, sentence.format(name=user.username))
    return redirect("campaign-practice", campaign.key)


def _right_in_words(
    campaign: Campaign, items: list[PracticeItem]
) -> dict[int, list[tuple[str, str]]]:
    """The right answers for people, by item: dimensions, and what is right in each."""
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol, [item.document.name for item in items])
    return {
        item.pk: list(in_words(item.right, item.read(), protocol, texts=texts).items())
        for item in items
        if item.right is not None
    }


def _page(request: PersonRequest, campaign: Campaign, **forms: Form) -> HttpResponse:
    stored = plans.settings_of(campaign)
    initial = {name: getattr(stored, name) for name in SETTINGS}
    items = plans.items_of(campaign)
    words = _right_in_words(campaign, items)
    judged = (
        set(
            campaign.batches.filter(
                items__document__in=[each.document for each in items]
            ).values_list("items__document", flat=True)
        )
        if items
        else set()
    )
    context: dict[str, Any] = {
        "settings_form": PracticeSettingsForm(initial=initial),
        "file_form": PracticeFileForm(),
        "items": [(each, each.read(), words.get(each.pk, [])) for each in items],
        "judged": judged,
        "is_settled": campaign.state not in (Campaign.State.DRAFT, Campaign.State.PILOT),
        "questions": campaign.comprehension.all(),
        "candidates": people_service.candidates_of(campaign),
        "stored": stored,
        "is_closed": campaign.state == Campaign.State.CLOSED,
    }
    status = form_status(*forms.values())
    return page(
        request, "setup/practice", campaign, tab="practice", status=status, **context | forms
    )


def _form(
    request: PersonRequest,
    campaign: Campaign,
    form: Form,
    *,
    title: str,
    button: str = "Save",
    document: Document | None = None,
) -> HttpResponse:
    texts = [] if document is None else _texts_about(campaign, document)
    return page(
        request,
        "setup/practice_form",
        campaign,
        tab="practice",
        status=form_status(form),
        title=title,
        button=button,
        form=form,
        document=document,
        texts=texts,
    )


def _texts_about(campaign: Campaign, document: Document) -> list[tuple[str, str]]:
    """A document and its summaries as they were written, each with its name."""
    material = material_of(campaign, [document.name])
    named = [(each.id, as_written(each.text).text) for each in material.documents]
    source = next((each.text for each in material.documents), None)
    summaries = [(each.system, each.text) for each in material.summaries]
    return [*named, *((name, summary_as_written(text, source)) for name, text in summaries)]


def _saved(request: PersonRequest, campaign: Campaign) -> HttpResponse:
    messages.success(request, "Saved. The change counts for tries that begin from now on.")
    return redirect("campaign-practice", campaign.key)
