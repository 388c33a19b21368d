"""Whether a machine's highlights will do for people's: the same words, and the same ranking.

Of the documents that both a machine and people highlighted, each statistic of the machine against
people stands beside that of a person against the other people, so that it has something to be
measured by. HROUGE (Hardy, Narayan and Vlachos, "HighRES", 2019) ranks the systems once by people's
highlights and once by the machine's. How many pairs of systems come out in the same order says how
it went with these systems; there is no test, since pairs of a few systems depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from gistmark.analysis.agreement.highlights import Marks, f1_table, marked_words
from gistmark.analysis.data.columns import Float64
from gistmark.corpus.corpus import Corpus
from gistmark.records import Highlight
from gistmark.scoring.run import score

METRICS = ("hrouge1", "hrouge2")
_RISE = 1e-9
_NOTHING_SHARED = "it highlighted no document that people highlighted too"
_ONE_SYSTEM = "there are fewer than two systems with HROUGE by both"
_ONE_PERSON = "no document was highlighted by two people"


@dataclass(frozen=True, slots=True)
class HighlightMatch:
    """How far a machine highlights what people do, as means over the n documents of both.

    `words` is how many words it highlights, `coverage` their share of the document, `shared` the
    share of them that at least one person highlighted, each person left out in turn. `f1` is
    2 |A and B| / (|A| + |B|) and `kappa` Cohen's, of the machine with each person. Those that begin
    with `people` are the same of each person, with each other person where it takes two.
    """

    machine: str
    model: str | None
    n: int
    words: float | None = None
    coverage: float | None = None
    shared: float | None = None
    f1: float | None = None
    kappa: float | None = None
    people_words: float | None = None
    people_coverage: float | None = None
    people_shared: float | None = None
    people_f1: float | None = None
    people_kappa: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HighlightRanking:
    """The systems as HROUGE orders them by a machine's highlights, and by people's.

    `n` documents, of which both highlighted some words. `same` of the `pairs` of systems stand in
    the same order. `people_same` is how many do by one person's highlights against the others', a
    mean over people; the orders are from the best system down.
    """

    machine: str
    metric: str
    part: str
    n: int
    systems: int
    by_people: tuple[str, ...]
    by_machine: tuple[str, ...]
    pairs: int
    same: int | None
    people_same: float | None
    reason: str | None = None


def highlight_matches(people: Corpus, machines: Corpus) -> tuple[HighlightMatch, ...]:
    """A record for each machine that highlighted anything, in the order of the files."""
    by_people = marked_words(people)
    models = {machine.annotator: machine.model for machine in machines.machines}
    return tuple(
        _match(name, models.get(name), by_people, marked_words(highlights))
        for name, highlights in _by_machine(machines)
    )


def highlight_rankings(people: Corpus, machines: Corpus) -> tuple[HighlightRanking, ...]:
    """A record for each machine, HROUGE and part of it, where people highlighted too."""
    if not people.highlights:
        return ()
    return tuple(
        record
        for name, corpus in _by_machine(machines)
        for record in _rankings(name, people, corpus.highlights)
    )


def _by_machine(machines: Corpus) -> Iterator[tuple[str, Corpus]]:
    for name in dict.fromkeys(mark.annotator for mark in machines.highlights):
        yield name, machines.split({name})[1]


def _match(
    name: str, model: str | None, people: Mapping[str, Marks], machine: Mapping[str, Marks]
) -> HighlightMatch:
    shared = [document for document in machine if document in people and len(people[document])]
    if not shared:
        return HighlightMatch(name, model, 0, reason=_NOTHING_SHARED)
    rows = [_of_document(machine[document], people[document]) for document in shared]
    means: dict[str, Any] = {}
    for field in rows[0]:
        mean = _nanmean(np.array([row[field] for row in rows]))
        means[field] = None if np.isnan(mean) else mean
    return HighlightMatch(name, model, len(shared), **means)


def _of_document(machine: Marks, people: Marks) -> dict[str, float]:
    """The numbers of a record for one document; NaN is not defined."""
    marks = np.column_stack([machine, people])
    f1, kappa = f1_table(marks), kappa_table(marks)
    others = np.triu_indices(people.shape[1], 1)
    number = people.sum(axis=1)
    # As a person is not among the others, each is left out in turn, unless there is but one.
    others_too = ((number[:, None] - people if people.shape[1] > 1 else people) > 0).mean(axis=1)
    sizes = people.sum(axis=0)
    with_others = ((people & (number > 1)[:, None]).sum(axis=0) / np.maximum(sizes, 1)).mean()
    return {
        "words": float(machine.sum()),
        "coverage": float(machine.mean()),
        "shared": float(others_too[machine[:, 0]].mean()) if machine.any() else np.nan,
        "f1": _nanmean(f1[0, 1:]),
        "kappa": _nanmean(kappa[0, 1:]),
        "people_words": float(sizes.mean()),
        "people_coverage": float(people.mean()),
        "people_shared": float(with_others) if people.shape[1] > 1 else np.nan,
        "people_f1": _nanmean(f1[1:, 1:][others]),
        "people_kappa": _nanmean(kappa[1:, 1:][others]),
    }


def kappa_table(marks: Marks) -> Float64:
    """Cohen's kappa of every two annotators on words; NaN where both marked all or nothing.

    kappa = (P - Pe) / (1 - Pe), P being the share of words on which both say the same, and
    Pe = p q + (1 - p) (1 - q) for the shares p and q of words that they marked.
    """
    counts = marks.astype(np.float64)
    words, sizes = len(counts), counts.sum(axis=0)
    same = (words - sizes[:, None] - sizes + 2 * counts.T @ counts) / words
    shares = sizes / words
    chance = np.outer(shares, shares) + np.outer(1 - shares, 1 - shares)
    with np.errstate(invalid="ignore", divide="ignore"):
        table: Float64 = np.where(chance < 1, (same - chance) / (1 - chance), np.nan)
    return table


def _rankings(
    name: str, people: Corpus, highlights: Sequence[Highlight]
) -> Iterator[HighlightRanking]:
    both = {mark.document for mark in highlights} & {mark.document for mark in people.highlights}
    everybody = [mark for mark in people.highlights if mark.document in both]
    by_machine = [mark for mark in highlights if mark.document in both]
    first, second = _hrouge(people, everybody), _hrouge(people, by_machine)
    alone = [
        (_hrouge(people, one), _hrouge(people, others)) for one, others in _one_and_rest(everybody)
    ]
    for metric, part in first:
        systems, means, machine_means = _means(first[metric, part], second[metric, part])
        pairs = len(systems) * (len(systems) - 1) // 2
        record = HighlightRanking(
            name, metric, part, len(both), len(systems), _order(systems, means),
            _order(systems, machine_means), pairs, None, None,
        )  # fmt: skip
        if not pairs:
            yield replace(record, reason=_NOTHING_SHARED if not both else _ONE_SYSTEM)
            continue
        of_people = [
            _same(*_means(one[metric, part], others[metric, part])[1:]) for one, others in alone
        ]
        yield replace(
            record,
            same=_same(means, machine_means),
            people_same=float(np.mean(of_people)) if of_people else None,
            reason=None if of_people else _ONE_PERSON,
        )


_Values = dict[tuple[str, str], dict[tuple[str, str], float]]
"""HROUGE of each summary, by document and system, for each metric and part."""


def _hrouge(corpus: Corpus, highlights: Sequence[Highlight]) -> _Values:
    """HROUGE by these highlights alone; systems without a name of their own do not count."""
    named = [s for s in corpus.summaries if not s.reference and not s.anonymous]
    ids = {mark.document for mark in highlights}
    documents = tuple(document for document in corpus.documents if document.id in ids)
    summaries = tuple(summary for summary in named if summary.document in ids)
    marked = Corpus(documents, summaries, highlights=tuple(highlights))
    parts = ("precision", "recall", "f")
    values: _Values = {(metric, part): {} for metric in METRICS for part in parts}
    if summaries:
        for row in score(marked, list(METRICS), cache=False):
            if row.value is not None:
                values[row.metric, row.part][row.document, row.system] = row.value
    return values


def _one_and_rest(
    highlights: Sequence[Highlight],
) -> Iterator[tuple[list[Highlight], list[Highlight]]]:
    """One person's highlights of each document, and everybody else's: the first, the second, ...

    A machine highlights every document, and people often only a few: so the k-th person of each
    document stand together for one. Documents that one person alone highlighted are left out.
    """
    people: dict[str, dict[str, list[Highlight]]] = {}
    for mark in highlights:
        people.setdefault(mark.document, {}).setdefault(mark.annotator, []).append(mark)
    several = [list(marks.values()) for marks in people.values() if len(marks) > 1]
    for k in range(min(map(len, several), default=0)):
        one = [mark for persons in several for mark in persons[k]]
        others = [
            mark
            for persons in several
            for marks in persons[:k] + persons[k + 1 :]
            for mark in marks
        ]
        yield one, others


def _means(
    first: Mapping[tuple[str, str], float], second: Mapping[tuple[str, str], float]
) -> tuple[list[str], Float64, Float64]:
    """Each system's means over the summaries that have both values."""
    both = [key for key in first if key in second]
    systems = list(dict.fromkeys(system for _, system in both))
    means = [
        np.array([
            np.mean([values[key] for key in both if key[1] == system]) for system in systems
        ])
        for values in (first, second)
    ]  # fmt: skip
    return systems, means[0], means[1]


def _order(systems: Sequence[str], means: Float64) -> tuple[str, ...]:
    return tuple(systems[index] for index in np.argsort(-np.round(means, 9), kind="stable"))


def _same(first: Float64, second: Float64) -> int:
    """How many pairs of systems differ in the same direction, or are equal, in both."""
    return sum(
        _sign(first[i] - first[j]) == _sign(second[i] - second[j])
        for i, j in combinations(range(len(first)), 2)
    )


def _sign(difference: float) -> int:
    return 0 if abs(difference) < _RISE else 1 if difference > 0 else -1


def _nanmean(values: Float64) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan
