"""All statistics of agreement on ratings, dimension by dimension, as records of a study.

The coefficient of variation is that of Hardy, Narayan and Vlachos, "HighRES" (2019), section 5,
with the correction for few ratings:

    cv = (1 + 1 / (4 n)) * s / mean          s the sample standard deviation of n ratings
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.coefficients.gwet import brennan_prediger, gwet
from gistmark.analysis.agreement.coefficients.icc import icc1, icc2, icc3
from gistmark.analysis.agreement.coefficients.intervals import (
    Rows,
    document_groups,
    over_documents,
    shared_documents,
    with_interval,
    without_interval,
)
from gistmark.analysis.agreement.coefficients.kappa import Weights, cohen_kappa, fleiss_kappa
from gistmark.analysis.agreement.coefficients.splits import (
    MOST_SPLITS,
    annotators_against_rest,
    mean_left_out,
    mean_split_left_out,
    splits_against_rest,
    usual_group,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic, mean_of, undefined
from gistmark.analysis.correlation import DEFAULT_COEFFICIENT, shown_coefficients
from gistmark.analysis.data.columns import (
    Float64,
    Int64,
    Level,
    RatingColumns,
    columns_by_dimension,
)
from gistmark.analysis.studies.records import AGAINST_REST, SPLIT, Agreement
from gistmark.corpus.corpus import Corpus
from gistmark.runtime.seeds import generator

Named = tuple[str, str, Statistic]
"""The name of a statistic, its scope, and the statistic."""

_LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")

_FEW_SPLITS = 100

_SPLIT_MEANS = 5_000_000

_SPLITS_LEFT_OUT = 50
"""How many splits are computed again without a document."""

_MOST_RATIOS_LEFT_OUT = 500
"""With more distinct values, alpha at the ratio level is not computed again without a document."""

_MANY_RATIOS = f"More than {_MOST_RATIOS_LEFT_OUT} values at the ratio level take too long."

MOST_ALIKE = 0.85
"""Where more of the ratings are the same, alpha, kappas and intraclass correlations hang on the few
others, and few documents give intervals that hold the truth in fewer than 90 of 100 studies."""

MANY_DOCUMENTS = 100
"""From so many documents on such intervals hold."""

_FULL_SCALE = 5
_RARE = 0.2
_SEVERAL = 5
"""A scale of fewer values, of which the lowest or highest is as rare, may have others that nobody
has given yet, and so may one whose lowest or highest value was given fewer than several times.
Weights of categories depend on how many there are."""


def ratings_agreement(
    corpus: Corpus, *, rng: np.random.Generator | None = None, most_splits: int = MOST_SPLITS
) -> list[Agreement]:
    """How far annotators agree in their ratings; a unit is a summary.

    - `alpha-nominal`, `-ordinal`, `-interval`, `-ratio`: Krippendorff's alpha.
    - `fleiss-kappa`; `cohen-kappa`, `weighted-kappa` (quadratic) and `weighted-kappa-linear` for
      exactly two annotators; `ac1`, `brennan-prediger`, and with the weights of an ordinal scale
      `ac2` and `brennan-prediger-ordinal`, with quadratic ones `ac2-quadratic`. The categories are
      the whole numbers from the lowest to the highest value. Not on interval scales, which have no
      categories.
    - `icc1`, `icc1k`, `icc2`, `icc2k`, `icc3`, `icc3k`: intraclass correlations.
    - `cv`: coefficient of variation of all summaries, and with the system as scope.
    - `annotator-vs-rest` (Spearman), `-pearson`, `-kendall`: the mean over annotators, and with
      the annotator as scope.
    - `split-k-rest`: three in ten annotators against the rest; the mean over the splits (n counts
      them), and with the names of the group, joined by " + ", as scope.

    Intervals are over documents with a summary that two people rated (`coefficients.intervals`).
    `rng` draws `most_splits` of the splits where there are more of them (down to 100 where there
    are more than 5,000 units); without it the seed is 0.
    """
    rng = rng or generator(0)
    return [
        replace(
            agreement("ratings", dimension, name, scope, statistic),
            main=not scope and name == f"alpha-{columns.level}",
        )
        for dimension, columns in columns_by_dimension(corpus.ratings).items()
        for name, scope, statistic in _statistics(columns, rng, most_splits)
    ]


def agreement(
    subject: str, dimension: str, name: str, scope: str, statistic: Statistic
) -> Agreement:
    """The record of one statistic."""
    return Agreement(
        subject=subject,
        dimension=dimension,
        statistic=name,
        scope=scope,
        value=statistic.value,
        low=statistic.low,
        high=statistic.high,
        chance=statistic.chance,
        n=statistic.n,
        reason=statistic.reason,
        documents=statistic.documents,
    )


def _statistics(
    columns: RatingColumns, rng: np.random.Generator, most_splits: int
) -> Iterator[Named]:
    sizes = np.bincount(columns.units, minlength=len(columns.unit_names))
    documents = shared_documents(columns.documents, sizes)
    many = len(np.unique(columns.values)) > _MOST_RATIOS_LEFT_OUT

    def coefficients(rows: Rows) -> dict[str, Statistic]:
        part = columns.take(rows)
        alphas = {
            f"alpha-{level}": undefined(_MANY_RATIOS)
            if level == "ratio" and many and not rows.all()
            else alpha(part.units, part.values, level)
            for level in _LEVELS
        }
        cvs = coefficients_of_variation(part.units, part.values, len(part.unit_names))
        return alphas | _categorical(columns, part) | _iccs(part) | {"cv": _mean(cvs)}

    for name, result in over_documents(documents[columns.units], coefficients).items():
        why = None if result.low is None else doubt(name, columns, result.documents)
        yield name, "", result if why is None else without_interval(result, why)
    for system, result in variation_by_system(columns).items():
        yield "cv", system, result
    yield from _against_rest(columns, documents)
    yield from _splits(columns, documents, rng, most_splits)


def doubt(name: str, columns: RatingColumns, documents: int) -> str | None:
    """Why an interval would hold the truth too rarely, if it would."""
    values, counts = np.unique(columns.values, return_counts=True)
    shares = counts / counts.sum()
    outermost = [0, -1]
    short = len(values) < _FULL_SCALE and shares[outermost].min() < _RARE
    if name in _WEIGHTED and (short or counts[outermost].min() < _SEVERAL):
        return (
            f"{len(values)} values occur and an outermost one is rare, so the scale may have more, "
            "and the weights depend on them"
        )
    if name in _ROBUST or documents >= MANY_DOCUMENTS or shares.max() <= MOST_ALIKE:
        return None
    return (
        f"{shares.max():.0%} of the ratings are the same, and fewer than {MANY_DOCUMENTS} "
        "documents then tell too little"
    )


_WEIGHTED = ("ac2", "ac2-quadratic", "brennan-prediger-ordinal")
_ROBUST = ("ac1", "brennan-prediger", "cv")


def _categorical(whole: RatingColumns, columns: RatingColumns) -> dict[str, Statistic]:
    """Kappas and their kin of some ratings, with the categories of all."""
    if whole.level not in ("nominal", "ordinal"):
        none = undefined("The scale has no categories; see the alpha and the ICC.")
        return dict.fromkeys(_CATEGORICAL, none)
    units, values = columns.units, columns.values
    categories = np.arange(whole.values.min(), whole.values.max() + 1)
    return {
        "fleiss-kappa": fleiss_kappa(units, values),
        "cohen-kappa": _of_two(columns, None),
        "weighted-kappa": _of_two(columns, "quadratic"),
        "weighted-kappa-linear": _of_two(columns, "linear"),
        "ac1": gwet(units, values, categories),
        "ac2": gwet(units, values, categories, "ordinal"),
        "ac2-quadratic": gwet(units, values, categories, "quadratic"),
        "brennan-prediger": brennan_prediger(units, values, categories),
        "brennan-prediger-ordinal": brennan_prediger(units, values, categories, "ordinal"),
    }


_CATEGORICAL = (
    "fleiss-kappa", "cohen-kappa", "weighted-kappa", "weighted-kappa-linear", "ac1", "ac2",
    "ac2-quadratic", "brennan-prediger", "brennan-prediger-ordinal",
)  # fmt: skip


def _of_two(columns: RatingColumns, weights: Weights | None) -> Statistic:
    raters = len(columns.rater_names)
    if raters != 2:
        return undefined(f"It is for exactly two annotators, not for {raters}.")
    return cohen_kappa(columns.matrix[:, 0], columns.matrix[:, 1], weights)


def _iccs(columns: RatingColumns) -> dict[str, Statistic]:
    iccs = {
        "icc1": icc1(columns.units, columns.values),
        "icc2": icc2(columns.units, columns.raters, columns.values),
        "icc3": icc3(columns.units, columns.raters, columns.values),
    }
    return {
        name: statistic
        for icc, result in iccs.items()
        for name, statistic in ((icc, result.single), (f"{icc}k", result.average))
    }


def _against_rest(columns: RatingColumns, documents: Int64) -> Iterator[Named]:
    groups = document_groups(documents)
    for coefficient in shown_coefficients():
        usual = coefficient == DEFAULT_COEFFICIENT
        name = AGAINST_REST if usual else f"{AGAINST_REST}-{coefficient}"
        splits = annotators_against_rest(columns, coefficient)
        mean = mean_of((split.correlation for split in splits), "annotators")
        if mean.value is not None:
            left_out = mean_left_out(columns, groups, coefficient)
            mean = with_interval(mean, left_out, documents=_count(documents))
        yield name, "", mean
        for split in splits:
            yield name, split.group[0], split.correlation


def _splits(
    columns: RatingColumns, documents: Int64, rng: np.random.Generator, most: int
) -> Iterator[Named]:
    k = usual_group(len(columns.rater_names))
    affordable = max(_FEW_SPLITS, _SPLIT_MEANS // max(len(columns.unit_names), 1))
    splits = splits_against_rest(columns, k, rng=rng, most=min(most, affordable))
    mean = mean_of((split.correlation for split in splits), "splits")
    if not splits:
        mean = undefined("Fewer than two annotators.")
    if mean.value is not None:
        values = mean_split_left_out(columns, k, document_groups(documents), _SPLITS_LEFT_OUT)
        count = _count(documents)
        mean = with_interval(mean, values[:-1], documents=count, centre=float(values[-1]))
    yield SPLIT, "", mean
    for split in splits:
        yield SPLIT, " + ".join(split.group), split.correlation


def _count(documents: Int64) -> int:
    return len(np.unique(documents[documents >= 0]))


def coefficients_of_variation(units: Int64, values: Float64, count: int) -> Float64:
    """The coefficient of each of `count` units: 0 is full agreement, larger is less.

    NaN for a unit with fewer than two ratings or whose mean is not above 0, where the coefficient
    has no meaning. NaN among the values is a missing value.
    """
    present = ~np.isnan(values)
    units, values = units[present], values[present]
    sizes = np.bincount(units, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(units, weights=values, minlength=count) / sizes
        squares = np.bincount(units, weights=(values - means[units]) ** 2, minlength=count)
        result = (1 + 1 / (4 * sizes)) * np.sqrt(squares / (sizes - 1)) / means
    return np.where((sizes >= 2) & (means > 0), result, np.nan)


def variation_by_system(columns: RatingColumns) -> dict[str, Statistic]:
    """The mean coefficient of the summaries of each system.

    n is the number of summaries with a coefficient. Not defined where none has one.
    """
    result = coefficients_of_variation(columns.units, columns.values, len(columns.unit_names))
    systems = np.array([system for _, system in columns.unit_names], dtype=object)
    return {name: _mean(result[systems == name]) for name in dict.fromkeys(systems)}


def _mean(coefficients: Float64) -> Statistic:
    defined = coefficients[~np.isnan(coefficients)]
    if not len(defined):
        return undefined("No summary has two ratings with a mean above 0.")
    lacking = len(coefficients) - len(defined)
    return Statistic(
        float(defined.mean()),
        len(defined),
        f"{lacking} of {len(coefficients)} summaries left out: fewer than two ratings, "
        "or a mean that is not above 0."
        if lacking
        else None,
        least=0.0,
    )
