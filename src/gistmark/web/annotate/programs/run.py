"""A run of a machine: it claims tasks through the API, has a judge answer them, and submits.

The API is the one that people's pages use, over HTTP, with a token for the machine's own tasks; the
run knows of a task what a browser knows. A run that was stopped goes on where it was: the platform
gives the machine its begun task again, and every submission has been stored once. A task that the
judge cannot answer is given back, and stays out of the results; where the judge cannot be reached
or a limit is hit, the run stops instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from gistmark._version import __version__
from gistmark.errors import UsageError
from gistmark.judgements.protocols.settings import to_mapping
from gistmark.judges import Guide, Judge, Prompt
from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.annotate.programs.answers import (
    NO_GUIDE,
    UnansweredError,
    answer_task,
    demand_answerable,
    first_prompts,
)
from gistmark.web.annotate.programs.client import Api
from gistmark.web.annotate.services.machines import batches_left
from gistmark.web.campaigns.models import Campaign, Machine
from gistmark.web.campaigns.services import protocol_of
from gistmark.web.campaigns.services.members import (
    add_machine,
    change_machine,
    machine_called,
    machines_of,
)

_TOKEN_DAYS = 7
_AND = "; "
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run came to; `stopped` is why it ended early, empty where it did not."""

    submitted: int
    given_back: tuple[str, ...]
    stopped: str = ""


def demand_ready(campaign: Campaign) -> None:
    """Refuse a campaign whose tasks a machine cannot do, or cannot do now."""
    demand_answerable(to_mapping(protocol_of(campaign)))
    if not campaign.gives_work:
        raise UsageError(
            f"The campaign {campaign.name!r} is {campaign.state}; machines judge while it runs."
        )


def prepare_machine(campaign: Campaign, *, model: str, url: str = "", name: str = "") -> Machine:
    """The machine of a campaign that is this model, made now where there is none.

    A `name` chooses among several, or names a new one.
    """
    demand_ready(campaign)
    known = machines_of(campaign)
    own = known.filter(membership__user__username=name) if name else known.filter(model=model)
    found = own.first()
    if found is None:
        return add_machine(campaign, model=model, url=url, name=name)
    return change_machine(machine_called(campaign, found.membership.user.username), model=model,
                          url=url)  # fmt: skip


def tasks_left(machine: Machine, most: int | None = None) -> int:
    """How many tasks a run of the machine may have: all that are left, or as many as are wanted."""
    left = batches_left(machine.membership.campaign, machine.membership.user)
    return left if most is None else min(left, most)


@contextmanager
def token_for(machine: Machine) -> Iterator[str]:
    """A token of the machine for as long as it is needed."""
    made = make_token(machine.membership.user, "gistmark campaign judge", days=_TOKEN_DAYS)
    try:
        yield made.secret
    finally:
        made.token.delete()


class Run:
    """A machine at work in a campaign, by its token."""

    def __init__(self, api: Api, token: str, key: str, judge: Judge, guide: Guide = NO_GUIDE):
        self._api, self._token, self._key = api, token, key
        self._judge, self._guide = judge, guide

    def next(self) -> Mapping[str, Any] | None:
        """The task to do next, as the API shows it; None where nothing is left."""
        task = self._request("POST", f"campaigns/{self._key}/next")["task"]
        shown = None if task is None else self._request("GET", f"tasks/{task}")
        if shown is not None:
            demand_answerable(shown)
        return shown

    def prompts(self, task: Mapping[str, Any]) -> list[Prompt]:
        """What the judge is asked about a task."""
        return first_prompts(task, self._guide)

    def work(self, most: int | None = None, progress: Progress | None = None) -> Ran:
        """Do tasks until nothing is left, `most` are done, or the judge cannot go on."""
        submitted, given_back = 0, list[str]()
        while most is None or submitted + len(given_back) < most:
            task = self.next()
            if task is None:
                break
            try:
                answer = answer_task(task, self._judge, self._guide)
            except UnansweredError as error:
                if error.transient:
                    return Ran(submitted, tuple(given_back), str(error))
                self._give_back(task, str(error))
                given_back.append(str(error))
            else:
                self._submit(task, answer)
                submitted += 1
            if progress is not None:
                progress(submitted + len(given_back))
        return Ran(submitted, tuple(given_back))

    def _submit(self, task: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Submit an answer; a run that is repeated sends the same key, which stores nothing new."""
        key = uuid5(NAMESPACE_URL, f"gistmark:{self._key}:{task['task']}:{task['version']}")
        sent = {"key": str(key), "answer": answer}
        self._request("POST", f"tasks/{task['task']}/submit", sent)

    def _give_back(self, task: Mapping[str, Any], reason: str) -> None:
        said = {"reason": "other", "text": f"The model gave no answer: {reason}."[:1000]}
        self._request("POST", f"tasks/{task['task']}/release", said)

    def _request(self, method: str, path: str, body: object = None) -> Any:
        return self._api.request(method, path, self._token, body)


def note_signature(machine: Machine, judge: Judge, prompts: list[Prompt]) -> str:
    """Store how the machine is asked: the model, and the hash of all that is asked but the texts.

    Where an earlier run asked otherwise, both stand in the export.
    """
    digest = sha256("\n".join(sorted({each.digest for each in prompts})).encode()).hexdigest()[:12]
    manner = getattr(judge, "manner", None)
    parts = {} if manner is None else {
        name: getattr(manner, name)
        for name in ("answers", "form", "samples", "temperature", "tokens", "words")
    }  # fmt: skip
    named = {"v": __version__, "model": judge.label, "prompt": digest, **parts}
    signature = "|".join(["judge", *(f"{name}:{value}" for name, value in named.items())])
    known = [each for each in machine.signature.split(_AND) if each]
    if signature not in known:
        machine.signature = _AND.join([*known, signature])
        machine.save(update_fields=["signature"])
    return signature
