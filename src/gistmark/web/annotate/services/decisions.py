"""A manager's decisions on submitted work, which overrule the checks, one or many at once.

Decisions that are made at once form a group, which can be undone as one: every task goes back to
the decision before, or to what the checks said. What becomes of the slots is decided in
`gistmark.judgements.tasks.slots` both times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.judgements.tasks import slots
from gistmark.judgements.tasks.slots import Balance
from gistmark.judgements.verdicts import Verdict, counts
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Decision, DecisionGroup, Submission, Task
from gistmark.web.annotate.services.adaptive import learn_anew
from gistmark.web.annotate.services.leases import balance_all, chunks
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.members import manages
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.config.storage.transactions import retried

LONGEST_REASON = 2000
NEWER = "The annotator has submitted a newer answer; decide on that one."
_VERBS: Mapping[Verdict, str] = {"counts": "accepted", "paid": "paid", "rejected": "rejected"}
"""What the audit trail calls a decision."""
_NAMED = 100
"""So many slots are named in the audit trail."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, and a sentence about what followed from it."""

    decision: Decision
    sentence: str


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Work that was left as it was, and why."""

    slot: str
    annotator: str
    reason: str

    def __str__(self) -> str:
        return f"Task {self.slot} of {self.annotator}: {self.reason}"


@dataclass(frozen=True, slots=True)
class DecidedMany:
    """What came of deciding on many, or of undoing that.

    `before` counts those that a manager had decided on in the same way before; they keep their
    reason. `left_alone` could not be decided on. The group is None where nothing was.
    """

    group: DecisionGroup | None
    decisions: tuple[Decision, ...]
    before: int
    left_alone: tuple[LeftAlone, ...]
    changes: tuple[Balance, ...]
    sentence: str


def decide(submission: Submission, manager: User, verdict: Verdict, reason: str = "") -> Decided:
    """Give work that was submitted a verdict; a rejection needs a reason.

    Work that does not count opens a slot for somebody else. Work that is accepted after all takes
    that slot back; if somebody has claimed it by then, both count, and the sentence says so.
    """
    reason = _checked(reason, verdict)
    campaign = submission.task.campaign
    many = retried(_decide)(campaign, [submission.pk], manager, verdict, reason, again=True)
    if many.left_alone:
        raise ConflictError(NEWER)
    if not many.decisions:
        last = Decision.objects.filter(submission=submission, undone=False).last()
        assert last is not None, "there was such a decision before"
        return Decided(last, "This decision had been made already.")
    return Decided(many.decisions[0], _sentence(verdict, many.changes[0]))


@retried
def decide_many(
    campaign: Campaign,
    submissions: Collection[int],
    manager: User,
    verdict: Verdict,
    reason: str = "",
) -> DecidedMany:
    """Give the submissions with these numbers one verdict, all of them for one reason."""
    reason = _checked(reason, verdict)
    wanted = sorted(set(submissions))
    if not wanted:
        raise UsageError("Nothing was chosen to decide on.")
    return _decide(campaign, wanted, manager, verdict, reason, again=False)


@retried
def undo(campaign: Campaign, group: int, manager: User) -> DecidedMany:
    """Undo decisions that were made at once; each task is again as it was before them.

    Where somebody has decided again since, or the annotator has submitted a newer answer, that
    holds, and the task is left alone.
    """
    _demand_manager(manager, campaign)
    groups = DecisionGroup.objects.select_for_update(no_key=True, of=("self",))
    made = groups.filter(campaign=campaign, pk=group).first()
    if made is None:
        raise NotFoundError("The campaign has no such decision.")
    if made.undone_at is not None:
        raise ConflictError("This has been undone already.")
    made.undone_at, made.undone_by = timezone.now(), manager
    made.save(update_fields=["undone_at", "undone_by"])
    numbers = made.decisions.values_list("submission", flat=True)
    result = _Outcome()
    for work in _locked(campaign, numbers):
        _undo_locked(work, made, result)
        result.balance(work)
    record(campaign, manager, "undone", count=len(result.decisions), slots=result.slots[:_NAMED])
    learn_anew(campaign)
    return result.finished(made, _undone_sentence(result, made))


def last_group(campaign: Campaign, manager: User) -> DecisionGroup | None:
    """The last decisions of a manager, unless they were undone."""
    groups = DecisionGroup.objects.filter(campaign=campaign, manager=manager, undone_at=None)
    return groups.order_by("pk").last()


class _Outcome:
    """What has been decided so far, batch by batch."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.slots: list[str] = []
        self.left_alone: list[LeftAlone] = []
        self.before = 0
        self.changes: list[Balance] = []

    def leave(self, submission: Submission, reason: str) -> None:
        name = submission.annotator.username
        self.left_alone.append(LeftAlone(submission.task.slot, name, reason))

    def balance(self, work: _LockedWork) -> None:
        self.changes += balance_all(work.batches).values()

    def finished(self, group: DecisionGroup | None, sentence: str) -> DecidedMany:
        return DecidedMany(
            group,
            tuple(self.decisions),
            self.before,
            tuple(self.left_alone),
            tuple(self.changes),
            sentence,
        )


