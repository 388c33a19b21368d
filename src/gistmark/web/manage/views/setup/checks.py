"""The checks of a campaign: all of them in one list, and each one on a page of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import grouped
from gistmark.judgements.checks import get_check
from gistmark.text.written import as_written
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.models import Campaign, Document, Planted, Question, Summary
from gistmark.web.campaigns.services.checks import (
    add_planted,
    add_question,
    approve,
    approve_all,
    generate_checks,
    question_of,
    remove,
    rewrite_planted,
    rewrite_question,
    triple_of,
)
from gistmark.web.campaigns.services.corpora import material_of
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.interface.pages import (
    GET_AND_POST,
    errors_as_messages,
    errors_on,
    form_status,
)
from gistmark.web.manage.forms.campaigns import NewQuestionForm, PlantedForm, QuestionForm
from gistmark.web.manage.pages import page

PAGE = 30


@never_cache
@require_safe
@require_login
def checks(request: PersonRequest, key: str) -> HttpResponse:
    """What there is, what waits for approval, and what the protocol needs."""
    campaign = campaign_for_manager(request.user, key)
    waiting = request.GET.get("show") == "waiting"
    questions = campaign.questions.select_related("document").order_by("id")
    planted = campaign.planted.select_related("document").order_by("id")
    if waiting:
        questions, planted = questions.filter(approved=False), planted.filter(approved=False)
    protocol = protocol_of(campaign)
    shown = Paginator(questions, PAGE).get_page(request.GET.get("questions"))
    return page(
        request,
        "setup/checks",
        campaign,
        tab="checks",
        protocol=protocol,
        may_ask=get_check("question").applies(protocol),
        may_plant=get_check("planted").applies(protocol),
        questions=shown,
        statements=_beside_texts(shown),
        query=request.GET.urlencode(),
        also="&show=waiting" if waiting else "",
        planted=Paginator(planted, PAGE).get_page(request.GET.get("planted")),
        waits=campaign.questions.filter(approved=False).count()
        + campaign.planted.filter(approved=False).count(),
        only_waiting=waiting,
    )


@require_POST
@require_login
def generate(request: PersonRequest, key: str) -> HttpResponse:
    """Make what is missing."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        made = generate_checks(campaign, request.user)
        messages.success(
            request, f"Made {made.questions} statements and {made.planted} planted triples."
        )
        for problem in grouped(made.problems):
            messages.warning(request, str(problem))
    return redirect("campaign-checks", campaign.key)


@require_POST
@require_login
def approve_waiting(request: PersonRequest, key: str) -> HttpResponse:
    """Approve everything that waits."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        count = approve_all(campaign, request.user)
        messages.success(request, f"Approved: {count}.")
    return redirect("campaign-checks", campaign.key)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def question(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Rewrite a statement, beside the text that it is about."""
    campaign = campaign_for_manager(request.user, key)
    statement = question_of(campaign, pk)
    form = QuestionForm(request.POST) if request.method == "POST" else QuestionForm.of(statement)
    if form.is_valid():
        with errors_on(form):
            rewrite_question(statement, **form.cleaned_data, by=request.user)
            return _saved(request, campaign)
    return _form(request, campaign, "A True/False statement", form, document=statement.document)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def new_question(request: PersonRequest, key: str) -> HttpResponse:
    """Write a statement."""
    campaign = campaign_for_manager(request.user, key)
    about = {"about": protocol_of(campaign).question_about}
    posted = request.method == "POST"
    form = NewQuestionForm(request.POST) if posted else NewQuestionForm(initial=about)
    if form.is_valid():
        with errors_on(form):
            add_question(campaign, **form.cleaned_data, by=request.user)
            return _saved(request, campaign)
    return _form(request, campaign, "A new True/False statement", form)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def triple(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Rewrite planted summaries."""
    campaign = campaign_for_manager(request.user, key)
    planted = triple_of(campaign, pk)
    form = PlantedForm(request.POST) if request.method == "POST" else PlantedForm.of(planted)
    if form.is_valid():
        with errors_on(form):
            rewrite_planted(planted, **form.cleaned_data, by=request.user)
            return _saved(request, campaign)
    return _form(request, campaign, "Planted summaries", form, document=planted.document)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def new_triple(request: PersonRequest, key: str) -> HttpResponse:
    """Write planted summaries."""
    campaign = campaign_for_manager(request.user, key)
    form = PlantedForm(request.POST) if request.method == "POST" else PlantedForm()
    if form.is_valid():
        with errors_on(form):
            add_planted(campaign, **form.cleaned_data, by=request.user)
            return _saved(request, campaign)
    return _form(request, campaign, "New planted summaries", form)


@require_POST
@require_login
def approve_one(request: PersonRequest, key: str, kind: str, pk: int) -> HttpResponse:
    """Let a statement or a triple count, and go on where the list was."""
    campaign = campaign_for_manager(request.user, key)
    check = _check(campaign, kind, pk)
    with errors_as_messages(request):
        approve(check, request.user)
    return _back(request, campaign, kind, pk)


@require_POST
@require_login
def remove_one(request: PersonRequest, key: str, kind: str, pk: int) -> HttpResponse:
    """Take a statement or a triple out."""
    campaign = campaign_for_manager(request.user, key)
    check = _check(campaign, kind, pk)
    with errors_as_messages(request):
        remove(check, request.user)
        messages.success(request, "Removed.")
    return _back(request, campaign, kind, pk)


def _back(request: PersonRequest, campaign: Campaign, kind: str, pk: int) -> HttpResponse:
    """The list as it was, at the check that was decided on or at the next one that is left."""
    checks = campaign.questions if kind == "questions" else campaign.planted
    left = checks.filter(approved=False) if request.GET.get("show") == "waiting" else checks.all()
    following = left.filter(pk__gte=pk).order_by("pk").first() or left.order_by("pk").last()
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    anchor = f"#{kind}-{following.pk}" if following else ""
    return redirect(f"{reverse('campaign-checks', args=[campaign.key])}{query}{anchor}")


def _beside_texts(questions: Iterable[Question]) -> list[tuple[Question, list[str]]]:
    """Each statement with the texts that it is about, those of the document or its references."""
    about = [each.document_id for each in questions if each.about == "reference"]
    references: dict[int, list[str]] = defaultdict(list)
    for summary in Summary.objects.filter(document__in=about, reference=True):
        references[summary.document_id].append(summary.text)
    shown = []
    for each in questions:
        texts = references[each.document_id] if each.about == "reference" else each.document.texts
        shown.append((each, [as_written(text).text for text in texts or ()]))
    return shown


def _check(campaign: Campaign, kind: str, pk: int) -> Question | Planted:
    return question_of(campaign, pk) if kind == "questions" else triple_of(campaign, pk)


def _saved(request: PersonRequest, campaign: Campaign) -> HttpResponse:
    messages.success(request, "Saved and approved.")
    return redirect("campaign-checks", campaign.key)


def _form(
    request: PersonRequest,
    campaign: Campaign,
    title: str,
    form: Form,
    document: Document | None = None,
) -> HttpResponse:
    """The form, and the document and its references to read beside it."""
    material = None if document is None else material_of(campaign, [document.name])
    return page(
        request,
        "setup/check",
        campaign,
        tab="checks",
        status=form_status(form),
        title=title,
        form=form,
        document=document,
        material=material,
    )
