"""Attempts: the comprehension questions, and the practice item by item.

Whoever begins an attempt or finishes one holds the lock of their membership, so that two tabs, or
a double click, begin one attempt and answer an item once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import UsageError
from gistmark.judgements.answers import Answer, read_answer
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.questions import Texts
from gistmark.judgements.tasks.practice import (
    ENTRY,
    mark,
    practice_task,
    score_of,
    shuffled,
    wrong_answers,
)
from gistmark.judgements.tasks.task import Task, completed, payload
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.corpora import material_of, texts_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.config.storage.transactions import retried
from gistmark.web.qualification.models import (
    ComprehensionAttempt,
    PracticeAnswer,
    PracticeAttempt,
    PracticeItem,
    Qualification,
)
from gistmark.web.qualification.services.admission import admission
from gistmark.web.qualification.services.plans import practice_of, settings_of, usable_items


class StalePracticeError(ConflictError):
    """The draft was changed elsewhere; `draft` is what is stored."""

    def __init__(self, answer: PracticeAnswer) -> None:
        self.draft = answer.draft
        self.version = answer.version
        super().__init__(
            gettext(
                "This task has been changed in another tab or on another device; what was saved "
                "there is newer."
            )
        )


@transaction.atomic
def answer_comprehension(
    campaign: Campaign, user: User, chosen: Mapping[int, int], number: int | None = None
) -> ComprehensionAttempt:
    """One try at the comprehension questions; `chosen` is an index of the options by question.

    Every question must be answered: what is missing uses up no try. `number` is that of the try
    that the sender means: one that is sent twice is stored once.
    """
    _lock(campaign, user)
    attempts = ComprehensionAttempt.objects.filter(campaign=campaign, user=user)
    stored = None if number is None else attempts.filter(number=number).first()
    if stored is not None:
        return stored
    _demand_stage(campaign, user, "comprehension")
    questions = list(campaign.comprehension.all())
    if any(question.pk not in chosen for question in questions):
        raise UsageError(gettext("Please answer every question."))
    for question in questions:
        if not 0 <= chosen[question.pk] < len(question.options):
            raise UsageError(gettext("Please choose one of the options for every question."))
    options = [chosen[question.pk] for question in questions]
    wrong = wrong_answers([question.read() for question in questions], options)
    attempt = ComprehensionAttempt.objects.create(
        campaign=campaign,
        user=user,
        number=attempts.count() + 1,
        answers=[
            {"question": question.question, "chosen": option, "right": question.right}
            for question, option in zip(questions, options, strict=True)
        ],
        wrong=len(wrong),
        passed=not wrong,
    )
    record(campaign, user, "comprehension", number=attempt.number, wrong=len(wrong))
    return attempt


def next_number(campaign: Campaign, user: User) -> int:
    """The number of the try at the comprehension questions that comes next."""
    return ComprehensionAttempt.objects.filter(campaign=campaign, user=user).count() + 1


@dataclass(frozen=True, slots=True)
class Chosen:
    """The option that was chosen, and whether it is the right one."""

    chosen: int
    correct: bool


def answers_before(campaign: Campaign, user: User) -> dict[str, Chosen]:
    """What the last try at the comprehension questions answered, by question."""
    tried = ComprehensionAttempt.objects.filter(campaign=campaign, user=user, forgiven=False)
    last = tried.order_by("number").last()
    if last is None:
        return {}
    return {
        each["question"]: Chosen(each["chosen"], each["chosen"] == each["right"])
        for each in last.answers
    }


@transaction.atomic
def continue_practice(campaign: Campaign, user: User) -> PracticeAnswer:
    """The next item of the attempt that somebody has begun, else the first of a new one."""
    _lock(campaign, user)
    attempts = PracticeAttempt.objects.filter(campaign=campaign, user=user)
    attempt = attempts.filter(finished_at__isnull=True).first()
    if attempt is None:
        _demand_stage(campaign, user, "practice")
        attempt = _begin(campaign, user, attempts.count() + 1)
    answer = attempt.answers.filter(answered_at__isnull=True).first()
    assert answer is not None, "an attempt whose items are all answered is finished"
    return answer


def practice_answer_for(user: User, pk: int) -> PracticeAnswer:
    """An item of an attempt of this annotator; anybody else's counts as missing."""
    answers = PracticeAnswer.objects.select_related("attempt__campaign", "attempt__user")
    mine = answers.filter(attempt__user=user, attempt__campaign__memberships__user=user)
    answer = mine.filter(pk=pk).first()
    if answer is None:
        raise NotFoundError(gettext("You have no such practice item."))
    return answer