@dataclass(frozen=True, slots=True)
class _LockedWork:
    """Some submissions, and the batches of their tasks, locked until the transaction ends."""

    batches: Sequence[Batch]
    submissions: Sequence[Submission]


def _locked(campaign: Campaign, numbers: Iterable[int]) -> Iterator[_LockedWork]:
    """The submissions with these numbers, some hundred at a time.

    Batches are locked in their order, so that no two managers wait for each other; what is read
    is read after that.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for some in chunks(numbers):
        rows = Submission.objects.filter(pk__in=some, task__campaign=campaign).order_by()
        for pk, batch in rows.values_list("pk", "task__batch"):
            members[batch].append(pk)
    for part in chunks(sorted(members)):
        batches = Batch.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=part)
        locked = batches.order_by("pk").in_bulk()
        inside = [pk for batch in part for pk in members[batch]]
        submissions = [each for few in chunks(inside) for each in _read(few)]
        for each in submissions:
            each.task.batch, each.task.campaign = locked[each.task.batch_id], campaign
        yield _LockedWork(list(locked.values()), submissions)


def _read(numbers: list[int]) -> list[Submission]:
    rows = Submission.objects.filter(pk__in=numbers).select_related("task", "annotator")
    light = rows.defer("answer", "task__content").prefetch_related("decisions")
    return list(light.order_by("task__batch", "task", "pk"))


def _decide(
    campaign: Campaign,
    numbers: Sequence[int],
    manager: User,
    verdict: Verdict,
    reason: str,
    *,
    again: bool,
) -> DecidedMany:
    """Decide on submissions; `again` changes the reason of an earlier decision like this one."""
    _demand_manager(manager, campaign)
    group = DecisionGroup.objects.create(campaign=campaign, manager=manager, verdict=verdict)
    result = _Outcome()
    for work in _locked(campaign, numbers):
        chosen = [
            each for each in work.submissions if _is_open_to(each, group, reason, again, result)
        ]
        states = [slots.decide(each.task.as_slot(), verdict=verdict) for each in chosen]
        result.slots += [slot.id for slot in states]
        for some in chunks(each.task_id for each in chosen):
            tasks = Task.objects.filter(pk__in=some)
            tasks.update(state=states[0].state, flagged=False)
        result.decisions += Decision.objects.bulk_create(
            Decision(group=group, submission=each, manager=manager, verdict=verdict, reason=reason)
            for each in chosen
        )
        result.balance(work)
    if not result.decisions:
        group.delete()
        return result.finished(None, _many_sentence(result, verdict))
    group.count = len(result.decisions)
    group.save(update_fields=["count"])
    _record_decisions(campaign, group, reason, result.slots)
    learn_anew(campaign)
    return result.finished(group, _many_sentence(result, verdict))


def _is_open_to(
    submission: Submission, group: DecisionGroup, reason: str, again: bool, result: _Outcome
) -> bool:
    """Whether a submission can be decided on so, and has not been."""
    if not submission.current:
        result.leave(submission, NEWER)
        return False
    last = submission.decision
    if last is None or last.verdict != group.verdict:
        return True
    if again and last.reason != reason:
        return True
    result.before += 1
    return False


def _undo_locked(work: _LockedWork, group: DecisionGroup, result: _Outcome) -> None:
    """Undo the decisions of a group on some submissions."""
    states: dict[tuple[str, bool], list[int]] = defaultdict(list)
    undone: list[Decision] = []
    for each in work.submissions:
        last = each.decision
        if not each.current:
            result.leave(each, "The annotator has submitted a newer answer since.")
        elif last is None or last.group_id != group.pk:
            result.leave(each, "It has been decided on again since.")
        else:
            last.undone = True
            undone.append(last)
            result.slots.append(each.task.slot)
            states[_before(each)].append(each.task_id)
    for (state, flagged), tasks in states.items():
        for some in chunks(tasks):
            Task.objects.filter(pk__in=some).update(state=state, flagged=flagged)
    for some in chunks(each.pk for each in undone):
        Decision.objects.filter(pk__in=some).update(undone=True)
    result.decisions += undone


def _before(submission: Submission) -> tuple[str, bool]:
    """State and flag that a task has by the decision before, or by what the checks said."""
    decision = submission.decision
    verdict = submission.verdict if decision is None else decision.verdict
    slot = slots.decide(submission.task.as_slot(), verdict=verdict)
    return slot.state, decision is None and bool(submission.flags)


def _demand_manager(manager: User, campaign: Campaign) -> None:
    if not manages(manager, campaign):
        raise NotAllowedError("Only a manager of the campaign decides on its work.")


def _record_decisions(
    campaign: Campaign, group: DecisionGroup, reason: str, decided: list[str]
) -> None:
    verb = _VERBS[group.verdict]
    if len(decided) == 1:
        record(campaign, group.manager, verb, slot=decided[0], reason=reason)
        return
    record(
        campaign,
        group.manager,
        f"{verb}-many",
        count=len(decided),
        slots=decided[:_NAMED],
        reason=reason,
    )


def _checked(reason: str, verdict: Verdict) -> str:
    reason = reason.strip()
    if not reason and verdict == "rejected":
        raise UsageError("A rejection needs a reason.")
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise UsageError(f"A reason is text of at most {LONGEST_REASON} characters.")
    return reason


def _sentence(verdict: Verdict, change: Balance) -> str:
    if not counts(verdict):
        what = "does not count but is paid" if verdict == "paid" else "is rejected"
        return f"The work {what}" + (", and its slot is open again." if change.added else ".")
    if change.removed:
        return "The work is accepted; the slot that was open instead is gone."
    if change.surplus:
        return (
            "The work is accepted; somebody else already has its slot, so these items have "
            f"{change.surplus} more judges than wanted."
        )
    return "The work is accepted."


def _many_sentence(result: _Outcome, verdict: Verdict) -> str:
    verb = "not counted but paid" if verdict == "paid" else _VERBS[verdict]
    parts = [f"{_tasks(len(result.decisions))} {verb}.", *_slot_sentences(result)]
    if result.before:
        parts.append(f"Already {verb} by a manager: {_tasks(result.before)}.")
    if result.left_alone:
        parts.append(f"Not decided on: {_tasks(len(result.left_alone))}.")
    return " ".join(parts)


def _undone_sentence(result: _Outcome, group: DecisionGroup) -> str:
    parts = [f"{group.describe(len(result.decisions))} undone.", *_slot_sentences(result)]
    if result.left_alone:
        parts.append(f"Left as they are: {_tasks(len(result.left_alone))}.")
    return " ".join(parts)


def _slot_sentences(result: _Outcome) -> Iterator[str]:
    added = sum(len(change.added) for change in result.changes)
    removed = sum(len(change.removed) for change in result.changes)
    surplus = sum(change.surplus > 0 for change in result.changes)
    if added:
        yield f"Slots open again: {added}."
    if removed:
        yield f"Open slots no longer needed: {removed}."
    if surplus:
        yield f"Batches with more judges than wanted: {surplus}."


def _tasks(count: int) -> str:
    return f"{count} task{'' if count == 1 else 's'}"
