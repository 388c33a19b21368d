"""A campaign done by simulated annotators, to try out its checks before people come.

They take tasks, read them and hand in through the API, each with a token, as programs of others
would. Only the clock is theirs: a task counts as opened as long ago as the work would have taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.test import Client
from django.utils import timezone

from gistmark.errors import GistmarkError, UsageError
from gistmark.judgements import STYLES, Knowledge, Style, knowledge_from, simulate
from gistmark.web.accounts.people import create_user
from gistmark.web.accounts.tokens import make_token
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import add_member, corpus_of

WORST, BEST = 0.3, 0.8
"""The qualities of systems are spread evenly between these, the first system being the best."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """What became of the work of all annotators of one style."""

    style: Style
    annotators: int
    submissions: int
    rejected: int
    flagged: int

    @property
    def rejection_rate(self) -> float | None:
        """The share of their work that was rejected; None where there is none."""
        return self.rejected / self.submissions if self.submissions else None


@dataclass(frozen=True, slots=True)
class Simulated:
    """What each style came to, the true quality of systems, and how many slots stayed open."""

    conduct: tuple[Conduct, ...]
    quality: Mapping[str, float]
    left: int


def run_simulation(campaign: Campaign, crowd: Mapping[Style, int], *, seed: int) -> Simulated:
    """Let a crowd, so many annotators of each style, work on a running campaign to its end.

    They take turns, so all of them get about as much to do.
    """
    if not any(crowd.values()):
        raise UsageError("A simulation needs at least one annotator.")
    corpus = corpus_of(campaign)
    quality = _qualities(corpus.systems)
    known = knowledge_from(corpus, quality, seed=seed)
    desks = [
        _Desk(campaign, style, number)
        for style in STYLES
        for number in range(1, crowd.get(style, 0) + 1)
    ]
    working = desks
    while working:
        working = [desk for desk in working if desk.work(known, seed)]
    left = campaign.tasks.filter(state=Task.State.OPEN).count()
    return Simulated(tuple(_conduct(campaign, desks)), quality, left)


class _Desk:
    """Where one annotator works: the API, asked inside this process."""

    def __init__(self, campaign: Campaign, style: Style, number: int) -> None:
        self.campaign = campaign
        self.style = style
        self.name = f"{style}-{number}"
        self.user = create_user(f"simulated-{self.name}-{campaign.key}")
        add_member(campaign, self.user)
        secret = make_token(self.user, "simulation").secret
        host = next((each for each in settings.ALLOWED_HOSTS if each.strip("*")), "localhost")
        self._client = Client(headers={"Authorization": f"Bearer {secret}"}, SERVER_NAME=host)
        self._ask("post", f"campaigns/{campaign.key}/consent")

    def work(self, known: Knowledge, seed: int) -> bool:
        """Do the next task; whether there was one."""
        task = self._ask("post", f"campaigns/{self.campaign.key}/next")["task"]
        if task is None:
            return False
        shown = self._ask("get", f"tasks/{task}")
        done = simulate(shown, self.style, known, seed=seed, annotator=self.name)
        began = timezone.now() - timedelta(seconds=done.seconds)
        Task.objects.filter(pk=task).update(opened_at=began)
        sent = {"key": str(uuid4()), "answer": done.answer}
        self._ask("post", f"tasks/{task}/submit", sent)
        return True

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        options = {} if body is None else {"data": body, "content_type": "application/json"}
        answer = getattr(self._client, method)(f"/api/{path}", secure=True, **options)
        if answer.status_code >= 400:
            raise GistmarkError(f"The API refused {path}: {answer.content.decode()}")
        return json.loads(answer.content) if answer.content else None


def _conduct(campaign: Campaign, desks: list[_Desk]) -> Iterator[Conduct]:
    rows = Submission.objects.filter(task__campaign=campaign, current=True)
    found = list(rows.values_list("annotator", "accepted", "flags"))
    for style in STYLES:
        people = {desk.user.pk for desk in desks if desk.style == style}
        mine = [(accepted, flags) for user, accepted, flags in found if user in people]
        if people:
            rejected = sum(not accepted for accepted, _ in mine)
            flagged = sum(bool(flags) for _, flags in mine)
            yield Conduct(style, len(people), len(mine), rejected, flagged)


def _qualities(systems: tuple[str, ...]) -> dict[str, float]:
    steps = max(1, len(systems) - 1)
    return {name: BEST - (BEST - WORST) * place / steps for place, name in enumerate(systems)}
