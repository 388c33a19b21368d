"""Submissions: stored once whatever happens, decided by the checks on the server, and exported.

Work that fails is kept and flagged with the reason, and its slot opens again. Work that comes
after its slot has gone to somebody else is kept too, flagged as late, for the manager to decide.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from gistmark import judgements
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.answers import (
    Answer,
    condition_of,
    records_from,
    with_records,
    without_judgements,
)
from gistmark.judgements.checks import CheckResult, Flag
from gistmark.judgements.checks.attention import check
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks import slots
from gistmark.judgements.tasks.slots import Slot
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.annotate.services.adaptive import learn, sequence_of
from gistmark.web.annotate.services.adjudications import store_delegated
from gistmark.web.annotate.services.claims import demand_running, demand_unknowing
from gistmark.web.annotate.services.drafts import answer_to, demand_changeable, demand_own
from gistmark.web.annotate.services.leases import balance, lock_task, regain
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.markets import failures_needed
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.storage.transactions import retried

LATE = "late"
_LATE_FLAG = {
    "kind": LATE,
    "reason": "It came after the time had run out and the task had gone to somebody else.",
    "severity": "flag",
}
_EARLIER_FLAG = {
    "kind": "rejected_before",
    "reason": "An earlier answer to this task does not count, so a changed answer does not either.",
}
_LATE_REPLY = gettext_noop(
    "Thank you, your work has been received. It came after its time had run out and the task "
    "had gone to somebody else; the manager of the campaign decides whether it counts."
)


def submit(task: Task, user: User, key: UUID, answer: object) -> Submission:
    """Submit a task, or change what was submitted where the protocol allows that.

    The same key again gives the same submission again and stores nothing. The answer must be
    whole: an `AnswerError` says all that is missing or wrong, and nothing is stored then. It is
    read before anything is locked, since that may take a while. Whether the annotator manages the
    campaign by now is looked up when it is stored.

    Consent need not be looked up again: a task that can be submitted was opened, and nobody opens
    one before they have accepted the campaign's terms.
    """
    demand_own(task, user)
    sent_before = _sent_before(task, key)
    if sent_before is not None:
        return sent_before
    content, read = answer_to(task, _demand_open(task), answer)
    return _store(task.pk, user, key, content, read)


@retried
def _store(pk: int, user: User, key: UUID, content: judgements.Task, read: Answer) -> Submission:
    """Store an answer that was read, with what the checks say, and settle its slot."""
    task = lock_task(pk, user)
    demand_own(task, user)
    sent_before = _sent_before(task, key)
    if sent_before is not None:
        return sent_before
    protocol = _demand_open(task)
    demand_unknowing(task.campaign, user)
    seconds = _seconds(task, read)
    checked = check(
        protocol,
        content,
        read,
        elapsed=seconds,
        machine=task.machine,
        failures_needed=1 if task.machine else partial(failures_needed, task.campaign),
    )
    regain(task)
    outcome = slots.submit(task.as_slot(), verdict=checked.verdict, open_slots=task.batch.open)
    earlier = task.submissions.count() if task.submitted else 0
    if earlier:
        task.submissions.filter(current=True).update(current=False)
    submission = Submission.objects.create(
        task=task,
        annotator=user,
        key=key,
        number=earlier + 1,
        answer=read.to_mapping(),
        flags=[*_flags_of(task, late=outcome.late), *map(asdict, checked.flags)],
        verdict=slots.verdict_in(outcome.slot.state),
        seconds=seconds,
    )
    _settle(task, submission, outcome.slot)
    if task.batch.adjudicates_id is not None:
        store_delegated(submission, content)
    if not task.machine:
        learn(task, edited=bool(earlier))
    verb = "edited" if earlier else "submitted"
    record(task.campaign, user, verb, slot=task.slot, verdict=submission.verdict)
    return submission


def _flags_of(task: Task, *, late: bool) -> list[dict[str, str]]:
    """The flags of an answer besides those of the checks."""
    if late:
        return [_LATE_FLAG]
    severity = {Task.State.PAID: "paid", Task.State.REJECTED: "reject"}.get(Task.State(task.state))
    return [] if severity is None else [{**_EARLIER_FLAG, "severity": severity}]


def _sent_before(task: Task, key: UUID) -> Submission | None:
    """The submission with this key, where the task has it."""
    return task.submissions.filter(key=key).first() if task.submitted else None


def _demand_open(task: Task) -> Protocol:
    """Refuse what cannot be submitted now; the protocol is what the answer has to fit."""
    demand_running(task.campaign)
    protocol = protocol_of(task.campaign)
    demand_changeable(task, protocol)
    return protocol


def reply_to(submission: Submission) -> str:
    """What the annotator is told: neither which check failed nor that there are any."""
    if any(flag["kind"] == LATE for flag in submission.flags):
        return gettext(_LATE_REPLY)
    return gettext(CheckResult(tuple(Flag(**flag) for flag in submission.flags)).for_annotator)


def exported_corpus(campaign: Campaign, *, undecided: bool = False) -> Corpus:
    """The corpus of a campaign with what its annotators said; `gistmark study` reads it."""
    results = accepted_results(campaign, undecided=undecided)
    records = records_from(results, protocol_of(campaign), campaign=campaign.label)
    corpus = with_records(corpus_to_export(campaign), records)
    return replace(corpus, sequence=sequence_of(campaign, undecided=undecided))


def corpus_to_export(campaign: Campaign) -> Corpus:
    """What an export has beside the judgements of the campaign: its condition is part of it."""
    protocol = protocol_of(campaign)
    corpus = without_judgements(corpus_of(campaign), protocol)
    return replace(corpus, conditions=(condition_of(protocol, campaign.label),))


def with_highlights_of(corpus: Corpus, campaign: Campaign) -> Corpus:
    """The corpus with the accepted highlights of a campaign on the same documents.

    Highlights are offsets in a text, so only those of documents with the same id and text count.
    """
    if campaign.in_pilot:
        raise UsageError(
            f"The campaign {campaign.name!r} is in its pilot; its highlights can be used once the "
            "pilot has been kept."
        )
    source = exported_corpus(campaign)
    if not source.highlights:
        raise UsageError(f"The campaign {campaign.name!r} has no accepted highlights.")
    texts = {each.id: each.text for each in source.documents}
    same = {each.id for each in corpus.documents if texts.get(each.id) == each.text}
    highlights = tuple(each for each in source.highlights if each.document in same)
    if not highlights:
        raise UsageError(
            f"The highlights of {campaign.name!r} are on other documents: none has the same id "
            "and text in both."
        )
    return replace(corpus, highlights=corpus.highlights + highlights)


def _settle(task: Task, submission: Submission, slot: Slot) -> None:
    """Bring the task, and the slots of its batch, in line with what the checks said."""
    task.state = slot.state
    task.done_at = submission.received_at
    task.flagged = bool(submission.flags)
    task.save(update_fields=["state", "done_at", "flagged"])
    if slot.state != "done":
        balance(task.batch)


def _seconds(task: Task, answer: Answer) -> float:
    """The time that the work took: as the browser counted it, but not more than has passed.

    Where the server's clock was set back meanwhile, only the browser knows.
    """
    assert task.opened_at is not None, "a task that has a content was opened"
    passed = (timezone.now() - task.opened_at).total_seconds()
    if passed < 0:
        return answer.seconds or 0.0
    return passed if answer.seconds is None else min(passed, answer.seconds)
