"""Machines beside people: how far they agree with them, and whether one may stand in for a person.

Annotators that are not people (`machines.csv` of a corpus, or named as judges of a study) are taken
out of everything that people say, and compared with it here: by the statistics of each person
against the other people (`agreement.annotators`), on the items that people judged too. A mean or a
majority of fewer people is harder to agree with, so the machine takes the place of each person in
turn.

The alternative annotator test is that of Calderon, Reichart and Dror (2025), "The Alternative
Annotator Test for LLM-as-a-Judge". Each annotator is left out in turn. On an item that at least one
other person judged, the judge wins if its value is at least as close to the others' values (by the
root of the mean squared difference) as the left-out annotator's is, and the annotator wins
likewise; both win a draw. If the annotator's share of wins is less than epsilon above the judge's,
by a one-sided t-test, the judge is as good as this annotator: epsilon is what a person costs, 0.2
for experts, 0.15 for skilled people, 0.1 for a crowd. The authors let the judge stand in if that
holds for at least half of the annotators, with Benjamini and Yekutieli's correction at 5 %.

Where people agree little, or nearly always give the middle of the scale, a judge that always gives
one value holds that too. So three tests on the same items come on top, each one-sided at 5 % and
over documents, since the items of one document are alike. The judge's value must be closer to
people's values (by the same distance) more often than it is further away

- than the best constant: of all values that people or the judge gave, the one that, given to every
  item of a dimension, wins most often against annotators;
- than its own values in random order: at each item, the mean over all its values of the dimension;

and its values must correlate with the means of people (Spearman, dimension by dimension). A judge
that fails one of them has no verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.agreement.annotators import (
    AnnotatorQuality,
    annotator_quality,
    respondent_quality,
)
from gistmark.analysis.agreement.coefficients.splits import annotators_against_rest
from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.agreement.habits import majority_shares, names_of
from gistmark.analysis.agreement.options import SUBJECT, majority_answers, option_columns
from gistmark.analysis.data.arithmetic import average_ranks
from gistmark.analysis.data.columns import columns_by_dimension, votes_by_dimension
from gistmark.analysis.findings.words import listed, show_number, show_p
from gistmark.analysis.human.questions import OPTION_TYPES, questions_of
from gistmark.analysis.human.sets import sets_of
from gistmark.analysis.studies.records import Note
from gistmark.corpus.corpus import Corpus
from gistmark.errors import unknown_name
from gistmark.records import Rating

_NO_ITEMS = "people judged none of its items"
_NOT_COMPARED = "only ratings, comparisons, answers and highlights are compared"

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

EPSILON = 0.2
LEAST = 30
"""An annotator with fewer items than this is left out."""
LEVEL = 0.05
PASS = 0.5

MOST_VALUES = 100
"""Of a scale with more values, this many quantiles are tried as constants."""

_ROUNDING = 1e-9
_DECIMALS = 10


@dataclass(frozen=True, slots=True)
class MachineAgreement:
    """How far a machine agrees with people in one dimension or question.

    `agreement` is for ratings the Spearman correlation with the mean of people, for comparisons
    and answers the share that most people share: the mean over people of what it is where the
    machine takes the place of one of them. `people` is the mean of what it is for those persons
    themselves, on the same items. Where one person judged an item, `agreement` is with that person.
    `n` counts the machine's judgements of items that people judged too. `model` is which model it
    is, where the corpus says so.
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
    raters = {rating.annotator for rating in corpus.ratings}
    for judge in judges:
        if judge not in raters:
            raise unknown_name("judge among the annotators of ratings", judge, sorted(raters))
    machines = {*judges} if with_machines else {*judges, *corpus.machine_names}
    return corpus.split(machines) if machines else (corpus, Corpus())


