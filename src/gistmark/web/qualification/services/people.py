"""Who has qualified for a campaign and who has not, for its managers, who can decide otherwise."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

from django.db import transaction
from django.db.models import Prefetch
from django.utils import timezone

from gistmark.corpus.files.tables import guarded_cell
from gistmark.judgements.tasks.practice import ENTRY, Stage
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError
from gistmark.web.qualification.models import (
    ComprehensionAttempt,
    PracticeAttempt,
    Qualification,
)
from gistmark.web.qualification.services.admission import admissions_of
from gistmark.web.qualification.services.plans import settings_of

COLUMNS = (
    "annotator", "kind", "try", "finished_at", "passed", "correct", "total", "pass_mark",
    "position", "document", "systems", "answer", "right", "correct_parts", "wrong_parts",
)  # fmt: skip
"""What the file of attempts has for each answer."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An annotator, what comes next for them, their tries, and their qualification if any."""

    name: str
    stage: Stage
    comprehension: tuple[ComprehensionAttempt, ...]
    practice: tuple[PracticeAttempt, ...]
    qualification: Qualification | None

    @property
    def may_retry(self) -> bool:
        """Whether failed tries could be forgiven."""
        return self.stage in ("failed", "misunderstood")


def candidates_of(campaign: Campaign) -> list[Candidate]:
    """All annotators of a campaign by name; the number of queries does not depend on theirs."""
    tried = ComprehensionAttempt.objects.filter(campaign=campaign)
    practised = PracticeAttempt.objects.filter(campaign=campaign)
    granted = Qualification.objects.filter(campaign=campaign, withdrawn_at__isnull=True)
    users = list(
        User.objects.filter(
            memberships__campaign=campaign,
            memberships__role=Membership.Role.ANNOTATOR,
            machine=False,
        )
        .order_by("username")
        .prefetch_related(
            Prefetch("comprehension_attempts", tried, to_attr="tried"),
            Prefetch("practice_attempts", practised, to_attr="practised"),
            Prefetch("qualifications", granted.select_related("granted_by"), to_attr="granted"),
        )
    )
    stages = admissions_of(campaign, users)
    return [
        Candidate(
            user.username,
            stages[user.pk].stage,
            tuple(user.tried),
            tuple(user.practised),
            next(iter(user.granted), None),
        )
        for user in users
    ]


@transaction.atomic
def grant(campaign: Campaign, user: User, by: User | None) -> Qualification:
    """Qualify somebody by hand; who is qualified already stays so."""
    _demand_annotator(campaign, user)
    granted, new = Qualification.objects.get_or_create(
        campaign=campaign,
        user=user,
        withdrawn_at=None,
        defaults={"name": settings_of(campaign).qualification, "granted_by": by},
    )
    if new:
        record(campaign, by, "qualification-granted", user=user.username)
    return granted


@transaction.atomic
def withdraw(campaign: Campaign, user: User, by: User | None) -> None:
    """Take a qualification away; what somebody has begun they can still submit."""
    active = Qualification.objects.filter(campaign=campaign, user=user, withdrawn_at__isnull=True)
    if not active.update(withdrawn_at=timezone.now()):
        raise ConflictError(
            f"{user.username!r} has not earned or been granted a qualification in this campaign."
        )
    record(campaign, by, "qualification-withdrawn", user=user.username)


@transaction.atomic
def forgive(campaign: Campaign, user: User, by: User | None) -> None:
    """Let somebody try again: the tries in which they failed do not count any more."""
    _demand_annotator(campaign, user)
    failed = {"campaign": campaign, "user": user, "passed": False, "forgiven": False}
    count = ComprehensionAttempt.objects.filter(**failed).update(forgiven=True)
    count += PracticeAttempt.objects.filter(**failed).update(forgiven=True)
    if not count:
        raise ConflictError(f"{user.username!r} has no failed try that counts.")
    record(campaign, by, "tries-forgiven", user=user.username, count=count)


def attempts_csv(campaign: Campaign) -> str:
    """Every answer of every attempt as CSV: a line for each practice item or question."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for row in (*_comprehension_rows(campaign), *_practice_rows(campaign)):
        writer.writerow({name: guarded_cell(value) for name, value in row.items()})
    return text.getvalue()


def _comprehension_rows(campaign: Campaign) -> Iterator[dict[str, object]]:
    attempts = ComprehensionAttempt.objects.filter(campaign=campaign).select_related("user")
    for attempt in attempts.order_by("user__username", "number"):
        for position, each in enumerate(attempt.answers, start=1):
            yield {
                "annotator": attempt.user.username,
                "kind": "comprehension",
                "try": attempt.number,
                "finished_at": attempt.finished_at.isoformat(),
                "passed": attempt.passed,
                "correct": len(attempt.answers) - attempt.wrong,
                "total": len(attempt.answers),
                "position": position,
                "answer": each["chosen"],
                "right": each["right"],
            }


def _practice_rows(campaign: Campaign) -> Iterator[dict[str, object]]:
    attempts = PracticeAttempt.objects.filter(campaign=campaign).select_related("user")
    for attempt in attempts.order_by("user__username", "number").prefetch_related("answers"):
        for each in attempt.answers.all():
            entry = each.task.entries[0]
            marks = each.marks or {}
            yield {
                "annotator": attempt.user.username,
                "kind": "practice",
                "try": attempt.number,
                "finished_at": attempt.finished_at.isoformat() if attempt.finished_at else "",
                "passed": "" if attempt.passed is None else attempt.passed,
                "correct": "" if attempt.correct is None else attempt.correct,
                "total": "" if attempt.total is None else attempt.total,
                "pass_mark": attempt.pass_mark,
                "position": each.position,
                "document": entry.document,
                "systems": " ".join(entry.systems),
                "answer": "" if each.answer is None else json.dumps(_parts(each.answer)),
                "right": json.dumps(each.right),
                "correct_parts": sum(marks.values()) if marks else "",
                "wrong_parts": len(marks) - sum(marks.values()) if marks else "",
            }


def _parts(answer: dict[str, Any]) -> dict[str, Any]:
    """What was answered about the one entry, without the time that it took."""
    given = answer["items"][ENTRY]
    return {name: part for name, part in given.items() if name != "seconds"}


def _demand_annotator(campaign: Campaign, user: User) -> None:
    annotators = campaign.memberships.filter(role=Membership.Role.ANNOTATOR)
    if not annotators.filter(user=user).exists():
        raise ConflictError(f"{user.username!r} is not among the annotators of {campaign.name!r}.")
