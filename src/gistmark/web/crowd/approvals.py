"""Approvals: the rows of a crowd market's file matched to tasks by their completion codes.

Pages and the command line both go through `fill_batch`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gistmark.web.accounts.models import User
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Decision, Submission, Task
from gistmark.web.annotate.services import LATE
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import record
from gistmark.web.config.codes import plain
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.sheets import (
    APPROVE,
    CODE,
    FIRST_ROW,
    REJECT,
    Sheet,
    harmless,
    read_sheet,
)

APPROVED = "x"
_LONGEST_SHOWN = 20
NOT_PASSED = "The work did not pass the checks of the campaign."
FLAGGED = "The work is flagged and waits for a manager's decision."
CAME_LATE = "The work came late and waits for a manager's decision."


@dataclass(frozen=True, slots=True)
class Undecided:
    """A row that was left alone, and why."""

    row: int
    reason: str

    def __str__(self) -> str:
        return f"Row {self.row}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Filled:
    """A sheet with what was decided; `kept` counts rows that somebody had decided before."""

    sheet: Sheet
    approved: int
    rejected: int
    kept: int
    undecided: tuple[Undecided, ...]

    def __str__(self) -> str:
        kept = f", decided in the file before {self.kept}" if self.kept else ""
        return (
            f"Approved {self.approved}, rejected {self.rejected}, "
            f"undecided {len(self.undecided)}{kept}."
        )


def fill_batch(campaign: Campaign, data: bytes, by: User | None) -> Filled:
    """The market's file with the columns `Approve` and `Reject` filled in."""
    if not campaign.completion_codes:
        raise ConflictError(
            f"The campaign {campaign.name!r} gives no completion codes; its settings can change "
            "that until it is closed."
        )
    filled = fill(read_sheet(data), statuses_of(campaign))
    counts = {"approved": filled.approved, "rejected": filled.rejected}
    record(campaign, by, "approvals-filled", **counts, undecided=len(filled.undecided))
    return filled


def fill(sheet: Sheet, known: Mapping[str, Status]) -> Filled:
    """Decide on every row that has a code of `known`; a code counts where it comes first."""
    code, approve, reject = (sheet.columns.index(name) for name in (CODE, APPROVE, REJECT))
    used: dict[str, int] = {}
    rows: list[tuple[str, ...]] = []
    undecided: list[Undecided] = []
    counts = {"approve": 0, "reject": 0, "kept": 0}
    for number, row in enumerate(sheet.rows, start=FIRST_ROW):
        cells = list(row)
        status = _row_status(row[code], number, used, known)
        if row[approve].strip() or row[reject].strip():
            counts["kept"] += 1
        elif status.decision == "undecided":
            if any(row):
                undecided.append(Undecided(number, status.reason))
        else:
            counts[status.decision] += 1
            cells[approve] = APPROVED if status.decision == "approve" else ""
            cells[reject] = harmless(status.reason)
        rows.append(tuple(cells))
    return Filled(
        sheet=Sheet(sheet.columns, tuple(rows)),
        approved=counts["approve"],
        rejected=counts["reject"],
        kept=counts["kept"],
        undecided=tuple(undecided),
    )


def _row_status(
    typed: str, number: int, used: dict[str, int], known: Mapping[str, Status]
) -> Status:
    """What becomes of a row; `used` remembers where each code came first."""
    code = plain(typed)
    if not code:
        return Status("undecided", "There is no code.")
    first = used.setdefault(code, number)
    if first != number:
        return Status("undecided", f"The code of row {first} comes again.")
    unknown = f"The code {code[:_LONGEST_SHOWN]} is not one of this campaign."
    return known.get(code) or Status("undecided", unknown)


@dataclass(frozen=True, slots=True)
class Status:
    """What becomes of a task, with the reason where it is not approved."""

    decision: Literal["approve", "reject", "undecided"]
    reason: str = ""


def statuses_of(campaign: Campaign) -> dict[str, Status]:
    """The work of a campaign by its codes, as `plain` writes them."""
    current = Submission.objects.filter(task__campaign=campaign, current=True)
    work = current.select_related("task").prefetch_related("decisions")
    statuses = _of_discarded_pilots(campaign)
    for each in work.defer("answer", "task__content"):
        code = shown_code(each.task, campaign)
        if code is not None:
            statuses[plain(code)] = status_for(
                state=each.task.state,
                flagged=each.task.flagged,
                flags=each.flags,
                decision=each.decision,
            )
    return statuses


def _of_discarded_pilots(campaign: Campaign) -> dict[str, Status]:
    """Work that was thrown away with a pilot is paid like any other."""
    discarded = campaign.events.filter(verb="pilot-discarded").values_list("about", flat=True)
    return {
        plain(code): Status("approve") if passed else Status("reject", NOT_PASSED)
        for about in discarded
        for code, passed in about["codes"].items()
    }


def status_for(
    *, state: str, flagged: bool, flags: Iterable[dict[str, Any]], decision: Decision | None
) -> Status:
    """What a manager decided, else what the checks did.

    A check that rejects holds until a manager decides; one that flags, and work that came late,
    wait for the manager.
    """
    of_checks = [flag["reason"] for flag in flags if flag["kind"] != LATE]
    if decision is not None:
        if decision.accepted:
            return Status("approve")
        return Status("reject", _public_reason(decision.reason, of_checks))
    if any(flag["kind"] == LATE for flag in flags):
        return Status("undecided", CAME_LATE)
    if state == Task.State.REJECTED:
        return Status("reject", NOT_PASSED)
    return Status("undecided", FLAGGED) if flagged else Status("approve")


def _public_reason(reason: str, of_checks: list[str]) -> str:
    """The manager's reason, unless it repeats a check, whose words hold the right answer.

    The page of the work suggests those words, cut off where they are long.
    """
    repeats = any(each in reason for each in of_checks)
    cut_off = bool(of_checks) and " ".join(of_checks).startswith(reason.removesuffix("…"))
    return NOT_PASSED if repeats or cut_off else reason
