"""Practice: what annotators pass before the first task, and what managers set up and decide."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.views.decorators.cache import never_cache
from ninja import Body, Router, Schema, Status
from ninja.decorators import decorate_view
from pydantic import Field

from gistmark.judgements.tasks.practice import ENTRY
from gistmark.web.accounts.people import find_user
from gistmark.web.annotate.services.claims import demand_not_closed, demand_running
from gistmark.web.api.access import joined, managed, person
from gistmark.web.api.schemas import Count, Key, Name, responses
from gistmark.web.api.work.tasks import Draft, NewSubmission, SavedOut
from gistmark.web.campaigns.services.consents import demand_consent
from gistmark.web.interface.languages import use_language
from gistmark.web.qualification.models import (
    ComprehensionAttempt,
    PracticeAnswer,
    PracticeAttempt,
)
from gistmark.web.qualification.services import admission, attempts, people, plans

router = Router()
items = Router()
_ACTIONS = {"grant": people.grant, "withdraw": people.withdraw, "retry": people.forgive}


class AdmissionOut(Schema):
    """What comes next for you in a campaign; you get tasks only at the stage `ready`.

    `message` says why there is no task, `tries_left` is of what comes next.
    """

    stage: str
    message: str
    tries_left: int


class QuestionOut(Schema):
    """A comprehension question; `wrong` tells that your last answer to it was not right."""

    id: int
    question: str
    options: list[str]
    wrong: bool
    explanation: str


class ComprehensionOut(AdmissionOut):
    """The comprehension questions, and the number of the try that comes next."""

    number: int
    questions: list[QuestionOut]


class ComprehensionAnswers(Schema):
    """The index of an option for each question by its id.

    A try that is sent twice with the same `number` is stored once.
    """

    answers: dict[str, Count]
    number: Count | None = None


class PracticeNextOut(Schema):
    """The practice item to do next, by its id."""

    item: int


class MarkedOut(Schema):
    """What was right, now that you have answered.

    `marks` are by dimension, "" being the whole item, and `right` is the right answer. `finished`
    tells that this was the last item; `stage` is what comes next then.
    """

    marks: dict[str, bool]
    right: dict[str, Any]
    reason: str
    finished: bool
    stage: str


class RightOut(Schema):
    """The right answer as it is stored."""

    right: dict[str, Any]


class TryOut(Schema):
    """A finished or unfinished try; one that was forgiven does not count against the tries."""

    number: int
    passed: bool | None
    correct: int | None
    total: int | None
    forgiven: bool
    finished_at: datetime | None


class CandidateOut(Schema):
    """An annotator: what comes next for them, their tries, and their qualification here if any."""

    name: str
    stage: str
    comprehension: list[TryOut]
    practice: list[TryOut]
    qualified: bool
    score: float | None
    granted_by: str | None


class QualificationAction(Schema):
    """Grant or withdraw a qualification by hand, or let somebody try again."""

    name: Name
    action: Literal["grant", "withdraw", "retry"]


class PracticeChanges(Schema):
    """Settings of a practice; the pass mark is in percent of the answers."""

    pass_mark: Count | None = None
    tries: Count | None = None
    required: bool | None = None
    qualification: Name | None = None
    leaves_out: bool | None = None


Practice = Annotated[dict[str, Any], Field(description="A practice as its file has it.")]


@router.get("/{key}/admission", response=responses(AdmissionOut), summary="What comes next")
@decorate_view(never_cache)
def get_admission(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Whether you get tasks, or what you have to pass first."""
    return _admission(admission.admission(joined(request, key), person(request)))


@router.get("/{key}/comprehension", response=responses(ComprehensionOut), summary="The questions")
@decorate_view(never_cache)
def get_comprehension(request: HttpRequest, key: Key) -> dict[str, Any]:
    """The comprehension questions of a campaign, while you have a try at them."""
    campaign, user = joined(request, key), person(request)
    demand_consent(campaign, user)
    found = admission.admission(campaign, user)
    before = attempts.answers_before(campaign, user).items()
    wrong = {question for question, answer in before if not answer.correct}
    asked = campaign.comprehension.all() if found.stage == "comprehension" else ()
    return _admission(found) | {
        "number": attempts.next_number(campaign, user),
        "questions": [
            {
                "id": each.pk,
                "question": each.question,
                "options": each.options,
                "wrong": each.question in wrong,
                "explanation": each.explanation if each.question in wrong else "",
            }
            for each in asked
        ],
    }


@router.post("/{key}/comprehension", response=responses(AdmissionOut), summary="Answer them")
def answer_comprehension(
    request: HttpRequest, key: Key, sent: ComprehensionAnswers
) -> dict[str, Any]:
    """Answer all questions, as one try."""
    campaign, user = joined(request, key), person(request)
    demand_consent(campaign, user)
    demand_running(campaign)
    chosen = {int(id): option for id, option in sent.answers.items() if id.isdecimal()}
    attempts.answer_comprehension(campaign, user, chosen, sent.number)
    return _admission(admission.admission(campaign, user))


@router.post("/{key}/practice/next", response=responses(PracticeNextOut), summary="Practise")
def next_practice_item(request: HttpRequest, key: Key) -> dict[str, int]:
    """The next item of the practice that you have begun, else the first of a new try."""
    campaign, user = joined(request, key), person(request)
    demand_consent(campaign, user)
    demand_running(campaign)
    return {"item": attempts.continue_practice(campaign, user).pk}


