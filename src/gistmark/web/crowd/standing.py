"""What a crowd market may be told about each task that was handed in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from gistmark.web.annotate.models import Decision, Submission, Task
from gistmark.web.annotate.services import LATE
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.codes import plain
from gistmark.web.crowd.codes import shown_code

NOT_PASSED = "The work did not pass the checks of the campaign."
FLAGGED = "The work is flagged and waits for a manager's decision."
CAME_LATE = "The work came late and waits for a manager's decision."


@dataclass(frozen=True, slots=True)
class Standing:
    """What becomes of a task, with the reason where it is not approved."""

    word: Literal["approve", "reject", "undecided"]
    reason: str = ""


def standings_of(campaign: Campaign) -> dict[str, Standing]:
    """The work of a campaign by its codes, as `plain` writes them."""
    current = Submission.objects.filter(task__campaign=campaign, current=True)
    work = current.select_related("task").prefetch_related("decisions")
    found = {}
    for each in work.defer("answer", "task__content"):
        code = shown_code(each.task, campaign)
        if code is not None:
            decisions = list(each.decisions.all())
            found[plain(code)] = standing(
                state=each.task.state,
                flagged=each.task.flagged,
                flags=each.flags,
                decision=decisions[-1] if decisions else None,
            )
    return found


def standing(
    *, state: str, flagged: bool, flags: Iterable[dict[str, Any]], decision: Decision | None
) -> Standing:
    """What a manager decided, else what the checks said.

    A check that rejects has the last word until a manager speaks; one that flags, and work that
    came late, wait for the manager.
    """
    said = [flag["reason"] for flag in flags if flag["kind"] != LATE]
    if decision is not None:
        if decision.accepted:
            return Standing("approve")
        return Standing("reject", _told(decision.reason, said))
    if any(flag["kind"] == LATE for flag in flags):
        return Standing("undecided", CAME_LATE)
    if state == Task.State.REJECTED:
        return Standing("reject", NOT_PASSED)
    return Standing("undecided", FLAGGED) if flagged else Standing("approve")


def _told(reason: str, said: list[str]) -> str:
    """The manager's reason, unless it repeats a check, whose words hold the right answer.

    The page of the work suggests those words, cut off where they are long.
    """
    repeats = any(each in reason for each in said)
    cut_off = bool(said) and " ".join(said).startswith(reason.removesuffix("…"))
    return NOT_PASSED if repeats or cut_off else reason
