"""The work that counts: the current answers to accepted tasks, as results."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from gistmark.judgements import Result, read_answer, task_from
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.outcomes import Outcome, by_machines, having, ordinary
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import protocol_of, texts_of


def counting(
    campaign: Campaign, *, undecided: bool = False, machines: bool = False
) -> QuerySet[Submission]:
    """The submissions that count: accepted ones, and on demand those that are undecided.

    They are those of people, unless those of `machines` are wanted instead.
    """
    outcomes: tuple[Outcome, ...] = ("accepted", "undecided") if undecided else ("accepted",)
    return Submission.objects.filter(
        having(*outcomes, prefix="task__"),
        by_machines("task__") if machines else ordinary("task__"),
        task__campaign=campaign,
        current=True,
    )


def accepted_results(
    campaign: Campaign,
    batches: Collection[int] | None = None,
    *,
    undecided: bool = False,
    machines: bool = False,
) -> Iterator[Result]:
    """The results that count, the current answers of all accepted tasks, batch by batch.

    They are those of people, unless those of `machines` are wanted instead.

    Annotators go by the name that they have now.

    `batches` are the primary keys of those that are wanted; by default it is all of them.
    `undecided` adds work that a check flagged and no manager has decided on.
    """
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    current = counting(campaign, undecided=undecided, machines=machines)
    if batches is not None:
        current = current.filter(task__batch__in=batches)
    columns = ("answer", "task__content", "annotator__username")
    rows = current.order_by("task__batch__number", "task_id").values_list(*columns)
    for answer, content, name in rows.iterator():
        assert content is not None, "a task that was submitted was opened"
        task = replace(task_from(content), annotator=name)
        yield Result(task, read_answer(answer, protocol, task, texts=texts))


@dataclass(frozen=True, slots=True)
class Arrived:
    """A result that counts, with the batch that it is of."""

    batch: int
    probability: float | None
    among: int | None
    result: Result


def results_as_they_came(campaign: Campaign, *, undecided: bool = False) -> Iterator[Arrived]:
    """The results that count, in the order in which they came in."""
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    columns = (
        "answer", "task__content", "annotator__username",
        "task__batch", "task__batch__probability", "task__batch__among",
    )  # fmt: skip
    current = counting(campaign, undecided=undecided).order_by("received_at", "pk")
    for answer, content, name, batch, probability, among in current.values_list(*columns):
        assert content is not None, "a task that was submitted was opened"
        task = replace(task_from(content), annotator=name)
        result = Result(task, read_answer(answer, protocol, task, texts=texts))
        yield Arrived(batch, probability, among, result)