@items.get("/practice/{int:id}", response=responses(dict[str, Any]), summary="Open an item")
@decorate_view(never_cache)
def open_practice_item(request: HttpRequest, id: int) -> dict[str, Any]:
    """What is asked and shown, and what you have filled in; the right answer comes later."""
    return attempts.practice_payload(_mine(request, id))


@items.put("/practice/{int:id}/draft", response=responses(SavedOut), summary="Save a draft")
def save_practice_draft(request: HttpRequest, id: int, draft: Draft) -> dict[str, Any]:
    """Save what is filled in so far; a newer draft of another device is not overwritten (409)."""
    _mine(request, id)
    saved = attempts.save_practice_draft(id, person(request), draft.answer, draft.version)
    return {"version": saved.version, "saved_at": saved.saved_at}


@items.post("/practice/{int:id}/submit", response=responses(MarkedOut), summary="Answer an item")
def submit_practice(request: HttpRequest, id: int, sent: NewSubmission) -> dict[str, Any]:
    """Answer a practice item, once. Sending it again with the same key is harmless."""
    campaign = _mine(request, id).attempt.campaign
    demand_running(campaign)
    answer = attempts.submit_practice(id, person(request), sent.key, sent.answer)
    answer.attempt.refresh_from_db()
    return {
        "marks": answer.marks,
        "right": answer.right,
        "reason": answer.reason,
        "finished": answer.attempt.finished_at is not None,
        "stage": admission.admission(campaign, person(request)).stage,
    }


@router.get("/{key}/practice", response=responses(dict[str, Any]), summary="Read the practice")
def get_practice(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Settings, items with their right answers, and comprehension questions; for managers."""
    return plans.practice_of(managed(request, key)).to_mapping()


@router.put("/{key}/practice", response=responses(dict[str, Any]), summary="Set the practice")
def set_practice(request: HttpRequest, key: Key, practice: Body[Practice]) -> dict[str, Any]:
    """Replace the practice with another one; tries that have begun stay as they are."""
    campaign = managed(request, key)
    return plans.replace_practice(campaign, practice, person(request)).to_mapping()


@router.patch("/{key}/practice", response=responses(dict[str, Any]), summary="Change its settings")
def change_practice(request: HttpRequest, key: Key, changes: PracticeChanges) -> dict[str, Any]:
    """Change some settings of the practice; others stay, and so do items and questions."""
    campaign, sent = managed(request, key), changes.dict(exclude_unset=True)
    return plans.change_practice_settings(campaign, person(request), **sent).to_mapping()


@router.post(
    "/{key}/practice/items/{int:id}/right", response=responses(RightOut), summary="Right answer"
)
def set_right_answer(
    request: HttpRequest, key: Key, id: int, sent: NewSubmission
) -> dict[str, Any]:
    """Give the right answer to a practice item, in the form of an answer to a task.

    Dimensions that have no right answer may be left out.
    """
    item = plans.item_of(managed(request, key), id)
    given = sent.answer.get("items")
    right = given.get(ENTRY) if isinstance(given, dict) else None
    stored = plans.set_right(item, {} if right is None else right, person(request))
    return {"right": stored.right}


@router.get(
    "/{key}/qualifications", response=responses(list[CandidateOut]), summary="Who has qualified"
)
def list_qualifications(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """All annotators with their tries and qualifications."""
    return [_candidate(each) for each in people.candidates_of(managed(request, key))]


@router.post("/{key}/qualifications", response=responses(None, 204), summary="Grant or withdraw")
def change_qualification(
    request: HttpRequest, key: Key, wanted: QualificationAction
) -> Status[None]:
    """Decide on somebody's qualification by hand."""
    campaign = managed(request, key)
    _ACTIONS[wanted.action](campaign, find_user(wanted.name), person(request))
    return Status(204, None)


def _mine(request: HttpRequest, id: int) -> PracticeAnswer:
    answer = attempts.practice_answer_for(person(request), id)
    use_language(request, answer.attempt.campaign.language)
    demand_not_closed(answer.attempt.campaign)
    return answer


def _admission(found: admission.Admission) -> dict[str, Any]:
    return {"stage": found.stage, "message": found.sentence, "tries_left": found.tries_left}


def _candidate(candidate: people.Candidate) -> dict[str, Any]:
    granted = candidate.qualification
    return {
        "name": candidate.name,
        "stage": candidate.stage,
        "comprehension": [_question_try(each) for each in candidate.comprehension],
        "practice": [_practice_try(each) for each in candidate.practice],
        "qualified": granted is not None,
        "score": None if granted is None else granted.score,
        "granted_by": granted.granted_by.username if granted and granted.granted_by else None,
    }


def _question_try(attempt: ComprehensionAttempt) -> dict[str, Any]:
    total = len(attempt.answers)
    return {
        "number": attempt.number,
        "passed": attempt.passed,
        "correct": total - attempt.wrong,
        "total": total,
        "forgiven": attempt.forgiven,
        "finished_at": attempt.finished_at,
    }


def _practice_try(attempt: PracticeAttempt) -> dict[str, Any]:
    names = ("number", "passed", "correct", "total", "forgiven", "finished_at")
    return {name: getattr(attempt, name) for name in names}