def machine_agreement(people: Corpus, machines: Corpus) -> tuple[MachineAgreement, ...]:
    """Each machine against people, in every dimension and question that it judged."""
    persons = _qualities(people)
    return tuple(
        record
        for name in _annotators(machines)
        for record in _against(name, people, machines, persons)
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
    name: str, people: Corpus, machines: Corpus, persons: list[AnnotatorQuality]
) -> Iterator[MachineAgreement]:
    model = next((m.model for m in machines.machines if m.annotator == name), None)
    judged = machines.split({name})[1]
    shared = _shared(people, judged)
    both = {kind: getattr(people, kind) + getattr(shared, kind) for kind in _ITEMS}
    rows = [row for row in _qualities(replace(people, **both)) if row.annotator == name]
    if not rows:
        why = _NO_ITEMS if any(getattr(judged, kind) for kind in _ITEMS) else _NOT_COMPARED
        yield MachineAgreement(name, model, "", "", 0, None, None, why)
    instead = dict(_instead_of_people(people, shared))
    for row in rows:
        values = [
            quality.agreement
            for quality in persons
            if (quality.subject, quality.dimension) == (row.subject, row.dimension)
            and quality.agreement is not None
        ]
        mean = float(np.mean(values)) if values else None
        machine, person = instead.get((row.subject, row.dimension), (row.agreement, mean))
        reason = None if machine is not None else row.reason
        yield MachineAgreement(
            name, model, row.subject, row.dimension, row.n, machine, person, reason
        )


def _instead_of_people(
    people: Corpus, machine: Corpus
) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """The machine's and people's agreement with all but one person, by subject and dimension."""
    rated = columns_by_dimension((*people.ratings, *machine.ratings))
    raters = {name for r in machine.ratings for name in names_of(r.annotator, r.campaign)}
    for dimension, columns in rated.items():
        values = np.full(len(columns.unit_names), np.nan)
        mine = _among(columns.raters, columns.rater_names, raters)
        values[columns.units[mine]] = columns.values[mine]
        ratings = columns.take(~mine & ~np.isnan(values[columns.units]))
        sides = [
            [split.correlation for split in annotators_against_rest(ratings, stand_in=stand_in)]
            for stand_in in (values, None)
        ]
        yield from _paired("ratings", dimension, sides)
    compared_pairs = votes_by_dimension((*people.comparisons, *machine.comparisons))
    for dimension, choices in compared_pairs.items():
        values = np.full(len(choices.pair_documents), np.nan)
        mine = _among(choices.annotators, choices.annotator_names, _annotators(machine))
        values[choices.pairs[mine]] = choices.values[mine]
        votes = choices.take(~mine & ~np.isnan(values[choices.pairs]))
        sides = [majority_shares(votes, stand_in) for stand_in in (values, None)]
        yield from _paired("comparisons", dimension, sides)
    for question in questions_of((*people.responses, *machine.responses)):
        if question.type in OPTION_TYPES:
            options = option_columns(question)
            codes = np.full(len(options.groups), -1)
            mine = _among(options.annotators, options.annotator_names, _annotators(machine))
            codes[options.units[mine]] = options.codes[mine]
            answers = options.take(~mine & (codes[options.units] >= 0))
            sides = [majority_answers(answers, stand_in) for stand_in in (codes, None)]
            yield from _paired(SUBJECT, question.name, sides)


def _among(numbers: Int64, names: Sequence[str], wanted: Collection[str]) -> Bool:
    """Which numbers are those of wanted names."""
    return np.array([name in wanted for name in names], dtype=np.bool_)[numbers]


def _paired(
    subject: str, dimension: str, sides: Sequence[Iterable[Statistic]]
) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """The machine's mean and people's, over the people for whom both are defined."""
    pairs = [
        (one.value, other.value)
        for one, other in zip(*sides, strict=True)
        if one.value is not None and other.value is not None
    ]
    if pairs:
        first, second = np.mean(pairs, axis=0).tolist()
        yield (subject, dimension), (first, second)


def _qualities(corpus: Corpus) -> list[AnnotatorQuality]:
    """By dimension and question; highlights have neither."""
    questions = questions_of(corpus.responses)
    records = [*annotator_quality(corpus), *respondent_quality(questions, sets_of(questions))]
    return [record for record in records if record.dimension or record.subject == "highlights"]


def _annotators(corpus: Corpus) -> list[str]:
    """Everybody who judged, in the order of the files."""
    kinds = (*_ITEMS, "presence", "spans")
    return list(dict.fromkeys(item.annotator for kind in kinds for item in getattr(corpus, kind)))


def _shared(people: Corpus, machine: Corpus) -> Corpus:
    """What a machine said about items that people judged too."""
    kept: dict[str, Any] = {}
    for kind, key in _ITEMS.items():
        judged = set(map(key, getattr(people, kind)))
        kept[kind] = tuple(item for item in getattr(machine, kind) if key(item) in judged)
    return replace(machine, **kept)


