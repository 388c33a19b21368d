"""How far machines agree with people, beside how far people agree with each other.

Annotators that are no people (`machines.csv` of a corpus, or named as judges of a study) are taken
out of everything that people say, and held against it here: by the statistics of each person
against the other people (`agreement.annotators`, `agreement.respondents`), on the items that people
judged too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gistmark.analysis.agreement.annotators.quality import AnnotatorQuality, annotator_quality
from gistmark.analysis.agreement.annotators.respondents import respondent_quality
from gistmark.analysis.findings.words import listed
from gistmark.analysis.human.questions import questions_of
from gistmark.analysis.human.sets import sets_of
from gistmark.analysis.studies.records import Note
from gistmark.corpus.corpus import Corpus
from gistmark.errors import unknown_name

_NO_ITEMS = "people judged none of its items"
_NOT_COMPARED = "only ratings, comparisons, answers and highlights are compared"


@dataclass(frozen=True, slots=True)
class MachineAgreement:
    """How far a machine agrees with people in one dimension or question.

    `agreement` is for ratings the Spearman correlation with the mean of people, for comparisons
    and answers the share that most people share; `people` is the mean of the same statistic of each
    person against the other people. `n` counts the machine's judgements of items that people
    judged too. `model` is which model it is, where the corpus says so.
    """

    machine: str
    model: str | None
    subject: str
    dimension: str
    n: int
    agreement: float | None
    people: float | None
    reason: str | None = None


def without_machines(
    corpus: Corpus, judges: Collection[str], *, with_machines: bool = False
) -> tuple[Corpus, Corpus]:
    """The corpus with what people said alone, and with what machines said alone.

    `judges` are further annotators that are no people. Where the study is `with_machines`, those
    that the corpus calls machines count as people.
    """
    known = {rating.annotator for rating in corpus.ratings}
    for judge in judges:
        if judge not in known:
            raise unknown_name("judge among the annotators of ratings", judge, sorted(known))
    apart = {*judges} if with_machines else {*judges, *corpus.machine_names}
    return corpus.split(apart) if apart else (corpus, Corpus())


def machine_agreement(people: Corpus, machines: Corpus) -> tuple[MachineAgreement, ...]:
    """Each machine against people, in every dimension and question that it judged."""
    own = _qualities(people)
    return tuple(
        record for name in _annotators(machines) for record in _against(name, people, machines, own)
    )


def machine_notes(corpus: Corpus, machines: Corpus, *, with_machines: bool) -> list[Note]:
    """That machines judged too, and whether they count."""
    names = _annotators(machines)
    notes = []
    if names:
        verb = "is a machine" if len(names) == 1 else "are machines"
        text = f"{listed(names)} {verb}, and in none of the numbers about people."
        notes.append(Note("machines", text))
    counted = sorted(corpus.machine_names.intersection(_annotators(corpus)))
    if with_machines and counted:
        verb = "is a machine that counts" if len(counted) == 1 else "are machines that count"
        notes.append(Note("machines", f"{listed(counted)} {verb} as a person here, as asked."))
    return notes


def _against(
    name: str, people: Corpus, machines: Corpus, own: list[AnnotatorQuality]
) -> Iterator[MachineAgreement]:
    model = next((each.model for each in machines.machines if each.annotator == name), None)
    judged = machines.split({name})[1]
    shared = _shared(people, judged)
    rows = [each for each in _qualities(_joined(people, shared)) if each.annotator == name]
    if not rows:
        why = _NO_ITEMS if any(getattr(judged, kind) for kind in _ITEMS) else _NOT_COMPARED
        yield MachineAgreement(name, model, "", "", 0, None, None, why)
    for row in rows:
        alike = [
            each.agreement
            for each in own
            if (each.subject, each.dimension) == (row.subject, row.dimension)
            and each.agreement is not None
        ]
        mean = float(np.mean(alike)) if alike else None
        reason = None if row.agreement is not None else row.reason
        yield MachineAgreement(
            name, model, row.subject, row.dimension, row.n, row.agreement, mean, reason
        )


def _qualities(corpus: Corpus) -> list[AnnotatorQuality]:
    """By dimension and question; highlights have neither."""
    questions = questions_of(corpus.responses)
    every = [*annotator_quality(corpus), *respondent_quality(questions, sets_of(questions))]
    return [each for each in every if each.dimension or each.subject == "highlights"]


def _annotators(corpus: Corpus) -> list[str]:
    """Everybody who judged, in the order of the files."""
    kinds = (*_ITEMS, "presence", "spans")
    return list(dict.fromkeys(each.annotator for kind in kinds for each in getattr(corpus, kind)))


def _shared(people: Corpus, machine: Corpus) -> Corpus:
    """What a machine said about items that people judged too."""
    kept: dict[str, Any] = {}
    for kind, key in _ITEMS.items():
        judged = {key(each) for each in getattr(people, kind)}
        kept[kind] = tuple(each for each in getattr(machine, kind) if key(each) in judged)
    return replace(machine, **kept)


def _joined(people: Corpus, machine: Corpus) -> Corpus:
    both = {kind: getattr(people, kind) + getattr(machine, kind) for kind in _ITEMS}
    return replace(people, **both)


_ITEMS: dict[str, Any] = {
    "ratings": lambda each: (each.document, each.system, each.dimension),
    "comparisons": lambda each: (each.document, *sorted((each.left, each.right)), each.dimension),
    "responses": lambda each: (each.document, each.item, each.question),
    "highlights": lambda each: each.document,
}
"""By what two judgements are of the same item."""
