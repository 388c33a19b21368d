"""Campaigns with a practice, and people who do it, for tests."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from gistmark.web.accounts.models import User
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.qualification.models import PracticeAnswer, PracticeAttempt
from gistmark.web.qualification.services.attempts import (
    answer_comprehension,
    continue_practice,
    submit_practice,
)
from gistmark.web.qualification.services.plans import replace_practice
from web.factories import make_campaign, make_corpus, make_user

QUESTIONS = [
    {"question": "What do you judge?", "options": ["Summaries", "Documents"], "right": 0},
    {
        "question": "Is speed what counts?",
        "options": ["Yes", "No", "Perhaps"],
        "right": 1,
        "explanation": "Take the time that you need.",
    },
]


def rating(value: int, name: str = "overall") -> dict[str, Any]:
    return {"ratings": {name: {"value": value}}}


def make_practice(values: tuple[int, ...] = (4, 0), **changes: Any) -> dict[str, Any]:
    """A practice on the first documents, with these right grades, and a tolerance of 1."""
    return {
        "items": [
            {
                "document": f"d{number}",
                "systems": ["sys1"],
                "right": rating(value),
                "tolerance": 1,
                "reason": f"Because it is number {number}.",
            }
            for number, value in enumerate(values, start=1)
        ],
        **changes,
    }


def practised_campaign(
    protocol: str = "overall",
    *,
    practice: dict[str, Any] | None = None,
    annotators: tuple[User, ...] = (),
    **options: Any,
) -> Campaign:
    """A running campaign with a practice, whose annotators have accepted the terms."""
    running = options.pop("running", True)
    options.setdefault("corpus", make_corpus(documents=6))
    people = annotators or (make_user(),)
    campaign = make_campaign(protocol, annotators=people, running=False, **options)
    replace_practice(campaign, make_practice() if practice is None else practice, campaign.owner)
    if running:
        start(campaign, campaign.owner)
    for user in people:
        give_consent(campaign, user)
    return campaign


def only_annotator(campaign: Campaign) -> User:
    return campaign.memberships.get(role="annotator").user


def comprehend(campaign: Campaign, user: User, *options: int) -> Any:
    """One try at the comprehension questions, with an option for each."""
    questions = campaign.comprehension.values_list("pk", flat=True)
    return answer_comprehension(campaign, user, dict(zip(questions, options, strict=True)))


def practise(campaign: Campaign, user: User, *, right: bool = True) -> PracticeAttempt:
    """One whole try at a practice of grades, with right or with wrong answers."""
    while True:
        answer = continue_practice(campaign, user)
        answer_item(answer, user, right=right)
        answer.attempt.refresh_from_db()
        if answer.attempt.finished_at is not None:
            return answer.attempt


def answer_item(answer: PracticeAnswer, user: User, *, right: bool = True) -> PracticeAnswer:
    value = answer.right["ratings"]["overall"]["value"]
    given = value if right else 4 - value
    return submit_practice(answer.pk, user, uuid4(), {"items": {"1": rating(given)}})
