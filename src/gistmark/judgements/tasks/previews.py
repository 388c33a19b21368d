"""Previews: a task as an annotator would get it, from an unfinished draft of a campaign.

A draft may lack what its protocol shows or checks. The task is assembled without that, and what is
left out is named, so that a manager sees the page before everything is ready.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gistmark.corpus.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.answers import read_answer
from gistmark.judgements.checks.attention import check
from gistmark.judgements.checks.base import CheckResult
from gistmark.judgements.fields import ProtocolError
from gistmark.judgements.protocols.own import BLANK
from gistmark.judgements.protocols.protocol import Checks, Protocol, Shown
from gistmark.judgements.protocols.settings import protocol_from, to_mapping
from gistmark.judgements.questions.base import Texts
from gistmark.judgements.tasks.batches import plan_batches
from gistmark.judgements.tasks.items import Item, items_from
from gistmark.judgements.tasks.slots import Slot
from gistmark.judgements.tasks.task import Task, assemble

NOTHING = "There is nothing to judge in the corpus, so there is no task to show."
_PART = re.compile(r"(\w*)(?:\[(\d+)\])?")
"""The setting, and for a block its number, that a fault is about."""
_SHOWN: Mapping[Shown, str] = {
    "heat-map": "highlights for the heat map",
    "reference": "references",
    "title": "titles",
}


@dataclass(frozen=True, slots=True)
class Preview:
    """Task `number` of `count`, under the `protocol` without what is `lacking`."""

    number: int
    count: int
    task: Task
    protocol: Protocol
    lacking: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What was left out, in one sentence; empty where nothing was."""
        if not self.lacking:
            return ""
        *others, last = self.lacking
        what = f"{', '.join(others)} and {last}" if others else last
        return f"The campaign lacks {what}; the task is shown without."


def preview(
    corpus: Corpus,
    protocol: Protocol,
    number: int = 1,
    *,
    seed: int,
    annotator: str,
    without: Collection[str] = (),
) -> Preview:
    """Task `number` of a campaign, counted from 1; its items are those of the batch of that number.

    `without` are documents that no task has.

    >>> from gistmark.corpus import load, sample_folder
    >>> from gistmark.judgements import get_protocol, preview
    >>> seen = preview(load(sample_folder()), get_protocol("fluency"), seed=7, annotator="ann")
    >>> seen.number, seen.count, len(seen.task.entries), seen.lacking
    (1, 15, 8, ())
    """
    shown, lacking = _showable(corpus, protocol)
    items = [each for each in items_from(corpus, shown).items if each.document not in without]
    if not items:
        raise UsageError(NOTHING)
    batches = plan_batches(items, shown, seed=seed)
    if not 1 <= number <= len(batches):
        raise UsageError(f"There are tasks 1 to {len(batches)}, but no task {number}.")
    batch = batches[number - 1]
    members = batch.items
    missing = dict(_missing_checks(corpus, shown, members))
    actions = shown.checks.actions
    kept = {name: action for name, action in actions.items() if name not in missing}
    shown = replace(shown, checks=Checks(**kept))
    task = assemble(
        Slot(f"{number}.1", number, tuple(item.id for item in members), dimension=batch.dimension),
        annotator,
        {item.id: item for item in members},
        shown,
        seed=seed,
        questions=corpus.questions,
        planted=corpus.planted,
        corpus=corpus,
    )
    return Preview(number, len(batches), task, shown, (*lacking, *missing.values()))


def sketch(mapping: dict[str, object]) -> Protocol:
    """The form that a mapping describes, without the blocks and settings that are wrong.

    In this way an unfinished design can be seen. A mapping that is not a form is a `ProtocolError`.
    """
    left = mapping
    while True:
        try:
            return protocol_from(left)
        except ProtocolError as error:
            rest = _without(left, [fault.field for fault in error.faults])
            if left.get("kind") != "form" or rest == left:
                raise
            left = rest


def judge(
    seen: Preview, answer: object, *, texts: Texts | None = None, failures_needed: int = 1
) -> CheckResult:
    """The result of the checks for an answer; an `AnswerError` says all that is wrong with it."""
    read = read_answer(answer, seen.protocol, seen.task, texts=texts)
    return check(seen.protocol, seen.task, read, failures_needed=failures_needed)


def _without(mapping: dict[str, object], fields: Iterable[str]) -> dict[str, object]:
    """A form without these blocks, and with these settings as in the empty form."""
    parts = {match.groups() for match in map(_PART.match, fields) if match is not None}
    numbers = {int(number) for name, number in parts if name == "blocks" and number}
    plain = to_mapping(BLANK)
    wrong = {name: plain[name] for name, _ in parts if name in plain and name != "blocks"}
    rest = {name: value for name, value in (mapping | wrong).items() if name in plain}
    blocks = mapping.get("blocks")
    if isinstance(blocks, list):
        rest["blocks"] = [each for number, each in enumerate(blocks) if number not in numbers]
    return rest


def _showable(corpus: Corpus, protocol: Protocol) -> tuple[Protocol, tuple[str, ...]]:
    """The protocol without the texts beside an item that the corpus has for no item at all.

    A document whose heat map lacks highlights is shown plain.
    """
    if items_from(corpus, protocol).items:
        return protocol, ()
    lacking = [
        part
        for part in _SHOWN
        if part in protocol.shows and not items_from(corpus, protocol.showing((part,))).items
    ]
    shows = tuple(part for part in protocol.shows if part not in lacking)
    if "heat-map" in lacking and "document" not in shows:
        shows = ("document", *shows)
    return protocol.showing(shows), tuple(_SHOWN[part] for part in lacking)


def _missing_checks(
    corpus: Corpus, protocol: Protocol, members: Sequence[Item]
) -> Iterator[tuple[str, str]]:
    """The checks that have nothing to check with, and what they lack."""
    if protocol.plants and not corpus.planted:
        yield "planted", "approved summaries to plant"
    documents = {item.document for item in members}
    if protocol.asks_question and not any(
        question.document in documents and question.about == protocol.question_about
        for question in corpus.questions
    ):
        yield "question", "an approved True/False statement about what the task shows"
