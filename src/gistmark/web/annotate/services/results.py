"""What counts: the current answers of all tasks that are done, and the corpus they make."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gistmark.corpus import Corpus
from gistmark.judgements import Result, export_corpus, read_answer, task_from
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import corpus_of, protocol_of, texts_of


def accepted_results(
    campaign: Campaign, batches: Collection[int] | None = None
) -> Iterator[Result]:
    """The results that count, batch by batch.

    `batches` are the primary keys of those that are wanted; by default it is all of them.
    """
    protocol = protocol_of(campaign)
    texts = texts_of(campaign) if protocol.kind == "highlight" else None
    current = Submission.objects.filter(
        task__campaign=campaign, task__state=Task.State.DONE, current=True
    )
    if batches is not None:
        current = current.filter(task__batch__in=batches)
    rows = current.order_by("task__batch__number", "task_id").values_list("answer", "task__content")
    for answer, content in rows.iterator():
        assert content is not None, "a task that was handed in was opened"
        task = task_from(content)
        yield Result(task, read_answer(answer, protocol, task, texts=texts))


def exported_corpus(campaign: Campaign) -> Corpus:
    """The corpus of a campaign with what its annotators said; `gistmark study` reads it."""
    results = accepted_results(campaign)
    return export_corpus(
        corpus_of(campaign), results, protocol_of(campaign), campaign=campaign.name
    )
