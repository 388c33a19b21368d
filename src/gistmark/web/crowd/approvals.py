"""Approvals: the rows of a crowd market's CSV file matched to tasks by their completion codes.

`read_sheet` reads what Amazon Mechanical Turk calls the results of a batch, and `read_table` the
file of any market. Pages and the command line both go through `fill_batch`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from gistmark.corpus.files.tables import guarded_cell
from gistmark.corpus.files.text import decode
from gistmark.errors import Diagnostics, GistmarkError
from gistmark.judgements.verdicts import Verdict, is_paid
from gistmark.web.accounts.models import User
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Decision, Submission, Task
from gistmark.web.annotate.outcomes import Outcome, outcome_of, verdict_of
from gistmark.web.annotate.services.submissions import LATE
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.codes import plain
from gistmark.web.config.errors import ConflictError

CODE = "Answer.surveycode"
APPROVE = "Approve"
REJECT = "Reject"
FIRST_ROW = 2
"""The number of the first row below the columns' names, as a spreadsheet counts."""
_NAMED = 12
APPROVED = "x"
_NOT_SUBMITTED = (Task.State.OPEN, Task.State.HELD, Task.State.LAPSED)
_LONGEST_SHOWN = 20
NOT_PASSED = "The work did not pass the checks of the campaign."
FLAGGED = "The work is flagged and waits for a manager's decision."
CAME_LATE = "The work came late and waits for a manager's decision."


@dataclass(frozen=True, slots=True)
class Sheet:
    """The names of the columns, and rows that all have as many cells."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_sheet(data: bytes) -> Sheet:
    """The rows of a file with `Approve` and `Reject`, which are added where they are missing.

    One sentence says what is wrong with the file. Rows that end early are filled up: a
    market leaves out the cells that it wants to be filled.
    """
    sheet = read_table(data)
    _check_columns(sheet.columns)
    return with_columns(sheet, APPROVE, REJECT)


def read_table(data: bytes) -> Sheet:
    """The rows of a file, filled up where they end early, or one sentence about what is wrong."""
    names, *rows = _read_rows(data)
    if not rows:
        raise GistmarkError("The file has no rows below the names of its columns.")
    for number, row in enumerate(rows, start=FIRST_ROW):
        if len(row) > len(names):
            raise GistmarkError(
                f"Row {number} has {len(row)} cells, but the first row names {len(names)} columns."
            )
    width = len(names)
    return Sheet(tuple(names), tuple((*row, *[""] * (width - len(row))) for row in rows))


def with_columns(sheet: Sheet, *names: str) -> Sheet:
    """The sheet with these columns at its end, empty, where it has none of that name."""
    new = tuple(name for name in names if name not in sheet.columns)
    blank = ("",) * len(new)
    return Sheet((*sheet.columns, *new), tuple((*row, *blank) for row in sheet.rows))


def write_sheet(sheet: Sheet) -> str:
    """The sheet as CSV, every cell in quotes, as the market itself writes it."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([sheet.columns, *sheet.rows])
    return written.getvalue()


def harmless(text: str) -> str:
    """A text in one line that no spreadsheet takes for a formula."""
    return str(guarded_cell(" ".join(text.split())))


def _read_rows(data: bytes) -> list[list[str]]:
    diagnostics = Diagnostics()
    text = decode(data, "", diagnostics)
    if text is None:
        raise GistmarkError(diagnostics.problems[0].message)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise GistmarkError(f"The file is broken CSV in line {reader.line_num}: {error}.") from None
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise GistmarkError("The file is empty.")
    return rows


def named(columns: Sequence[str]) -> str:
    """The names of columns as a sentence lists them."""
    known = ", ".join(name[:40] for name in columns[:_NAMED]) or "none"
    return f"{known}, …" if len(columns) > _NAMED else known


def _check_columns(names: Sequence[str]) -> None:
    if CODE not in names:
        raise GistmarkError(f"The file has no column {CODE!r}; its columns are {named(names)}.")
    for name in (CODE, APPROVE, REJECT):
        if names.count(name) > 1:
            raise GistmarkError(f"The column {name!r} comes twice.")


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
        kept = f", already decided in the file {self.kept}" if self.kept else ""
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
        return Status("undecided", f"The row repeats the code of row {first}.")
    unknown = f"The code {code[:_LONGEST_SHOWN]} is not one of this campaign."
    return known.get(code) or Status("undecided", unknown)


@dataclass(frozen=True, slots=True)
class Status:
    """What becomes of a task, with the reason where it is not approved."""

    decision: Literal["approve", "reject", "undecided"]
    reason: str = ""


def statuses_of(campaign: Campaign) -> dict[str, Status]:
    """The work of a campaign by its codes, as `plain` writes them."""
    work = Submission.objects.filter(task__campaign=campaign, task__machine=False, current=True)
    work = work.exclude(task__state__in=_NOT_SUBMITTED)
    decisions = _decisions(campaign)
    statuses = _of_discarded_pilots(campaign)
    columns = ("pk", "task_id", "task__state", "task__flagged", "flags")
    for pk, task, state, flagged, flags in work.values_list(*columns).iterator():
        verdict, outcome = _of_task(state, flagged)
        statuses[plain(completion_code(task, campaign))] = status_for(
            verdict, outcome, flags=flags, decision=decisions.get(pk)
        )
    return statuses


@cache
def _of_task(state: str, flagged: bool) -> tuple[Verdict | None, Outcome | None]:
    task = Task(state=state, flagged=flagged)
    return verdict_of(task), outcome_of(task)


def _decisions(campaign: Campaign) -> dict[int, Decision]:
    """The last decision that was not undone, by the number of its submission."""
    made = Decision.objects.filter(submission__task__campaign=campaign, undone=False)
    return {each.submission_id: each for each in made.order_by("pk")}


def _of_discarded_pilots(campaign: Campaign) -> dict[str, Status]:
    """Work that was thrown away with a pilot is paid like any other."""
    discarded = campaign.events.filter(verb="pilot-discarded").values_list("about", flat=True)
    return {
        plain(code): Status("approve") if passed else Status("reject", NOT_PASSED)
        for about in discarded
        for code, passed in about["codes"].items()
    }


def status_for(
    verdict: Verdict | None,
    outcome: Outcome | None,
    *,
    flags: Iterable[dict[str, Any]],
    decision: Decision | None,
) -> Status:
    """What the verdict in force means for the market: work that does not count may be paid.

    Without a verdict, since the work is only flagged or came late, it waits for the manager.
    """
    if verdict is None:
        return Status("undecided", CAME_LATE if outcome == "late" else FLAGGED)
    if is_paid(verdict):
        return Status("approve")
    if decision is None:
        return Status("reject", NOT_PASSED)
    of_checks = [flag["reason"] for flag in flags if flag["kind"] != LATE]
    return Status("reject", _public_reason(decision.reason, of_checks))


def _public_reason(reason: str, of_checks: list[str]) -> str:
    """The manager's reason, unless it repeats a check, whose words hold the right answer.

    The page of the work suggests those words, cut off where they are long.
    """
    repeats = any(each in reason for each in of_checks)
    cut_off = bool(of_checks) and " ".join(of_checks).startswith(reason.removesuffix("…"))
    return NOT_PASSED if repeats or cut_off else reason
