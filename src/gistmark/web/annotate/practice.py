"""The annotator's pages before the first task: comprehension questions, and practice.

A practice item is done on the page of a task; once it is answered, its page shows the right answer
and the reason beside the annotator's own answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from gistmark.errors import UsageError
from gistmark.judgements.forms.choice import NO, UNSURE, YES, ChoiceBlock
from gistmark.judgements.forms.pairwise import TIE
from gistmark.judgements.forms.spans import NO_ERRORS
from gistmark.judgements.forms.text import TextBlock
from gistmark.judgements.highlights import Sheet
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.practice import COMPREHENSION_TRIES, ENTRY, PracticeItem, in_words
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.pages import joined_campaign, modules_of
from gistmark.web.annotate.services.claims import demand_not_closed, demand_running
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import consented
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.interface.languages import use_language
from gistmark.web.interface.pages import GET_AND_POST
from gistmark.web.qualification.models import PracticeAnswer, PracticeAttempt
from gistmark.web.qualification.services import admission, plans
from gistmark.web.qualification.services import attempts as attempts_service


@dataclass(frozen=True, slots=True)
class Part:
    """One dimension of an answered practice item; `correct` is None where none is right."""

    question: str
    given: str
    right: str
    correct: bool | None


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def comprehension(request: PersonRequest, key: str) -> HttpResponse:
    """The questions about a study, all on one page; those that were wrong are named."""
    campaign = joined_campaign(request, key)
    if not consented(campaign, request.user):
        return redirect("work-begin", key=key)
    error = ""
    if request.method == "POST":
        demand_running(campaign)
        try:
            chosen, number = _chosen(request.POST)
            attempts_service.answer_comprehension(campaign, request.user, chosen, number)
            return redirect("work-comprehension", key=key)
        except UsageError as refused:
            error = str(refused)
    found = admission.admission(campaign, request.user)
    if found.stage != "comprehension":
        return redirect("work-practice", key=key)
    context = {
        "campaign": campaign,
        "admission": found,
        "questions": list(_asked(request, campaign)),
        "number": attempts_service.next_number(campaign, request.user),
        "again": found.tries_left < COMPREHENSION_TRIES,
        "error": error,
    }
    return render(request, "practice/comprehension.html", context, status=400 if error else 200)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def practice(request: PersonRequest, key: str) -> HttpResponse:
    """What somebody has to do before the first task; a POST leads to the next practice item."""
    campaign = joined_campaign(request, key)
    if not consented(campaign, request.user):
        return redirect("work-begin", key=key)
    if request.method == "POST":
        demand_running(campaign)
        return redirect(
            "practice-item", attempts_service.continue_practice(campaign, request.user).pk
        )
    found = admission.admission(campaign, request.user)
    if found.stage == "comprehension":
        return redirect("work-comprehension", key=key)
    attempts = PracticeAttempt.objects.filter(campaign=campaign, user=request.user)
    context = {
        "campaign": campaign,
        "running": campaign.gives_work,
        "admission": found,
        "settings": plans.settings_of(campaign),
        "count": campaign.practice_items.filter(right__isnull=False).count(),
        "begun": attempts.filter(finished_at__isnull=True).first(),
        "last": attempts.filter(finished_at__isnull=False).last(),
    }
    return render(request, "practice/practice.html", context)


@never_cache
@require_safe
@require_login
def item(request: PersonRequest, pk: int) -> HttpResponse:
    """A practice item: to do, or answered, with the right answer."""
    answer = attempts_service.practice_answer_for(request.user, pk)
    campaign = answer.attempt.campaign
    use_language(request, campaign.language)
    demand_not_closed(campaign)
    payload = attempts_service.practice_payload(answer)
    context: dict[str, Any] = {
        "answer": answer,
        "attempt": answer.attempt,
        "campaign": campaign,
        "payload": payload,
        "count": answer.attempt.answers.count(),
    }
    if payload["editable"]:
        return render(
            request, "practice/item.html", context | {"modules": modules_of(payload["kind"])}
        )
    shown = payload["items"][0]
    protocol = protocol_of(campaign)
    parts, passages = _parts(answer, protocol, shown), _passages(answer, protocol, shown)
    return render(
        request,
        "practice/feedback.html",
        context | {"shown": shown, "parts": parts, "passages": passages},
    )


def _chosen(sent: QueryDict) -> tuple[dict[int, int], int]:
    """The options that were chosen, by question, and the number of the try."""
    try:
        chosen = {
            int(name.removeprefix("question-")): int(str(value))
            for name, value in sent.items()
            if name.startswith("question-")
        }
        return chosen, int(str(sent.get("number", "")))
    except ValueError:
        raise UsageError(gettext("Please answer every question.")) from None


def _asked(request: PersonRequest, campaign: Campaign) -> Any:
    """The questions without their answers, with what was chosen and what was wrong before."""
    before = attempts_service.answers_before(campaign, request.user)
    for question in campaign.comprehension.all():
        earlier = before.get(question.question)
        was_wrong = earlier is not None and not earlier.correct
        kept = str(earlier.chosen) if earlier is not None and earlier.correct else ""
        yield {
            "name": f"question-{question.pk}",
            "question": question.question,
            "options": question.options,
            "chosen": request.POST.get(f"question-{question.pk}", kept),
            "wrong": was_wrong,
            "explanation": question.explanation if was_wrong else "",
        }


def _parts(answer: PracticeAnswer, protocol: Protocol, shown: dict[str, Any]) -> list[Part]:
    """The answer and the right one, by dimension or content unit, in words."""
    given, right = (_worded(answer, each, protocol) for each in _both(answer))
    marks: Mapping[str, bool] = answer.marks or {}
    questions = protocol.question_type.prompts(protocol) or {"": ""}
    if shown.get("units"):
        questions = {unit["id"]: unit["text"] for unit in shown["units"]}
    if set(marks) == {""}:
        questions = {"": ""}
    parts = [
        Part(question, given.get(name, ""), right.get(name, ""), marks.get(name))
        for name, question in questions.items()
    ]
    return [part for part in parts if part.given or part.right] or parts


def _both(answer: PracticeAnswer) -> tuple[dict[str, Any], dict[str, Any]]:
    """The annotator's answer to the item, and the right one."""
    assert answer.answer is not None, "only what was answered is shown beside what is right"
    return answer.answer["items"][ENTRY], answer.right


