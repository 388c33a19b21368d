"""The habits of annotators, and how competent they are.

Habits are severity, spread, straight-lining, agreement with the majority, and a preference for one
side. Competence is estimated together with the answers that are likely to be right: Dawid and
Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm" (1979). The
estimate starts from the shares of the votes and stops as crowd-kit does, so that the numbers are
the same; that package works on data frames and takes many times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gistmark.analysis.agreement.coefficients.splits import by_rater, means_of_others
from gistmark.analysis.agreement.coefficients.statistic import Statistic, encode, undefined
from gistmark.analysis.data.columns import TIE, Float64, Int64, RatingColumns, VoteColumns
from gistmark.records import Rating

FEWEST_DIMENSIONS = 3
"""Equal values in fewer dimensions are no sign of straight-lining."""

_SIGNIFICANT = 0.05

_ALONE = "No unit in common with another annotator."

FEWEST_UNITS = 10
"""With fewer units that several people rated, an estimate says nothing."""

_ITERATIONS = 100

_LEAST_GAIN = 1e-5
"""The steps end when the bound of the likelihood grows by less than this per answer."""

_SMALLEST = 1e-10


@dataclass(frozen=True, slots=True)
class Leaning:
    """How far somebody leans, and where to; `direction` is empty where nothing can be tested."""

    size: Statistic
    direction: str


def severities(columns: RatingColumns) -> list[Leaning]:
    """For each rater, how far below the mean of the others a unit is rated on average.

    The direction is `severe` or `lenient` where a t-test at 5 % tells the mean from 0, else
    `none`. Not defined for a rater who shares no unit with others; not tested for one unit.
    """
    below = means_of_others(columns) - columns.values
    shared = ~np.isnan(below)
    groups = by_rater(columns.raters[shared], below[shared], len(columns.rater_names))
    return [
        Leaning(Statistic(float(g.mean()), len(g)), _direction(g))
        if len(g)
        else Leaning(undefined(_ALONE), "")
        for g in groups
    ]


def spreads(columns: RatingColumns) -> list[Statistic]:
    """For each rater, the sample standard deviation of the values; not defined for one value."""
    return [
        Statistic(float(values.std(ddof=1)), len(values))
        if len(values) > 1
        else undefined("Fewer than two ratings.", len(values))
        for values in by_rater(columns.raters, columns.values, len(columns.rater_names))
    ]


def straight_lines(ratings: Iterable[Rating]) -> dict[str, Statistic]:
    """For each annotator, the share of summaries that got one value in every dimension.

    Only summaries that the annotator rated in at least `FEWEST_DIMENSIONS` dimensions count; n is
    their number. Not defined where there are none.
    """
    sheets: dict[tuple[str, str, str, str | None], list[float]] = defaultdict(list)
    for rating in ratings:
        key = (rating.annotator, rating.document, rating.system, rating.campaign)
        sheets[key].append(rating.value)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (annotator, _, _, campaign), values in sheets.items():
        for name in names_of(annotator, campaign):
            enough = len(values) >= FEWEST_DIMENSIONS
            counts[name][0] += enough and len(set(values)) == 1
            counts[name][1] += enough
    none = undefined(f"No summary was rated in {FEWEST_DIMENSIONS} dimensions.")
    return {name: Statistic(same / n, n) if n else none for name, (same, n) in counts.items()}


def names_of(annotator: str, campaign: str | None) -> tuple[str, ...]:
    """The annotator, and the annotator in a campaign: `RatingColumns` uses either as a rater."""
    return (annotator, f"{annotator} ({campaign})") if campaign else (annotator,)


def majority_shares(votes: VoteColumns, stand_in: Float64 | None = None) -> list[Statistic]:
    """For each annotator, the share of choices that most of the other voters made too.

    A choice is for the first, for the second or for neither. Pairs on which no choice of the
    others is the most frequent, or where there are no others, do not count. A `stand_in`, whose
    choice on each pair this is, may take the place of each annotator in turn.
    """
    outcomes = np.array([1.0, 0.0, TIE])
    others = np.stack(votes.counts, axis=1)[votes.pairs] - (votes.values[:, None] == outcomes)
    values = votes.values if stand_in is None else stand_in[votes.pairs]
    most = others.max(axis=1, initial=0)
    decided = ((others == most[:, None]).sum(axis=1) == 1) & ~np.isnan(values)
    same = (outcomes[others.argmax(axis=1)] == values)[decided].astype(np.float64)
    groups = by_rater(votes.annotators[decided], same, len(votes.annotator_names))
    return [Statistic(float(g.mean()), len(g)) if len(g) else undefined(_ALONE) for g in groups]


def sides(votes: VoteColumns) -> list[Leaning]:
    """For each annotator, how often the left summary was chosen, of the choices that are no tie.

    The direction is `left` or `right` where a binomial test at 5 % tells the share from one half,
    else `none`. Not defined where all are ties.
    """
    decided = votes.left != TIE
    groups = by_rater(votes.annotators[decided], votes.left[decided], len(votes.annotator_names))
    return [side(int(choices.sum()), len(choices)) for choices in groups]


def side(left: int, n: int) -> Leaning:
    """The share of the left side, and where it leans."""
    from scipy.special import bdtr

    if not n:
        return Leaning(undefined("All choices are ties.", chance=0.5), "")
    share = Statistic(left / n, n, chance=0.5)
    if 2 * float(bdtr(min(left, n - left), n, 0.5)) >= _SIGNIFICANT:
        return Leaning(share, "none")
    return Leaning(share, "left" if 2 * left > n else "right")


def _direction(below: Float64) -> str:
    from scipy.special import stdtrit

    n, mean = len(below), float(below.mean())
    if n < 2:
        return ""
    error = float(below.std(ddof=1)) / n**0.5
    if abs(mean) <= float(stdtrit(n - 1, 1 - _SIGNIFICANT / 2)) * error:
        return "none"
    return "severe" if mean > 0 else "lenient"


def competence(
    units: Int64, raters: Int64, values: Float64, *, count: int
) -> tuple[Statistic, ...]:
    """The competence of raters 0 to `count` - 1, from 0 to 1; n is the number of their ratings.

    It is the probability that the rater's answer is the true one, that is the diagonal of the
    rater's estimated confusion matrix weighted by how frequent each true answer is.

    Values are categories, and a unit with one rating does not count. Not defined for anybody
    where fewer than `FEWEST_UNITS` units have two ratings, only one rater is left, or only one
    category occurs; nor for a rater without a unit that others rated.
    """
    shared = (np.bincount(units) >= 2)[units] if len(units) else np.zeros(0, dtype=bool)
    units, raters, values = units[shared], raters[shared], values[shared]
    reason = _obstacle(units, raters, values)
    if reason is not None:
        return (undefined(reason),) * count
    order = np.argsort(raters, kind="stable")
    used, workers = np.unique(raters[order], return_inverse=True)
    _, tasks = np.unique(units[order], return_inverse=True)
    _, answers = encode(values[order])
    skills = dawid_skene(tasks, workers, answers)
    ratings = np.bincount(raters, minlength=count)
    skill_of = dict(zip(used.tolist(), skills.tolist(), strict=True))
    return tuple(
        Statistic(min(max(skill_of[rater], 0.0), 1.0), int(ratings[rater]))
        if rater in skill_of
        else undefined(_ALONE)
        for rater in range(count)
    )


def _obstacle(units: Int64, raters: Int64, values: Float64) -> str | None:
    count = len(np.unique(units))
    if count < FEWEST_UNITS:
        return f"{count} units with two ratings are too few; {FEWEST_UNITS} are needed."
    if raters.min() == raters.max():
        return "Only one annotator."
    if values.min() == values.max():
        return f"All ratings are {values[0]:g}: only one category occurs."
    return None


def dawid_skene(units: Int64, raters: Int64, answers: Int64) -> Float64:
    """For each rater, the probability that an answer is the true one.

    That is the diagonal of the rater's confusion matrix, weighted by how frequent each true answer
    is. Each column counts from 0 without gaps.
    """
    kinds = int(answers.max()) + 1
    sizes = np.bincount(units)[:, None]
    votes = np.bincount(units * kinds + answers, minlength=len(sizes) * kinds)
    truths: Float64 = votes.reshape(-1, kinds) / sizes
    cells = raters * kinds + answers
    counts = _counts(cells, truths[units], int(raters.max()) + 1)
    errors = _confusions(counts)
    bound = -np.inf
    for _ in range(_ITERATIONS):
        truths = _expected(units, np.log(errors)[cells], _frequent(truths))
        counts = _counts(cells, truths[units], len(counts) // kinds)
        errors = _confusions(counts)
        before, bound = bound, _bound(counts, errors, truths, sizes) / len(units)
        if bound - before < _LEAST_GAIN:
            break
    errors = np.where(counts > 0, errors, 0.0).reshape(-1, kinds, kinds)
    return np.asarray(np.einsum("raa,a->r", errors, _frequent(truths)), dtype=np.float64)


def _frequent(truths: Float64) -> Float64:
    """How frequent each true answer is."""
    return np.asarray(np.maximum(truths.mean(axis=0), _SMALLEST), dtype=np.float64)


def _counts(cells: Int64, truths: Float64, raters: int) -> Float64:
    """Row (rater, answer), column truth: how often the rater gave the answer to that truth.

    0 where the rater never gave the answer, else never quite 0.
    """
    rows = raters * truths.shape[1]
    given = np.bincount(cells, minlength=rows)[:, None] > 0
    return np.where(given, np.maximum(_sums(cells, truths, rows), _SMALLEST), 0.0)


def _confusions(counts: Float64) -> Float64:
    """How likely the rater gives each answer to each truth; 1 for answers that were never given."""
    kinds = counts.shape[1]
    table = counts.reshape(-1, kinds, kinds)
    shares: Float64 = table / table.sum(axis=1, keepdims=True)
    return np.where(counts > 0, shares.reshape(-1, kinds), 1.0)


def _expected(units: Int64, errors: Float64, frequent: Float64) -> Float64:
    """How likely each answer is the true one of each unit; `errors` are logarithms."""
    sums = np.log(frequent) + _sums(units, errors, int(units.max()) + 1)
    likely: Float64 = np.exp(sums - sums.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def _bound(counts: Float64, errors: Float64, truths: Float64, sizes: Int64) -> float:
    """The lower bound of the likelihood, as crowd-kit has it."""
    joint = (counts * np.log(errors)).sum()
    joint += ((sizes * truths) @ np.log(_frequent(truths))).sum()
    kept = np.maximum(truths, _SMALLEST)
    return float(joint - (np.log(kept) * kept).sum())


def _sums(indices: Int64, rows: Float64, count: int) -> Float64:
    """The sums of the rows that have the same index."""
    columns = [np.bincount(indices, weights=column, minlength=count) for column in rows.T]
    return np.stack(columns, axis=1)