def practice_payload(answer: PracticeAnswer) -> dict[str, Any]:
    """What the browser may know of a practice item before it is answered.

    It has what the payload of a task has (`gistmark.web.annotate.services.browser_payload`).
    """
    answered = answer.answered_at is not None
    return {
        **_shown(answer.attempt.campaign, answer.task),
        "state": "done" if answered else "held",
        "editable": not answered,
        "draft": answer.answer if answered else answer.draft,
        "version": answer.version,
    }


def right_answer_payload(item: PracticeItem) -> dict[str, Any]:
    """A practice item for the manager who gives its right answer on the annotators' controls."""
    task = _task(item.campaign, item)
    draft = None if item.right is None else {"items": {ENTRY: item.right}}
    unanswered = {"state": "held", "editable": True, "draft": draft, "version": 0}
    return {**_shown(item.campaign, task), **unanswered}


def save_practice_draft(pk: int, user: User, sent: object, version: int) -> PracticeAnswer:
    """Save what is filled in so far, on top of the version that the sender has seen.

    It is read before anything is locked, since that may take a while.
    """
    answer = practice_answer_for(user, pk)
    _demand_unanswered(answer)
    return _store_draft(pk, user, _read(answer, sent, draft=True).to_mapping(), version)


@retried
def _store_draft(pk: int, user: User, kept: dict[str, Any], version: int) -> PracticeAnswer:
    answer = _locked_answer(pk, user)
    _demand_unanswered(answer)
    if answer.version != version:
        if answer.version == version + 1 and answer.draft == kept:
            return answer
        raise StalePracticeError(answer)
    answer.draft, answer.version, answer.saved_at = kept, version + 1, timezone.now()
    answer.save(update_fields=["draft", "version", "saved_at"])
    return answer


def submit_practice(pk: int, user: User, key: UUID, sent: object) -> PracticeAnswer:
    """Answer a practice item, once; with the last one the attempt ends and is scored.

    The same key again gives the same answer again and changes nothing.
    """
    answer = practice_answer_for(user, pk)
    if answer.answered_at is not None and answer.key == key:
        return answer
    _demand_unanswered(answer)
    protocol = protocol_of(answer.attempt.campaign)
    given = _read(answer, sent)
    right = _read(answer, {"items": {ENTRY: answer.right}}, draft=True)
    marks = mark(
        given.items[ENTRY],
        right.items[ENTRY],
        protocol,
        tolerance=answer.tolerance,
        text=protocol.question_type.marked_text(
            answer.task.entries[0], practice_texts(answer, protocol), protocol
        ),
    )
    return _store(pk, user, key, given.to_mapping(), marks)


@retried
def _store(
    pk: int, user: User, key: UUID, given: dict[str, Any], marks: dict[str, Any]
) -> PracticeAnswer:
    answer = _locked_answer(pk, user)
    if answer.answered_at is not None and answer.key == key:
        return answer
    _demand_unanswered(answer)
    answer.key, answer.answer, answer.answered_at = key, given, timezone.now()
    answer.marks = marks
    answer.save(update_fields=["key", "answer", "answered_at", "marks"])
    if not answer.attempt.answers.filter(answered_at__isnull=True).exists():
        _finish(answer.attempt)
    return answer


