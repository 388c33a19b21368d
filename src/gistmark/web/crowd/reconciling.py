"""Files of participants: a market's own, reconciled with the visits here, and that of an export.

The market's CSV file comes back with columns that say what became of each participant's work, and
everything on which the two sides differ is listed. Which column has the sessions' or the
participants' ids is found by the ids themselves, so every market's file will do.

The file of an export says who an annotator is on the market. Nothing else that leaves the platform
has the ids of markets, and it is written only for managers who ask for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from gistmark.corpus.files.tables import Table, guarded_cell
from gistmark.errors import GistmarkError, UsageError
from gistmark.judgements.verdicts import Verdict
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.outcomes import outcome_of, verdict_of
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.codes import plain
from gistmark.web.crowd.approvals import (
    APPROVED,
    FIRST_ROW,
    Sheet,
    Status,
    harmless,
    named,
    read_table,
    status_for,
    with_columns,
)
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.outcomes import done_in
from gistmark.web.crowd.settings import in_words
from gistmark.web.results.exports.material import Material

COLUMNS = ("gistmark_outcome", "gistmark_verdict", "approve", "reject", "bonus")
NO_WORK = "Nothing was submitted in this visit."
_LARGEST_BONUS = Decimal(10_000)
_EXPORTED = (
    "annotator", "market", "participant", "study", "session", "status", "outcome", "arrived",
    "ended",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VisitStatus:
    """What became of a visit: its outcome, the verdict on its work, and whether it is paid."""

    outcome: str
    verdict: str
    status: Status

    @property
    def earns_bonus(self) -> bool:
        """Whether all of the work counts."""
        return self.verdict == "counts"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The file with what was decided, and on what the two sides differ, a sentence each."""

    sheet: Sheet
    approved: int
    rejected: int
    undecided: int
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Approved {self.approved}, rejected {self.rejected}, undecided {self.undecided}; "
            f"{len(self.differences) or 'no'} difference{'s' * (len(self.differences) != 1)}."
        )


def reconcile_file(
    recruitment: Recruitment, data: bytes, by: User | None, *, bonus: str = ""
) -> Reconciled:
    """The market's file with what was decided; `bonus` is for those whose work all counts."""
    amount = _checked_bonus(bonus)
    visits = list(recruitment.visits.select_related("participant__user", "recruitment__campaign"))
    reconciled = reconcile(
        read_table(data), visits, {each.pk: status_of(each) for each in visits}, bonus=amount
    )
    counts = {"approved": reconciled.approved, "rejected": reconciled.rejected}
    record(
        recruitment.campaign,
        by,
        "reconciled",
        recruitment=recruitment.key,
        **counts,
        undecided=reconciled.undecided,
        differences=len(reconciled.differences),
        bonus=amount,
    )
    return reconciled


def reconcile(
    sheet: Sheet, visits: Sequence[Visit], statuses: Mapping[int, VisitStatus], *, bonus: str = ""
) -> Reconciled:
    """Match rows to visits by their ids; each visit counts where it comes first."""
    known = _ids(sheet, visits)
    codes = _code_column(sheet, visits)
    sheet = with_columns(sheet, *COLUMNS)
    first = [sheet.columns.index(name) for name in COLUMNS]
    used: dict[int, int] = {}
    rows, differences, counts = [], [], Counter[str]()
    for number, row in enumerate(sheet.rows, start=FIRST_ROW):
        cells = list(row)
        visit = known.visit(row)
        if visit is None:
            if any(row):
                differences.append(f"Row {number}: nobody with this id has arrived here.")
        elif visit.pk in used:
            differences.append(f"Row {number}: the same participant as row {used[visit.pk]}.")
        else:
            used[visit.pk] = number
            about = statuses[visit.pk]
            counts[about.status.decision] += 1
            for index, text in zip(first, _cells(about, bonus), strict=True):
                cells[index] = text
            differences += _entered_differently(number, visit, row, codes)
        rows.append(tuple(str(guarded_cell(cell)) for cell in cells))
    differences += [
        f"{each.participant.user.username} is not in the file, but ended here with "
        f"{in_words(each.outcome)}."
        for each in visits
        if each.pk not in used and each.outcome
    ]
    return Reconciled(
        Sheet(sheet.columns, tuple(rows)),
        counts["approve"],
        counts["reject"],
        counts["undecided"],
        tuple(differences),
    )


def status_of(visit: Visit) -> VisitStatus:
    """What became of the work of a visit."""
    current = Submission.objects.filter(task__in=done_in(visit), current=True)
    work = list(current.select_related("task").prefetch_related("decisions").defer("answer"))
    statuses = [
        status_for(
            verdict_of(each), outcome_of(each.task), flags=each.flags, decision=each.decision
        )
        for each in work
    ]
    verdict = verdict_over([verdict_of(each) for each in work])
    return VisitStatus(visit.outcome, verdict, paid_over(statuses))


