"""A campaign done by simulated annotators, to try out its checks before people come.

They claim tasks, read them and submit through the API over HTTP, each with a token, as programs of
others would. Only the clock is theirs: a task counts as opened as long ago as the work would have
taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.judgements.simulation import STYLES, Knowledge, Style, knowledge_from, simulate
from gistmark.judges.campaign.client import Api, platform_at
from gistmark.runtime.seeds import generator
from gistmark.web.accounts.people import create_user
from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.programs.server import own_server
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import protocol_of

WORST, BEST = 0.3, 0.8
"""The qualities of systems are spread evenly between these, the first system being the best."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """What became of the work of all annotators of one style."""

    style: Style
    annotators: int
    submissions: int
    paid: int
    rejected: int
    flagged: int

    @property
    def rejection_rate(self) -> float | None:
        """The share of their work that was rejected; None where there is none."""
        return self.rejected / self.submissions if self.submissions else None

    @property
    def uncounted_rate(self) -> float | None:
        """The share of their work that does not count; None where there is none."""
        return (self.paid + self.rejected) / self.submissions if self.submissions else None


@dataclass(frozen=True, slots=True)
class Simulated:
    """What each style came to, the true quality of systems, and how many slots stayed open."""

    conduct: tuple[Conduct, ...]
    quality: Mapping[str, float]
    left: int


def run_simulation(
    campaign: Campaign, crowd: Mapping[Style, int], *, seed: int, url: str | None = None
) -> Simulated:
    """Let a crowd, so many annotators of each style, work on a running campaign to its end.

    They take turns, so all of them get about as much to do. `url` is the address of a server that
    runs on the same database; without it one is started on this machine, and stopped at the end.
    """
    if not any(crowd.values()):
        raise UsageError("A simulation needs at least one annotator.")
    corpus = corpus_of(campaign)
    quality = _qualities(corpus.systems)
    known = knowledge_from(corpus, quality, seed=seed)
    with own_server() if url is None else platform_at(url) as api:
        learnt: dict[str, bool] = {}
        annotators = [
            _Annotator(campaign, style, number, api, learnt)
            for style in STYLES
            for number in range(1, crowd.get(style, 0) + 1)
        ]
        working = annotators
        while working:
            working = [each for each in working if each.work(known, seed)]
    left = campaign.tasks.filter(state=Task.State.OPEN).count()
    return Simulated(tuple(_conduct(campaign, annotators)), quality, left)


class _Annotator:
    """One simulated annotator, with an account and a token of their own.

    `learnt` is what all scripted ones have learnt about statements together.
    """

    def __init__(
        self,
        campaign: Campaign,
        style: Style,
        number: int,
        api: Api,
        learnt: dict[str, bool],
    ) -> None:
        self.campaign = campaign
        self.style = style
        self.name = f"{style}-{number}"
        # Names decide who gets what: by the number, as the key is another one in every run.
        self.user = create_user(f"simulated-{self.name}-{campaign.pk}")
        add_member(campaign, self.user)
        self._api = api
        self._learnt = learnt
        self._token = make_token(self.user, "simulation").secret
        self._request("POST", f"campaigns/{campaign.key}/consent")

    def work(self, known: Knowledge, seed: int) -> bool:
        """Do the next task; whether there was one."""
        if not self._is_admitted(known, seed):
            return False
        task = self._request("POST", f"campaigns/{self.campaign.key}/next")["task"]
        if task is None:
            return False
        shown = self._request("GET", f"tasks/{task}")
        done = simulate(
            shown,
            self.style,
            Knowledge(truths=self._learnt) if self.style == "scripted" else known,
            seed=seed,
            annotator=self.name,
            minimum_seconds=protocol_of(self.campaign).minimum_seconds,
        )
        began = timezone.now() - timedelta(seconds=done.seconds)
        Task.objects.filter(pk=task).update(opened_at=began)
        sent = {"key": str(uuid4()), "answer": done.answer}
        reply = self._request("POST", f"tasks/{task}/submit", sent)
        if self.style == "scripted" and shown["question"] is not None:
            self._learn(shown["question"], done.answer["reply"], task, reply["message"])
        return True

    def _learn(self, statement: str, given: bool, task: int, message: str) -> None:
        """Take a statement for known by what the platform says about the answer to it."""
        state = self._request("GET", f"tasks/{task}")["state"]
        listed = {each["id"]: each["state"] for each in self._request("GET", "tasks")}
        refused = {state, listed.get(task, state)} != {"done"} or "not" in message
        self._learnt[statement] = given != refused

    def _is_admitted(self, known: Knowledge, seed: int) -> bool:
        """Whether they get tasks, once they have passed or failed what comes before."""
        base = f"campaigns/{self.campaign.key}"
        while (stage := self._request("GET", f"{base}/admission")["stage"]) != "ready":
            if stage == "comprehension":
                self._request("POST", f"{base}/comprehension", {"answers": self._chosen(seed)})
            elif stage == "practice":
                self._practise(known, seed)
            else:
                return False
        return True

    def _chosen(self, seed: int) -> dict[str, int]:
        """Options for the comprehension questions: those who read the instructions know them."""
        asked = self.campaign.comprehension.all()
        tries = self.user.comprehension_attempts.count()
        rng = generator(seed, "comprehension", self.name, tries)
        reads = self.style in ("careful", "noisy")
        guesses = {each: int(rng.integers(len(each.options))) for each in asked}
        return {str(each.pk): each.right if reads else guesses[each] for each in asked}

    def _practise(self, known: Knowledge, seed: int) -> None:
        """Answer the next practice item."""
        item = self._request("POST", f"campaigns/{self.campaign.key}/practice/next")["item"]
        shown = self._request("GET", f"practice/{item}")
        done = simulate(shown, self.style, known, seed=seed, annotator=self.name)
        sent = {"key": str(uuid4()), "answer": done.answer}
        self._request("POST", f"practice/{item}/submit", sent)

    def _request(self, method: str, path: str, body: object = None) -> Any:
        return self._api.request(method, path, self._token, body)


def _conduct(campaign: Campaign, annotators: list[_Annotator]) -> Iterator[Conduct]:
    rows = Submission.objects.filter(task__campaign=campaign, current=True)
    verdicts = list(rows.values_list("annotator", "verdict", "flags"))
    for style in STYLES:
        people = {each.user.pk for each in annotators if each.style == style}
        mine = [(verdict, flags) for user, verdict, flags in verdicts if user in people]
        if people:
            counts = Counter(verdict for verdict, _ in mine)
            flagged = sum(bool(flags) for _, flags in mine)
            paid, rejected = counts["paid"], counts["rejected"]
            yield Conduct(style, len(people), len(mine), paid, rejected, flagged)


def _qualities(systems: tuple[str, ...]) -> dict[str, float]:
    steps = max(1, len(systems) - 1)
    return {name: BEST - (BEST - WORST) * index / steps for index, name in enumerate(systems)}