def _task(campaign: Campaign, item: PracticeItem, annotator: str = "") -> Task:
    """A practice item as a task, with what the question type takes from the corpus."""
    protocol = protocol_of(campaign)
    task = practice_task(item.read(), annotator, slot="practice")
    if not protocol.question_type.completed:
        return task
    return completed(task, protocol, material_of(campaign, [item.document.name]))


def _shown(campaign: Campaign, task: Task) -> dict[str, Any]:
    """What of an item is shown; nobody has to wait in practice."""
    documents = {entry.document for entry in task.entries if entry.document is not None}
    shown = payload(task, protocol_of(campaign), material_of(campaign, documents))
    return shown | {"minimum_seconds": 0.0}


def practice_texts(answer: PracticeAnswer, protocol: Protocol) -> Texts:
    """The texts that the answer to a practice item has marks on."""
    documents = [entry.document or "" for entry in answer.task.entries]
    return texts_of(answer.attempt.campaign, protocol, documents)


def _read(answer: PracticeAnswer, sent: object, *, draft: bool = False) -> Answer:
    if "\\u0000" in json.dumps(sent, default=repr):
        raise UsageError(gettext("An answer must not have NUL characters (U+0000)."))
    protocol = protocol_of(answer.attempt.campaign)
    texts = practice_texts(answer, protocol)
    return read_answer(sent, protocol, answer.task, texts=texts, draft=draft)


def _begin(campaign: Campaign, user: User, number: int) -> PracticeAttempt:
    items = usable_items(campaign)
    attempt = PracticeAttempt.objects.create(
        campaign=campaign, user=user, number=number, pass_mark=settings_of(campaign).pass_mark
    )
    order = shuffled(len(items), seed=campaign.seed, annotator=user.username, attempt=number)
    PracticeAnswer.objects.bulk_create(
        PracticeAnswer(
            attempt=attempt,
            item=item,
            position=position,
            content=_task(campaign, item, user.username).to_mapping(),
            right=item.right,
            tolerance=item.tolerance,
            reason=item.reason,
        )
        for position, item in enumerate((items[index] for index in order), start=1)
    )
    record(campaign, user, "practice-begun", number=number)
    return attempt


def _finish(attempt: PracticeAttempt) -> None:
    """Score an attempt; who passes is qualified."""
    score = score_of(each.marks or {} for each in attempt.answers.all())
    attempt.correct, attempt.total = score.correct, score.total
    attempt.passed = score.passes(attempt.pass_mark)
    attempt.finished_at = timezone.now()
    attempt.save(update_fields=["correct", "total", "passed", "finished_at"])
    campaign, user = attempt.campaign, attempt.user
    if attempt.passed:
        Qualification.objects.get_or_create(
            campaign=campaign,
            user=user,
            withdrawn_at=None,
            defaults={"name": practice_of(campaign).qualification, "score": score.percent},
        )
    record(campaign, user, "practice-finished", number=attempt.number, passed=attempt.passed)


def _locked_answer(pk: int, user: User) -> PracticeAnswer:
    """The item of an attempt as it is now, while nobody else changes the attempt."""
    attempt = practice_answer_for(user, pk).attempt
    PracticeAttempt.objects.select_for_update(no_key=True).get(pk=attempt.pk)
    return practice_answer_for(user, pk)


def _demand_unanswered(answer: PracticeAnswer) -> None:
    if answer.answered_at is not None:
        raise ConflictError(gettext("You have answered this practice item already."))


def _lock(campaign: Campaign, user: User) -> None:
    rows = Membership.objects.select_for_update(no_key=True)
    membership = rows.filter(campaign=campaign, user=user).first()
    if membership is None or membership.role != Membership.Role.ANNOTATOR:
        raise NotAllowedError(gettext("Practice is for the annotators of a campaign."))


def _demand_stage(campaign: Campaign, user: User, stage: str) -> None:
    """Refuse what is not what comes next."""
    found = admission(campaign, user)
    if found.stage == stage:
        return
    if found.ready:
        raise ConflictError(gettext("You have passed this already; you can go on to the tasks."))
    raise NotAllowedError(found.sentence)
