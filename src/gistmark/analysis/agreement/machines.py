"""Machines beside people: how far they agree with them, and whether one may stand in for a person.

Annotators that are not people (`machines.csv` of a corpus, or named as judges of a study) are taken
out of everything that people say, and compared with it here: by the statistics of each person
against the other people (`agreement.annotators`), on the items that people judged too.

The alternative annotator test is that of Calderon, Reichart and Dror (2025), "The Alternative
Annotator Test for LLM-as-a-Judge". Each annotator is left out in turn. On an item that at least one
other person judged, the judge wins if its value is at least as close to the others' values (by the
root of the mean squared difference) as the left-out annotator's is, and the annotator wins
likewise; both win a draw. If the annotator's share of wins is less than epsilon above the judge's,
by a one-sided t-test, the judge is as good as this annotator: epsilon is what a person costs, 0.2
for experts, 0.15 for skilled people, 0.1 for a crowd. The judge may stand in if that holds for at
least half of the annotators, with Benjamini and Yekutieli's correction at 5 %.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.agreement.annotators import (
    AnnotatorQuality,
    annotator_quality,
    respondent_quality,
)
from gistmark.analysis.findings.words import listed
from gistmark.analysis.human.questions import questions_of
from gistmark.analysis.human.sets import sets_of
from gistmark.analysis.studies.records import Note
from gistmark.corpus.corpus import Corpus
from gistmark.errors import unknown_name
from gistmark.records import Rating

_NO_ITEMS = "people judged none of its items"
_NOT_COMPARED = "only ratings, comparisons, answers and highlights are compared"

Float64 = NDArray[np.float64]

EPSILON = 0.2
LEAST = 30
"""An annotator with fewer items than this is left out."""
LEVEL = 0.05
PASS = 0.5


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

    `judges` are further annotators that are not people. Where the study is `with_machines`, those
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
    """Notes that machines judged too, and whether they count."""
    names = _annotators(machines)
    notes = []
    if names:
        verb = "is a machine" if len(names) == 1 else "are machines"
        text = f"{listed(names)} {verb} and left out of all numbers about people."
        notes.append(Note("machines", text))
    counted = sorted(corpus.machine_names.intersection(_annotators(corpus)))
    if with_machines and counted:
        verb = "is a machine that counts" if len(counted) == 1 else "are machines that count"
        notes.append(Note("machines", f"{listed(counted)} {verb} like people, as requested."))
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
"""What makes two judgements be of the same item."""


@dataclass(frozen=True, slots=True)
class JudgeTest:
    """Whether a judge may stand in for people, in one dimension or (empty) in all together.

    `winning_rate` (omega) is the share of annotators that the judge is as good as, `advantage`
    (rho) the mean share of items on which it is at least as close to the other people as an
    annotator. `annotators` took part, each with at least 30 items; `n` is the number of items.
    """

    judge: str
    dimension: str
    epsilon: float
    winning_rate: float | None
    advantage: float | None
    passed: bool | None
    annotators: int
    n: int
    reason: str | None = None


def judge_tests(
    people: Iterable[Rating], judged: Iterable[Rating], *, epsilon: float = EPSILON
) -> tuple[JudgeTest, ...]:
    """Test each judge in every dimension, and in all together where there are several."""
    ratings, machines = tuple(people), tuple(judged)
    dimensions = list(dict.fromkeys(rating.dimension for rating in machines))
    scopes = dimensions if len(dimensions) < 2 else ["", *dimensions]
    return tuple(
        _tested(judge, scope, ratings, machines, epsilon)
        for judge in dict.fromkeys(rating.annotator for rating in machines)
        for scope in scopes
    )


def _tested(
    judge: str, scope: str, people: Sequence[Rating], machines: Sequence[Rating], epsilon: float
) -> JudgeTest:
    own = {_item(each): each.value for each in machines
           if each.annotator == judge and scope in ("", each.dimension)}  # fmt: skip
    items = {item: number for number, item in enumerate(own)}
    kept = [each for each in people if _item(each) in items]
    names = {name: column for column, name in enumerate({each.annotator: None for each in kept})}
    table = np.full((len(items), len(names)), np.nan)
    for each in kept:
        table[items[_item(each)], names[each.annotator]] = each.value
    return _verdict((judge, scope, epsilon), np.array([*own.values()], dtype=np.float64), table)


def _item(rating: Rating) -> tuple[str, str, str]:
    return rating.document, rating.system, rating.dimension


def _verdict(about: tuple[str, str, float], judge: Float64, table: Float64) -> JudgeTest:
    wins = [each for each in (compared(judge, table, k) for k in range(table.shape[1]))
            if len(each[0]) >= LEAST]  # fmt: skip
    if not wins:
        reason = f"no annotator has {LEAST} items that the judge and another person judged too"
        return JudgeTest(*about, None, None, None, 0, len(judge), reason)
    p = [_p(theirs - own, about[2]) for own, theirs in wins]
    corrected = stats.false_discovery_control(p, method="by")
    rate = float(np.mean(corrected <= LEVEL))
    advantage = float(np.mean([own.mean() for own, _ in wins]))
    return JudgeTest(*about, rate, advantage, rate >= PASS, len(wins), len(judge))


def compared(judge: Float64, table: Float64, column: int) -> tuple[Float64, Float64]:
    """On which items the judge wins, and on which the annotator of this column does."""
    person, others = table[:, column], np.delete(table, column, axis=1)
    there = ~np.isnan(person) & ~np.isnan(others).all(axis=1)
    others = others[there]
    gaps = [
        np.nanmean((values[there][:, None] - others) ** 2, axis=1) for values in (judge, person)
    ]
    return (gaps[0] <= gaps[1]).astype(np.float64), (gaps[1] <= gaps[0]).astype(np.float64)


def _p(differences: Float64, epsilon: float) -> float:
    """Of the t-test that the mean is below epsilon; exact where all differences are equal."""
    if np.ptp(differences) == 0:
        return 0.0 if differences[0] < epsilon else 1.0
    return float(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
