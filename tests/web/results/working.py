"""Campaigns with work in them, done by simulated annotators through the services."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from gistmark.corpus import Corpus
from gistmark.judgements import Knowledge, Style, knowledge_from, simulate
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.protocols import protocol_of
from web.annotate.answering import submit
from web.factories import make_campaign, make_corpus, make_user

SEED = 5


def worked_campaign(
    protocol: str = "overall",
    *,
    annotators: int = 2,
    tasks: int = 100,
    corpus: Corpus | None = None,
    style: Style = "careful",
    **changes: object,
) -> Campaign:
    """A running campaign in which each annotator has done up to so many tasks."""
    people = tuple(make_user() for _ in range(annotators))
    campaign = make_campaign(
        protocol, corpus=corpus or make_corpus(), annotators=people, judges=annotators, **changes
    )
    for user in people:
        give_consent(campaign, user)
        for _ in range(tasks):
            if work_on(campaign, user, style) is None:
                break
    return campaign


def work_on(campaign: Campaign, user: User, style: Style = "careful") -> Submission | None:
    """The next task of somebody, answered as an annotator of this style would."""
    task = next_task(campaign, user)
    if task is None:
        return None
    sent = simulate(
        browser_payload(task),
        style,
        _knowledge(campaign),
        seed=SEED,
        annotator=user.username,
        minimum_seconds=protocol_of(campaign).minimum_seconds,
    )
    opened = timezone.now() - timedelta(seconds=sent.seconds + 1)
    Task.objects.filter(pk=task.pk).update(opened_at=opened)
    return submit(task.pk, user, uuid4(), sent.answer)


def _knowledge(campaign: Campaign) -> Knowledge:
    """What there is to know about a campaign's texts, which stay the same: read once an object."""
    if not hasattr(campaign, "knowledge"):
        corpus = corpus_of(campaign)
        qualities = {system: 0.2 + 0.6 * position for position, system in enumerate(corpus.systems)}
        campaign.knowledge = knowledge_from(corpus, qualities, seed=SEED)
    return campaign.knowledge


def first_annotator(campaign: Campaign) -> User:
    return User.objects.filter(memberships__campaign=campaign, role="annotator").first()