def verdict_over(verdicts: Sequence[Verdict | None]) -> str:
    """The verdict on several tasks: `counts` where all do, `rejected` where all are.

    It is `undecided` while one of them waits for a manager, and `paid` in between.
    """
    if not verdicts:
        return ""
    if None in verdicts:
        return "undecided"
    kinds = set(verdicts)
    return str(verdicts[0]) if len(kinds) == 1 else "paid"


def paid_over(statuses: Sequence[Status]) -> Status:
    """Whether a visit is paid: it is, if any of its work is, and it waits while any work waits."""
    if not statuses:
        return Status("undecided", NO_WORK)
    by_decision = {each.decision: each for each in reversed(statuses)}
    for decision in ("undecided", "approve", "reject"):
        if decision in by_decision:
            return by_decision[decision]
    raise AssertionError("there is no other decision")


@dataclass(frozen=True, slots=True)
class _Ids:
    """The column that has ids, and whose they are."""

    column: int
    visits: Mapping[str, Visit]

    def visit(self, row: Sequence[str]) -> Visit | None:
        return self.visits.get(row[self.column].strip())


def _ids(sheet: Sheet, visits: Sequence[Visit]) -> _Ids:
    """The column with the most sessions, else the one with the most participants.

    A participant with several visits goes by the latest.
    """
    ordered = sorted(visits, key=lambda each: each.pk)
    for known in (
        {each.session: each for each in ordered},
        {each.participant.pid: each for each in ordered},
    ):
        matches = _matches(sheet, known)
        if matches:
            return _Ids(max(matches, key=lambda index: matches[index]), known)
    raise GistmarkError(
        "No column of the file has ids of participants or sessions that arrived here; its columns "
        f"are {named(sheet.columns)}."
    )


def _matches(sheet: Sheet, known: Iterable[str]) -> Counter[int]:
    """How many cells of each column are among those that are known."""
    return Counter(
        index for row in sheet.rows for index, cell in enumerate(row) if cell.strip() in known
    )


def _code_column(sheet: Sheet, visits: Sequence[Visit]) -> tuple[int, Mapping[str, str]] | None:
    """The column with completion codes, if there is one, and the outcome of each code."""
    if not visits:
        return None
    outcomes = {plain(code): name for name, code in visits[0].recruitment.codes.items()}
    matches = Counter(
        index for row in sheet.rows for index, cell in enumerate(row) if plain(cell) in outcomes
    )
    return (matches.most_common(1)[0][0], outcomes) if matches else None


def _entered_differently(
    number: int, visit: Visit, row: Sequence[str], codes: tuple[int, Mapping[str, str]] | None
) -> list[str]:
    """A sentence where somebody entered another code than the one that their visit ended with."""
    if codes is None or not row[codes[0]].strip():
        return []
    entered = codes[1].get(plain(row[codes[0]]))
    if entered is None:
        return [f"Row {number}: the code that was entered does not belong to this recruitment."]
    if entered == visit.outcome:
        return []
    ended = f"ended with {in_words(visit.outcome)}" if visit.outcome else "has not ended"
    return [f"Row {number}: the code for {in_words(entered)} was entered, but the visit {ended}."]


def _cells(about: VisitStatus, bonus: str) -> tuple[str, ...]:
    status = about.status
    return (
        in_words(about.outcome),
        about.verdict,
        APPROVED if status.decision == "approve" else "",
        harmless(status.reason) if status.decision == "reject" else "",
        bonus if about.earns_bonus else "",
    )


def _checked_bonus(typed: str) -> str:
    """An amount such as 0.50, as it was typed; empty for none."""
    typed = typed.strip()
    if not typed:
        return ""
    try:
        amount = Decimal(typed)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or not 0 < amount <= _LARGEST_BONUS:
        raise UsageError(f"A bonus is an amount such as 0.50, up to {_LARGEST_BONUS:,}.")
    return f"{amount:f}"


def participants_table(material: Material) -> Table:
    """A row for each visit, in order; annotators go by what the rest of the export calls them."""
    visits = Visit.objects.filter(recruitment__campaign=material.campaign)
    rows = [
        (
            material.name(each.participant.user.username),
            each.participant.market,
            each.participant.pid,
            each.recruitment.study or None,
            each.session,
            each.status or None,
            each.outcome or None,
            each.arrived_at.isoformat(timespec="seconds") if each.arrived_at else None,
            each.ended_at.isoformat(timespec="seconds") if each.ended_at else None,
        )
        for each in visits.select_related("participant__user", "recruitment")
    ]
    return Table({name: [row[index] for row in rows] for index, name in enumerate(_EXPORTED)})