_ITEMS: dict[str, Any] = {
    "ratings": lambda rating: (rating.document, rating.system, rating.dimension),
    "comparisons": lambda pair: (pair.document, *sorted((pair.left, pair.right)), pair.dimension),
    "responses": lambda answer: (answer.document, answer.item, answer.question),
    "highlights": lambda highlight: highlight.document,
}
"""What makes two judgements be of the same item."""


@dataclass(frozen=True, slots=True)
class JudgeTest:
    """Whether a judge may stand in for people, in one dimension or (empty) in all together.

    `winning_rate` (omega) is the share of annotators that the judge is as good as, `advantage`
    (rho) the mean share of items on which it is at least as close to the other people as an
    annotator. `annotators` took part, each with at least 30 items; `n` is the number of items.
    `passed` is None where nothing can be said, for the `reason`.

    `constant` is the advantage of the best constant, `shuffled` that of the judge's own values in
    random order; `p_constant` and `p_shuffled` test that the judge is closer to people than these.
    `correlation` is with the mean of people and `p` tests that it is above 0. All tests are over
    `documents` documents.
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
    constant: float | None = None
    p_constant: float | None = None
    shuffled: float | None = None
    p_shuffled: float | None = None
    correlation: float | None = None
    p: float | None = None
    documents: int = 0


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
    item_of = _ITEMS["ratings"]
    judged = {item_of(rating): rating.value for rating in machines
              if rating.annotator == judge and scope in ("", rating.dimension)}  # fmt: skip
    items = {item: number for number, item in enumerate(judged)}
    kept = [rating for rating in people if item_of(rating) in items]
    names = {name: column for column, name in enumerate(dict.fromkeys(r.annotator for r in kept))}
    table = np.full((len(items), len(names)), np.nan)
    for rating in kept:
        table[items[item_of(rating)], names[rating.annotator]] = rating.value
    values = np.array([*judged.values()], dtype=np.float64)
    columns = [np.unique([item[k] for item in judged], return_inverse=True)[1] for k in (0, 2)]
    return _verdict(JudgeTest(judge, scope, epsilon, None, None, None, 0, len(judged)),
                    _Judged(values, table, *(column.ravel() for column in columns)))  # fmt: skip


@dataclass(frozen=True)
class _Judged:
    """A judge's values of items, people's (items × annotators), and each item's numbers.

    Items that two people judged are what the tests are about.
    """

    judge: Float64
    table: Float64
    documents: Int64
    dimensions: Int64

    @cached_property
    def shared(self) -> Bool:
        """The items that two people judged."""
        result: Bool = (~np.isnan(self.table)).sum(axis=1) > 1
        return result

    def clustered(self, parts: Float64) -> float | None:
        """One-sided p of the t-test over documents that the sum of the items' parts is above 0."""
        _, numbers = np.unique(self.documents[self.shared], return_inverse=True)
        sums = np.bincount(numbers.ravel(), weights=parts[self.shared]).astype(np.float64)
        return _p(-sums, 0.0) if len(sums) > 1 else None


def _verdict(test: JudgeTest, items: _Judged) -> JudgeTest:
    wins = {}
    for column in range(items.table.shape[1]):
        result = compared(items.judge, items.table, column)
        if len(result[0]) >= LEAST:
            wins[column] = result
    if not wins:
        reason = f"no annotator has {LEAST} items that the judge and another person judged too"
        return replace(test, reason=reason)
    p = [_p(person - judge, test.epsilon) for judge, person in wins.values()]
    rate = float(np.mean(stats.false_discovery_control(p, method="by") <= LEVEL))
    advantage = float(np.mean([judge.mean() for judge, _ in wins.values()]))
    (constant, beyond_constant), (shuffled, beyond_shuffled) = (
        _baseline(items, list(wins), shuffled) for shuffled in (False, True)
    )
    correlation, parts = _correlation(items)
    test = replace(
        test,
        winning_rate=rate,
        advantage=advantage,
        annotators=len(wins),
        constant=constant,
        p_constant=items.clustered(beyond_constant),
        shuffled=shuffled,
        p_shuffled=items.clustered(beyond_shuffled),
        correlation=correlation,
        p=None if correlation is None else items.clustered(parts),
        documents=len(np.unique(items.documents[items.shared])),
    )
    if rate < PASS:
        reason = f"it is as good as {round(rate * len(wins))} of {len(wins)} annotators"
        return replace(test, passed=False, reason=reason)
    doubt = _doubt(test)
    return replace(test, passed=None if doubt else True, reason=doubt)


