"""All statistics of agreement on ratings, dimension by dimension, as records of a study.

The coefficient of variation is that of Hardy, Narayan and Vlachos, "HighRES" (2019), section 5,
with the correction for few ratings:

    cv = (1 + 1 / (4 n)) * s / mean          s the sample standard deviation of n ratings
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gistmark.analysis.agreement.coefficients.alpha import (
    RESAMPLES,
    alpha,
    bootstrapped_alpha,
    percentiles,
)
from gistmark.analysis.agreement.coefficients.icc import icc1, icc2, icc3
from gistmark.analysis.agreement.coefficients.kappa import Weights, cohen_kappa, fleiss_kappa
from gistmark.analysis.agreement.coefficients.splits import (
    MOST_SPLITS,
    Split,
    annotators_against_rest,
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


def ratings_agreement(
    corpus: Corpus,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
    most_splits: int = MOST_SPLITS,
) -> list[Agreement]:
    """How far annotators agree in their ratings; a unit is a summary.

    - `alpha-nominal`, `-ordinal`, `-interval`, `-ratio`: Krippendorff's alpha; the one that the
      scale asks for (`RatingColumns.level`) has an interval by bootstrap over units.
    - `fleiss-kappa`; `cohen-kappa`, `weighted-kappa` (quadratic) and `weighted-kappa-linear` for
      exactly two annotators. Not on interval scales, which have no categories.
    - `icc1`, `icc1k`, `icc2`, `icc2k`, `icc3`, `icc3k`: intraclass correlations.
    - `cv`: coefficient of variation of all summaries, and with the system as scope.
    - `annotator-vs-rest` (Spearman), `-pearson`, `-kendall`: the mean over annotators, and with
      the annotator as scope.
    - `split-k-rest`: three in ten annotators against the rest; the mean and the middle 95 % over
      the splits (n counts them), and with the names of the group, joined by " + ", as scope.

    `rng` draws the resamples, and `most_splits` of the splits where there are more of them (down
    to 100 where there are more than 5,000 units); without it the seed is 0.
    """
    rng = rng or generator(0)
    return [
        agreement("ratings", dimension, name, scope, records)
        for dimension, columns in columns_by_dimension(corpus.ratings).items()
        for name, scope, records in _statistics(columns, rng, resamples, most_splits)
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
    )


def _statistics(
    columns: RatingColumns, rng: np.random.Generator, resamples: int, most_splits: int
) -> Iterator[Named]:
    yield from _alphas(columns, rng, resamples)
    yield from _kappas(columns)
    yield from _iccs(columns)
    for system, result in variation_by_system(columns).items():
        yield "cv", system, result
    yield from _against_rest(columns)
    yield from _splits(columns, rng, most_splits)


def _alphas(columns: RatingColumns, rng: np.random.Generator, resamples: int) -> Iterator[Named]:
    units, values = columns.units, columns.values
    for level in _LEVELS:
        if level == columns.level:
            result = bootstrapped_alpha(units, values, level, rng=rng, resamples=resamples)
        else:
            result = alpha(units, values, level)
        yield f"alpha-{level}", "", result


def _kappas(columns: RatingColumns) -> Iterator[Named]:
    if columns.level not in ("nominal", "ordinal"):
        none = undefined("The scale has no categories; see the alpha and the ICC.")
        for name in ("fleiss-kappa", "cohen-kappa", "weighted-kappa", "weighted-kappa-linear"):
            yield name, "", none
        return
    yield "fleiss-kappa", "", fleiss_kappa(columns.units, columns.values)
    yield "cohen-kappa", "", _of_two(columns, None)
    yield "weighted-kappa", "", _of_two(columns, "quadratic")
    yield "weighted-kappa-linear", "", _of_two(columns, "linear")


def _of_two(columns: RatingColumns, weights: Weights | None) -> Statistic:
    raters = len(columns.rater_names)
    if raters != 2:
        return undefined(f"It is for exactly two annotators, not for {raters}.")
    return cohen_kappa(columns.matrix[:, 0], columns.matrix[:, 1], weights)


def _iccs(columns: RatingColumns) -> Iterator[Named]:
    iccs = {
        "icc1": icc1(columns.units, columns.values),
        "icc2": icc2(columns.units, columns.raters, columns.values),
        "icc3": icc3(columns.units, columns.raters, columns.values),
    }
    for name, icc in iccs.items():
        yield name, "", icc.single
        yield f"{name}k", "", icc.average


def _against_rest(columns: RatingColumns) -> Iterator[Named]:
    for coefficient in shown_coefficients():
        usual = coefficient == DEFAULT_COEFFICIENT
        name = AGAINST_REST if usual else f"{AGAINST_REST}-{coefficient}"
        splits = annotators_against_rest(columns, coefficient)
        yield name, "", mean_of((split.correlation for split in splits), "annotators")
        for split in splits:
            yield name, split.group[0], split.correlation


def _splits(columns: RatingColumns, rng: np.random.Generator, most: int) -> Iterator[Named]:
    k = usual_group(len(columns.rater_names))
    affordable = max(_FEW_SPLITS, _SPLIT_MEANS // max(len(columns.unit_names), 1))
    splits = splits_against_rest(columns, k, rng=rng, most=min(most, affordable))
    yield SPLIT, "", _over_splits(splits)
    for split in splits:
        yield SPLIT, " + ".join(split.group), split.correlation


def _over_splits(splits: tuple[Split, ...]) -> Statistic:
    if not splits:
        return undefined("Fewer than two annotators.")
    mean = mean_of((split.correlation for split in splits), "splits")
    values = [s.correlation.value for s in splits if s.correlation.value is not None]
    low, high = percentiles(np.array(values))
    return Statistic(mean.value, mean.n, mean.reason, low=low, high=high)


def coefficients_of_variation(units: Int64, values: Float64, count: int) -> Float64:
    """The coefficient of each of `count` units: 0 is full agreement, larger is less.

    NaN for a unit with fewer than two ratings or whose mean is not above 0, where the coefficient
    has no meaning. NaN among the values is a missing value.
    """
    given = ~np.isnan(values)
    units, values = units[given], values[given]
    sizes = np.bincount(units, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(units, weights=values, minlength=count) / sizes
        squares = np.bincount(units, weights=(values - means[units]) ** 2, minlength=count)
        result = (1 + 1 / (4 * sizes)) * np.sqrt(squares / (sizes - 1)) / means
    return np.where((sizes >= 2) & (means > 0), result, np.nan)


def variation_by_system(columns: RatingColumns) -> dict[str, Statistic]:
    """The mean coefficient of each system's summaries, and of all summaries under "".

    n is the number of summaries with a coefficient. Not defined where no summary has one.
    """
    result = coefficients_of_variation(columns.units, columns.values, len(columns.unit_names))
    systems = np.array([system for _, system in columns.unit_names], dtype=object)
    names = dict.fromkeys(systems)
    return {"": _mean(result)} | {name: _mean(result[systems == name]) for name in names}


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
    )
