"""What an export consists of: the corpus with its judgements, and a list of all work.

Annotators go by pseudonyms unless their names are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from gistmark.corpus import Corpus
from gistmark.judgements import Judgements, Result, judgements_from, read_answer, task_from
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.outcomes import having, ordinary, outcome_of
from gistmark.web.annotate.services import comments_of, exported_corpus
from gistmark.web.campaigns.models import Campaign, Highlight, Membership
from gistmark.web.campaigns.services import protocol_of, texts_of
from gistmark.web.results.adjudication import with_adjudications


@dataclass(frozen=True, slots=True)
class Choices:
    """What an export has beside accepted work under pseudonyms.

    `names` keeps the annotators' names, `rejected` adds the work that does not count as
    `rejected.jsonl`, and `undecided` counts work that is flagged and that no manager has decided
    on as if it were accepted. `adjudicated` puts the decisions about disputed items in place of
    what their annotators said.
    """

    names: bool = False
    rejected: bool = False
    undecided: bool = False
    adjudicated: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """A campaign ready for export; `names` turns usernames into what the files say."""

    campaign: Campaign
    corpus: Corpus
    names: dict[str, str]

    def name(self, username: str) -> str:
        return self.names.get(username, username)


def material_for(campaign: Campaign, choices: Choices) -> Material:
    """Everything that counts."""
    corpus = exported_corpus(campaign, undecided=choices.undecided)
    if choices.adjudicated:
        corpus = with_adjudications(corpus, campaign)
    if choices.names:
        return Material(campaign, corpus, {})
    known = pseudonyms(campaign)
    given = (
        Highlight.objects.filter(document__campaign=campaign).count()
        if _shows_highlights(campaign)
        else 0
    )
    renamed = {
        field.name: tuple(_renamed(each, known) for each in getattr(corpus, field.name))
        for field in fields(Judgements)
    }
    renamed["highlights"] = corpus.highlights[:given] + renamed["highlights"][given:]
    if campaign.protocol["kind"] != "units":
        renamed["units"] = corpus.units  # as the corpus brought them along
    return Material(campaign, replace(corpus, **renamed), known)


def pseudonyms(campaign: Campaign) -> dict[str, str]:
    """annotator-1, annotator-2, ... in the order of joining, so that later exports agree."""
    joined = Membership.objects.filter(campaign=campaign).order_by("pk")
    members = joined.values_list("user__username", flat=True)
    workers = Task.objects.filter(campaign=campaign, annotator__isnull=False).order_by("annotator")
    everybody = dict.fromkeys([*members, *workers.values_list("annotator__username", flat=True)])
    return {name: f"annotator-{number}" for number, name in enumerate(everybody, start=1)}


def work_rows(material: Material) -> list[dict[str, object]]:
    """A row for each task that was submitted: who, when, how long, and what became of it."""
    return [
        {
            "slot": each.task.slot,
            "annotator": material.name(each.annotator.username),
            "state": each.task.state,
            "outcome": outcome_of(each.task),
            "received": each.received_at.isoformat(timespec="seconds"),
            "seconds": each.seconds,
            "reasons": " ".join(_reasons(each)) or None,
        }
        for each in _submissions(material.campaign)
    ]


def comment_rows(material: Material) -> list[dict[str, object]]:
    """A row for each comment, the oldest first; `item` names the document and the systems."""
    return [
        {
            "slot": each.task.slot,
            "annotator": material.name(each.annotator.username),
            "created": each.created_at.isoformat(timespec="seconds"),
            "kind": each.kind,
            "item": each.about or None,
            "reason": each.reason or None,
            "text": each.text or None,
        }
        for each in comments_of(material.campaign).order_by("pk")
    ]


def rejected_rows(material: Material) -> Iterator[dict[str, Any]]:
    """The work that does not count, each with the reasons and the judgements in it."""
    campaign = material.campaign
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol)
    rejected = _submissions(campaign).filter(having("rejected", prefix="task__"))
    for each in rejected:
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
            "seconds": each.seconds,
            "reasons": _reasons(each),
            **{kind: records for kind, records in judgements.items() if records},
        }


def _submissions(campaign: Campaign) -> Any:
    current = Submission.objects.filter(ordinary("task__"), task__campaign=campaign, current=True)
    related = current.select_related("task", "annotator").prefetch_related("decisions")
    return related.order_by("task__batch__number", "task_id")


def _reasons(submission: Submission) -> list[str]:
    reasons = [flag["reason"] for flag in submission.flags]
    decisions = (each for each in submission.decisions.all() if not each.undone)
    return reasons + [each.reason for each in decisions if each.reason]


def _shows_highlights(campaign: Campaign) -> bool:
    return "heat-map" in campaign.protocol["shows"]


def _renamed(record: Any, known: dict[str, str]) -> Any:
    return replace(record, annotator=known.get(record.annotator, record.annotator))