def _doubt(test: JudgeTest) -> str | None:
    """Why a judge that wins often enough may not stand in, if there is a reason."""
    if test.documents < 2:
        return "one document cannot tell it from a judge that knows nothing"
    doubts = [
        f"it cannot be shown to be closer to people than {who} (ρ {show_number(test.advantage)} "
        f"against {show_number(value)}, p {show_p(p)})"
        for who, value, p in (
            ("one value for everything", test.constant, test.p_constant),
            ("its own values in random order", test.shuffled, test.p_shuffled),
        )
        if p is None or p >= LEVEL
    ]
    if test.correlation is None:
        doubts.append("it does not go with people: one of the two gave the same value throughout")
    elif test.p is None or test.p >= LEVEL:
        value = f"Spearman {show_number(test.correlation)}, p {show_p(test.p)}"
        doubts.append(f"it cannot be shown to go with people ({value})")
    return "; ".join(doubts) or None


def _baseline(items: _Judged, columns: Sequence[int], shuffled: bool) -> tuple[float, Float64]:
    """The advantage (rho) of what needs no judge, and where the judge is closer: 1, or -1.

    That is the best constant, or the judge's own values in random order, dimension by dimension.
    """
    advantage, closer = 0.0, np.zeros(len(items.judge))
    for dimension in np.unique(items.dimensions):
        rows = (items.dimensions == dimension) & items.shared
        judge, table = items.judge[rows], items.table[rows]
        values = judge if shuffled else np.concatenate([judge, table[~np.isnan(table)]])
        if len(np.unique(values)) > MOST_VALUES:
            values = np.quantile(values, (np.arange(MOST_VALUES) + 0.5) / MOST_VALUES)
        advantages = np.mean([_wins(items.table, k, rows, values) for k in columns], axis=0)
        if shuffled:
            advantage += float(advantages.mean())
        elif len(values):
            values = values[[advantages.argmax()]]
            advantage += float(advantages.max())
        means = np.nanmean(table, axis=1)[:, None]
        gaps = np.abs(values - means) - np.abs(judge[:, None] - means)
        closer[rows] = np.sign(np.where(np.abs(gaps) > _ROUNDING, gaps, 0.0)).mean(axis=1)
    return advantage, closer


def _wins(table: Float64, column: int, rows: Bool, values: Float64) -> Float64:
    """In which share of all items a value, given to the items of `rows`, wins there."""
    total = _comparable(table, column).sum()
    table = table[rows]
    there = _comparable(table, column)
    person, others = table[there, column], np.delete(table[there], column, axis=1)
    gaps = np.nanmean((person[:, None] - others) ** 2, axis=1)
    # The mean of (v - w)^2 over the others w is (v - their mean)^2 + their variance.
    means, variances = np.nanmean(others, axis=1), np.nanvar(others, axis=1)
    squares = (values - means[:, None]) ** 2 + variances[:, None]
    result: Float64 = (squares <= gaps[:, None] + _ROUNDING).sum(axis=0) / total
    return result


def _comparable(table: Float64, column: int) -> Bool:
    """The items that an annotator and somebody else judged."""
    judged = ~np.isnan(table)
    result: Bool = judged[:, column] & (judged.sum(axis=1) > 1)
    return result


def _correlation(items: _Judged) -> tuple[float | None, Float64]:
    """Spearman with the mean of people within dimensions, and what every item adds to it."""
    sides = np.zeros((2, len(items.judge)))
    there = items.shared
    means = np.nanmean(items.table[there], axis=1).round(_DECIMALS)
    dimensions = items.dimensions[there]
    for dimension in np.unique(dimensions):
        rows = dimensions == dimension
        for side, values in zip(sides, (items.judge[there], means), strict=True):
            ranks = average_ranks(values[rows])
            side[np.flatnonzero(there)[rows]] = ranks - ranks.mean()
    scale = float(np.sqrt((sides[0] @ sides[0]) * (sides[1] @ sides[1])))
    parts = sides[0] * sides[1]
    return (float(parts.sum()) / scale if scale else None), parts


def compared(judge: Float64, table: Float64, column: int) -> tuple[Float64, Float64]:
    """On which items the judge wins, and on which the annotator of this column does."""
    person, others = table[:, column], np.delete(table, column, axis=1)
    there = _comparable(table, column)
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
