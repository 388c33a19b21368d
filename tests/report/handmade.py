"""A study put together by hand: plain means, scipy's correlations, made-up tests.

Small enough to be checked by eye, and it has every kind of record that a report shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from gistmark.corpus import Corpus
from gistmark.scoring import Scores
from gistmark.study.records import (
    Agreement,
    Correlation,
    Difference,
    HumanScore,
    Note,
    Rank,
)
from gistmark.study.results import Signature, Study

Unit = tuple[str, str]
METRICS = ["rouge1", "rouge2", "rougeL", "hrouge1", "hrouge2", "js", "words"]
COEFFICIENTS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


@dataclass(frozen=True)
class Worker:
    """What the study knows about an annotator."""

    annotator: str
    ratings: int
    mean: float
    bias: float
    seconds: float | None


def handmade_study(corpus: Corpus, scores: Scores | None) -> Study:
    means = unit_means(corpus)
    return Study(
        agreement=(*_agreement(corpus), *_scoped(corpus)),
        correlation=tuple(_correlations(means, scores)),
        differences=tuple(_differences(means, scores)),
        ranking=(*_ratings_rank(means, corpus), *_comparisons_rank(corpus)),
        human_scores=tuple(
            HumanScore(document, system, dimension, value, 4)
            for dimension, values in means.items()
            for (document, system), value in values.items()
        ),
        annotators=tuple(_workers(corpus)),
        notes=(Note("ratings", "28 of 896 ratings are missing."),) if corpus.ratings else (),
        signatures=tuple(
            Signature(name, text) for name, text in (scores.signatures if scores else {}).items()
        ),
        methods="Human scores are means over annotators. Correlations are over summaries.",
    )


def unit_means(corpus: Corpus) -> dict[str, dict[Unit, float]]:
    values: dict[str, dict[Unit, list[float]]] = {}
    for r in corpus.ratings:
        values.setdefault(r.dimension, {}).setdefault((r.document, r.system), []).append(r.value)
    return {
        dimension: {unit: float(np.mean(found)) for unit, found in units.items()}
        for dimension, units in values.items()
    }


def _correlations(
    means: dict[str, dict[Unit, float]], scores: Scores | None
) -> Iterator[Correlation]:
    measures = {
        **_metric_values(scores),
        **{(d, "dimension"): values for d, values in means.items()},
    }
    for (metric, part), values in measures.items():
        for human, people in means.items():
            if metric == human:
                continue
            units = [unit for unit in people if unit in values]
            x = [values[unit] for unit in units]
            y = [people[unit] for unit in units]
            for name, coefficient in COEFFICIENTS.items():
                yield _correlation(metric, part, human, name, coefficient(x, y), len(units))


def _correlation(metric, part, human, name, result, n) -> Correlation:
    value, p = float(result.statistic), float(result.pvalue)
    if not np.isfinite(value):
        reason = "All values are the same."
        return Correlation(metric, part, human, "global", name, None, None, None, None, n,
                           reason=reason)  # fmt: skip
    z, width = np.arctanh(min(max(value, -0.9999), 0.9999)), 1.96 / np.sqrt(max(n - 3, 1))
    low, high = float(np.tanh(z - width)), float(np.tanh(z + width))
    return Correlation(metric, part, human, "global", name, value, low, high, p, n)


def _metric_values(scores: Scores | None) -> dict[tuple[str, str], dict[Unit, float]]:
    found: dict[tuple[str, str], dict[Unit, float]] = {}
    for score in scores or ():
        if score.value is not None:
            found.setdefault((score.metric, score.part), {})[score.document, score.system] = (
                score.value
            )
    return found


def _differences(
    means: dict[str, dict[Unit, float]], scores: Scores | None
) -> Iterator[Difference]:
    records = [r for r in _correlations(means, scores) if r.coefficient == "spearman"]
    main = [r for r in records if r.part in ("f", "value")]
    for human in means:
        base = next((r for r in main if (r.metric, r.human) == ("rouge1", human)), None)
        for record in main:
            if base is None or record.human != human or record.metric == "rouge1":
                continue
            gap = abs(record.value) - abs(base.value)
            yield Difference(
                record.metric, "rouge1", human, "global", "spearman", gap, gap - 0.1, gap + 0.1,
                "permutation", 0.01, 0.03 if abs(gap) > 0.1 else 0.4, "Holm", record.n,
            )  # fmt: skip


def _ratings_rank(means: dict[str, dict[Unit, float]], corpus: Corpus) -> Iterator[Rank]:
    for dimension, units in means.items():
        values = {
            system: [value for (_, name), value in units.items() if name == system]
            for system in corpus.systems
        }
        order = sorted(values, key=lambda system: -np.mean(values[system]))
        for place, system in enumerate(order, start=1):
            mean = float(np.mean(values[system]))
            margin = float(1.96 * np.std(values[system], ddof=1) / np.sqrt(len(values[system])))
            yield Rank("ratings", dimension, "mean rating", system, mean, mean - margin,
                       mean + margin, float(place), place, len(values[system]))  # fmt: skip


def _comparisons_rank(corpus: Corpus) -> Iterator[Rank]:
    for dimension in dict.fromkeys(c.dimension for c in corpus.comparisons):
        mine = [c for c in corpus.comparisons if c.dimension == dimension]
        shares = {
            system: float(
                np.mean([c.winner == system for c in mine if system in (c.left, c.right)])
            )
            for system in corpus.systems
        }
        order = sorted(shares, key=lambda system: -shares[system])
        for place, system in enumerate(order, start=1):
            share = shares[system]
            yield Rank("comparisons", dimension, "share of choices won", system, share,
                       share - 0.05, share + 0.05, float(place), place, len(mine))  # fmt: skip


def _agreement(corpus: Corpus) -> Iterator[Agreement]:
    for place, dimension in enumerate(dict.fromkeys(r.dimension for r in corpus.ratings)):
        value = 0.52 + 0.06 * place
        yield Agreement("ratings", dimension, "alpha-ordinal", "", value,
                        value - 0.08, value + 0.07, None, 56)  # fmt: skip
        yield Agreement("ratings", dimension, "cohen-kappa", "", None, None, None, None, 0,
                        "There are more than two annotators.")  # fmt: skip
    for dimension in dict.fromkeys(c.dimension for c in corpus.comparisons):
        yield Agreement("comparisons", dimension, "pairwise-agreement", "", 0.81, None, None,
                        0.75, 84)  # fmt: skip


def _scoped(corpus: Corpus) -> Iterator[Agreement]:
    for dimension in dict.fromkeys(r.dimension for r in corpus.ratings):
        mine = [r for r in corpus.ratings if r.dimension == dimension]
        raters = sorted({r.annotator for r in mine})
        table = {(r.document, r.system, r.annotator): r.value for r in mine}
        units = sorted({(r.document, r.system) for r in mine})
        for size, statistic in ((1, "annotator-vs-rest"),
                                (2, "split-k-rest")):  # fmt: skip
            for group in itertools.combinations(raters, size):
                rest = [rater for rater in raters if rater not in group]
                sides = [
                    [float(np.nanmean([table.get((*unit, rater), np.nan) for rater in side]))
                     if any((*unit, rater) in table for rater in side) else np.nan
                     for unit in units]
                    for side in (group, rest)
                ]  # fmt: skip
                value = stats.spearmanr(*sides, nan_policy="omit").statistic
                yield Agreement("ratings", dimension, statistic, " + ".join(group), float(value),
                                None, None, None, len(units))  # fmt: skip


def _workers(corpus: Corpus) -> Iterator[Worker]:
    overall = float(np.mean([r.value for r in corpus.ratings])) if corpus.ratings else 0.0
    for annotator in dict.fromkeys(r.annotator for r in corpus.ratings):
        mine = [r for r in corpus.ratings if r.annotator == annotator]
        mean = float(np.mean([r.value for r in mine]))
        seconds = [r.seconds for r in mine if r.seconds is not None]
        yield Worker(annotator, len(mine), mean, mean - overall,
                     float(np.median(seconds)) if seconds else None)  # fmt: skip
