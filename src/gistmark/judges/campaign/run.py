"""A run of a machine: it claims tasks through the API, has a judge answer them, and submits.

The API is the one that people's pages use, over HTTP, with a token for the machine's own tasks; the
run knows of a task what a browser knows. A run that was stopped resumes where it was: the platform
gives the machine the task again that it had begun, and every submission is stored only once. An
answer that could not be sent is kept in a file, and sent at the next run without asking the judge
again. A task that the judge cannot answer is given back, and stays out of the results; where the
judge or the platform cannot be reached or a limit is hit, the run stops instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from gistmark._version import __version__
from gistmark.judges.campaign.client import PlatformError
from gistmark.judges.campaign.machine import MachineClient
from gistmark.judges.campaign.tasks import NO_GUIDE, UnansweredError, answer_task, first_prompts
from gistmark.judges.judge import Judge, Prompt
from gistmark.judges.prompts import Guide
from gistmark.runtime.files import write_text

Progress = Callable[[int], None]
_MANNER = ("answers", "form", "samples", "temperature", "tokens", "words")
_WRONG = (400, 422)
"""The statuses with which the platform says that the answer itself is wrong."""


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a run; `stopped` is why it ended early, empty if it did not."""

    submitted: int
    given_back: tuple[str, ...]
    stopped: str = ""


class Unsent:
    """The answer to one task, in a file from when the judge gave it until the platform has it.

    Without a folder nothing is kept. `of` names the platform, the campaign and the machine.
    """

    def __init__(self, folder: Path | None = None, *of: str) -> None:
        named = sha256("\n".join(of).encode()).hexdigest()[:16]
        self._path = None if folder is None else folder / f"unsent-{named}.json"

    def load(self, submission: str, signature: str) -> Any:
        """The stored answer to this submission if the judge was asked in the same way, or None."""
        if self._path is None:
            return None
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            return kept["answer"] if kept["about"] == [submission, signature] else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def store(self, submission: str, signature: str, answer: Mapping[str, Any]) -> None:
        """Store an answer; if no file can be written, a lost answer is requested again."""
        if self._path is None:
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_text(self._path, json.dumps({"about": [submission, signature], "answer": answer}))

    def clear(self) -> None:
        """Delete the stored answer."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


class Run:
    """A machine at work in a campaign."""

    def __init__(
        self,
        client: MachineClient,
        judge: Judge,
        guide: Guide = NO_GUIDE,
        unsent: Unsent | None = None,
    ) -> None:
        self.client, self.judge = client, judge
        self._guide, self._unsent = guide, unsent or Unsent()

    def prompts(self, task: Mapping[str, Any]) -> list[Prompt]:
        """What the judge is asked about a task."""
        return first_prompts(task, self._guide)

    def work(self, most: int | None = None, progress: Progress | None = None) -> Ran:
        """Do tasks until nothing is left, `most` are done, or something stops the run."""
        submitted, given_back = 0, list[str]()
        try:
            while most is None or submitted + len(given_back) < most:
                task = self.client.next_task()
                if task is None:
                    break
                reason = self._do(task)
                if reason is None:
                    submitted += 1
                else:
                    given_back.append(reason)
                if progress is not None:
                    progress(submitted + len(given_back))
        except (PlatformError, UnansweredError) as error:
            return Ran(submitted, tuple(given_back), str(error).rstrip("."))
        return Ran(submitted, tuple(given_back))

    def _do(self, task: Mapping[str, Any]) -> str | None:
        """Submit an answer, or give the task back, for the reason that is returned."""
        try:
            self._submit(task)
        except UnansweredError as error:
            if error.transient:
                raise
            self.client.give_back(task["task"], str(error))
            return str(error)
        return None

    def _submit(self, task: Mapping[str, Any]) -> None:
        """Have a task answered and submit it; a run that is repeated sends the same key."""
        name = f"gistmark:{self.client.key}:{task['task']}:{task['version']}"
        key = str(uuid5(NAMESPACE_URL, name))
        signature = signature_of(self.judge, self.prompts(task))
        answer = self._unsent.load(key, signature)
        if answer is None:
            answer = answer_task(task, self.judge, self._guide)
            self._unsent.store(key, signature, answer)
        try:
            self.client.submit(task["task"], key, answer)
        except PlatformError as error:
            if error.status in _WRONG:
                self._unsent.clear()
            raise
        self._unsent.clear()


def signature_of(judge: Judge, prompts: Sequence[Prompt]) -> str:
    """How a machine is asked: the model, and the hash of all that is asked but the texts."""
    digest = sha256("\n".join(sorted({each.digest for each in prompts})).encode()).hexdigest()[:12]
    manner = getattr(judge, "manner", None)
    parts = {} if manner is None else {name: getattr(manner, name) for name in _MANNER}
    named = {"v": __version__, "model": judge.label, "prompt": digest, **parts}
    return "|".join(["judge", *(f"{name}:{value}" for name, value in named.items())])
