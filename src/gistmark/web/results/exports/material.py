"""What an export consists of: the corpus with its judgements, and a list of all work.

Annotators go by pseudonyms unless their names are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from gistmark.corpus import Corpus
from gistmark.judgements.answers import (
    Result,
    judgements_from,
    read_answer,
    records_from,
    with_records,
)
from gistmark.judgements.questions.base import Record
from gistmark.judgements.tasks.task import task_from
from gistmark.records import Machine
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.outcomes import (
    UNCOUNTED,
    accepted_results,
    by_machines,
    having,
    ordinary,
    outcome_of,
    verdict_of,
)
from gistmark.web.annotate.services.adaptive import sequence_of
from gistmark.web.annotate.services.comments import comments_of
from gistmark.web.annotate.services.submissions import corpus_to_export
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.corpora import texts_of
from gistmark.web.campaigns.services.machines import machines_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.results.adjudication import adjudicated

CHUNK = 2000
"""So many submissions are in memory at a time."""
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Choices:
    """What an export has beside accepted work under pseudonyms.

    `names` keeps the annotators' names, `rejected` adds the work that does not count, rejected or
    paid or late, as `rejected.jsonl`, and `undecided` counts work that is flagged and that no
    manager has decided on as if it were accepted. `adjudicated` puts the decisions about disputed
    items in place of what their annotators said. `participants` adds who the annotators are on a
    crowd market, as `participants.csv`. `machines` adds the work of machines, in the same files,
    and names these in `machines.csv`.
    """

    names: bool = False
    rejected: bool = False
    undecided: bool = False
    adjudicated: bool = False
    participants: bool = False
    machines: bool = False

    @property
    def adds_files(self) -> bool:
        """Whether there is a file beside what the format itself writes."""
        return self.rejected or self.participants or self.machines


@dataclass(frozen=True)
class Material:
    """A campaign ready for export; `names` turns usernames into what the files say.

    A campaign may have more work than fits into memory, so what annotators said comes record by
    record. `corpus` has all of it at once, for formats that cannot be written otherwise.
    """

    campaign: Campaign
    names: dict[str, str]
    choices: Choices = Choices()
    progress: Progress | None = None

    def name(self, username: str) -> str:
        return self.names.get(username, username)

    @cached_property
    def given(self) -> Corpus:
        """The corpus without this campaign's judgements, but with their order."""
        turns = sequence_of(self.campaign, undecided=self.choices.undecided)
        named = tuple(replace(turn, annotator=self.name(turn.annotator)) for turn in turns)
        corpus = replace(corpus_to_export(self.campaign), sequence=named)
        machines = self._machines() if self.choices.machines else ()
        return replace(corpus, machines=(*corpus.machines, *machines))

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus with all judgements."""
        return with_records(self.given, self.records())

    def records(self) -> Iterator[Record]:
        """What annotators said and what was decided, in the order of the files.

        Machines come last, if they are wanted, so that what people said is the same without them.
        """
        said = self._said(machines=False)
        if self.choices.adjudicated:
            made = adjudicated(self.campaign)
            said = chain(filter(made.keeps, said), made.records())
        by_machines = self._said(machines=True) if self.choices.machines else ()
        return map(self._renamed, chain(said, by_machines))

    def _said(self, *, machines: bool) -> Iterator[Record]:
        results = self._results(machines=machines)
        return records_from(results, protocol_of(self.campaign), campaign=self.campaign.label)

    def _machines(self) -> Iterator[Machine]:
        for each in machines_of(self.campaign):
            name = self.name(each.membership.user.username)
            yield Machine(name, each.model, each.signature or None)

    def _results(self, *, machines: bool) -> Iterator[Result]:
        results = accepted_results(
            self.campaign, undecided=self.choices.undecided, machines=machines
        )
        for number, result in enumerate(results, start=1):
            yield result
            if self.progress is not None and number % CHUNK == 0:
                self.progress(number)

    def _renamed(self, record: Record) -> Record:
        annotator = record.annotator
        if annotator is None or annotator not in self.names:
            return record
        return replace(record, annotator=self.names[annotator])


def material_for(
    campaign: Campaign, choices: Choices, progress: Progress | None = None
) -> Material:
    """Everything that counts; `progress` is told now and then how many submissions are written."""
    names = {} if choices.names else pseudonyms(campaign)
    return Material(campaign, names, choices, progress)


def pseudonyms(campaign: Campaign) -> dict[str, str]:
    """annotator-1, annotator-2, ... in the order of joining, so that later exports agree.

    Machines are machine-1, machine-2, ...
    """
    machines = [each.membership.user.username for each in machines_of(campaign)]
    joined = Membership.objects.filter(campaign=campaign, user__machine=False).order_by("pk")
    members = joined.values_list("user__username", flat=True)
    workers = Task.objects.filter(campaign=campaign, annotator__isnull=False, machine=False)
    workers = workers.order_by("annotator")
    everybody = dict.fromkeys([*members, *workers.values_list("annotator__username", flat=True)])
    people = {name: f"annotator-{number}" for number, name in enumerate(everybody, start=1)}
    return people | {name: f"machine-{number}" for number, name in enumerate(machines, start=1)}


def work_rows(material: Material) -> Iterator[dict[str, object]]:
    """A row for each task that was submitted: who, when, how long, and what became of it.

    The verdict is missing where the work waits for a manager. `kind` is `person` or `machine`.
    """
    work = _submissions(material).defer("answer", "task__content")
    for each in work.iterator(CHUNK):
        yield {
            "slot": each.task.slot,
            "annotator": material.name(each.annotator.username),
            "state": each.task.state,
            "outcome": outcome_of(each.task),
            "verdict": verdict_of(each),
            "received": each.received_at.isoformat(timespec="seconds"),
            "seconds": each.seconds,
            "reasons": " ".join(_reasons(each)) or None,
            "kind": _kind(each),
        }


def comment_rows(material: Material) -> Iterator[dict[str, object]]:
    """A row for each comment, the oldest first; `item` names the document and the systems."""
    comments = comments_of(material.campaign)
    if not material.choices.machines:
        comments = comments.filter(task__machine=False)
    for each in comments.order_by("pk").iterator(CHUNK):
        yield {
            "slot": each.task.slot,
            "annotator": material.name(each.annotator.username),
            "created": each.created_at.isoformat(timespec="seconds"),
            "kind": each.kind,
            "item": each.about or None,
            "reason": each.reason or None,
            "text": each.text or None,
        }


def rejected_rows(material: Material) -> Iterator[dict[str, Any]]:
    """The work that does not count, each with the reasons and the judgements in it."""
    campaign = material.campaign
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    uncounted = _submissions(material).filter(having(*UNCOUNTED, prefix="task__"))
    for each in uncounted.iterator(CHUNK):
        assert each.task.content is not None, "a task that was submitted was opened"
        task = replace(task_from(each.task.content), annotator=each.annotator.username)
        answer = read_answer(each.answer, protocol, task, texts=texts)
        judgements = asdict(
            judgements_from([Result(task, answer)], protocol, campaign=campaign.label)
        )
        for record in (record for records in judgements.values() for record in records):
            record["annotator"] = material.name(record["annotator"])
        yield {
            "slot": each.task.slot,
            "annotator": material.name(each.annotator.username),
            "verdict": verdict_of(each),
            "seconds": each.seconds,
            "reasons": _reasons(each),
            "kind": _kind(each),
            **{kind: records for kind, records in judgements.items() if records},
        }


def _kind(submission: Submission) -> str:
    return "machine" if submission.task.machine else "person"


def _submissions(material: Material) -> Any:
    wanted = ordinary("task__")
    if material.choices.machines:
        wanted |= by_machines("task__")
    current = Submission.objects.filter(wanted, task__campaign=material.campaign, current=True)
    related = current.select_related("task", "annotator").prefetch_related("decisions")
    return related.order_by("task__batch__number", "task_id")


def _reasons(submission: Submission) -> list[str]:
    reasons = [flag["reason"] for flag in submission.flags]
    decisions = (each for each in submission.decisions.all() if not each.undone)
    return reasons + [each.reason for each in decisions if each.reason]