def _worded(answer: PracticeAnswer, given: dict[str, Any], protocol: Protocol) -> Mapping[str, str]:
    entry = answer.task.entries[0]
    item = PracticeItem(entry.document or "", entry.systems)
    texts = attempts_service.practice_texts(answer, protocol)
    worded = in_words(given, item, protocol, texts=texts)
    own_words = {each.name for each in protocol.blocks if isinstance(each, ChoiceBlock | TextBlock)}
    return {name: each if name in own_words else _translated(each) for name, each in worded.items()}


def _translated(worded: str) -> str:
    """An answer in the annotator's language, where it is one of the platform's own words.

    What stands behind such a word in brackets is the name of a strength.
    """
    word, bracket, rest = worded.partition(" (")
    known = {
        "left": gettext("Left"),
        "right": gettext("Right"),
        TIE: gettext("No difference"),
        YES: gettext("Yes"),
        NO: gettext("No"),
        UNSURE: gettext("Unsure"),
        NO_ERRORS: gettext(NO_ERRORS),
    }
    return f"{known.get(word, word)}{bracket}{rest}"


def _passages(
    answer: PracticeAnswer, protocol: Protocol, shown: dict[str, Any]
) -> list[tuple[str, str]]:
    """The document in passages, each with who marked it: `own`, `right`, `both` or nobody."""
    if protocol.question_type.name != "highlight":
        return []
    stored = shown["document"]
    sheets = (Sheet(stored, len(stored), _marks(each), protocol.words) for each in _both(answer))
    own, right = (sheet.words() for sheet in sheets)
    names = {(True, True): "both", (True, False): "own", (False, True): "right"}
    text, spans = shown.get("shown", stored), shown.get("shown_words", shown["words"])
    passages, end = [], 0
    for index, (start, stop) in enumerate(spans):
        name = names.get((index in own, index in right), "")
        passages += [(text[end:start], ""), (text[start:stop], name)]
        end = stop
    return [each for each in [*passages, (text[end:], "")] if each[0]]


def _marks(given: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    return tuple((each["start"], each["end"]) for each in given.get("highlights", ()))
