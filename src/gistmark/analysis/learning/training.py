"""`train`: weights of features from people's scores, judged on corpora that were held out.

Each corpus in turn is left out of everything (the choice of settings too), and a metric trained on
the others is compared with people's scores of it. With a single corpus, fifths of its documents are
left out instead. A corpus whose summaries cannot be compared with any text adds only what the
summaries alone can teach, and no metric is judged on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.coefficients import correlate
from gistmark.analysis.learning.sets import Judged, judged, training_set
from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError
from gistmark.metrics.learnt.features import FEATURES, Feature
from gistmark.metrics.learnt.fitting import CLIPS, Fit, Settings, TrainingSet, fit, standardised_set
from gistmark.metrics.learnt.model import Model
from gistmark.metrics.metric import Float64
from gistmark.metrics.options import SENTENCE_ENCODER, Against
from gistmark.runtime.seeds import generator

Int64 = NDArray[np.int64]

RIDGES = (0.3, 1.0, 3.0)
PRIORS = (0.3, 0.6)
"""The settings that are tried together; the best over the corpora left out are taken."""

RESAMPLES = 50
FOLDS = 5
_ONE_SD = 0.6827
"""The share of a normal distribution within one standard deviation."""


@dataclass(frozen=True)
class HeldOut:
    """How the metric of the other corpora does on one that it has not seen.

    `given_length` is Spearman's correlation with the number of words held constant, `covered` the
    share of people's scores within one standard deviation, `lowered` for each kind of spoiling the
    share of summaries that score lower once they are spoiled so.
    """

    name: str
    human: str
    n: int
    pearson: float
    spearman: float
    given_length: float
    covered: float
    lowered: Mapping[str, float]


@dataclass(frozen=True)
class Trained:
    """A model and how it does where it was not trained."""

    model: Model
    settings: Settings
    held_out: tuple[HeldOut, ...]


def train_on(
    corpora: Mapping[str, Corpus],
    *,
    against: Against = "document",
    human: str | None = None,
    seed: int = 0,
    cache: bool | Path = True,
) -> Trained:
    """A metric learnt from what people say about the summaries of some corpora, by name.

    Where summaries are to be compared with their `document` and a corpus has no texts of these, the
    references take its place; where there are none, only the summaries are looked at.
    """
    data = [judged(corpus, name, against=against, human=human) for name, corpus in corpora.items()]
    sets = [training_set(corpus, against=against, seed=seed, cache=cache) for corpus in data]
    return train(data, sets, against=against, seed=seed)


def train(
    data: Sequence[Judged], sets: Sequence[TrainingSet], *, against: Against, seed: int = 0
) -> Trained:
    """Fit the metric to all sets, which are those of `data`, and judge it on each by the others."""
    features = FEATURES[against]
    if not any(_is_compared(examples, features) for examples in sets):
        raise GistmarkError(
            "None of the corpora has documents or references, so nothing can be learnt about "
            "content."
        )
    clip = CLIPS[against]
    settings, fitted, covariance = _learnt(sets, features, clip, seed)
    trials = []
    for number, (index, rows, others) in enumerate(_left_out(sets, features, seed), start=1):
        _, from_others, open_there = _learnt(others, features, clip, seed)
        whole = len(rows) == len(sets[index].scores)
        corpus = data[index] if whole else data[index].part(rows, number)
        trials.append(_Trial(corpus, sets[index].rows(rows), from_others, open_there))
    residual = _residual(trials)
    held_out = tuple(trial.judged(residual) for trial in trials)
    card = {
        "sets": [
            {
                "name": corpus.name,
                "human": corpus.human,
                "documents": len(set(corpus.documents)),
                "summaries": len(corpus.items),
            }
            for corpus in data
        ],
        "settings": asdict(settings),
        "held_out": [_rounded(result) for result in held_out],
    }
    model = Model(against, SENTENCE_ENCODER, features, fitted, covariance, residual, card)
    return Trained(model, settings, held_out)


def choose(
    sets: Sequence[TrainingSet], features: Sequence[Feature], clip: float, seed: int = 0
) -> Settings:
    """The settings with the highest mean Spearman over what is left out in turn."""
    left_out = list(_left_out(sets, features, seed))

    def success(settings: Settings) -> float:
        results = []
        for index, rows, others in left_out:
            values, scores = standardised_set(sets[index].rows(rows), clip)
            weights = fit(others, features, settings).weights
            results.append(_correlation("spearman", values @ weights, scores))
        return float(np.mean(results))

    grid = [Settings(ridge, prior=prior, clip=clip) for ridge, prior in product(RIDGES, PRIORS)]
    return max(grid, key=success)


def _is_compared(examples: TrainingSet, features: Sequence[Feature]) -> bool:
    """Whether its summaries were compared with a text: it has all main features."""
    main = np.array([feature.main for feature in features])
    return bool(np.isfinite(examples.features[:, main]).any(axis=0).all())


def _learnt(
    sets: Sequence[TrainingSet], features: Sequence[Feature], clip: float, seed: int
) -> tuple[Settings, Fit, Float64]:
    """The best settings, the weights with them, and the weights' covariance.

    The covariance is that over resampled documents of each set.
    """
    settings = choose(sets, features, clip, seed)
    rng = generator(seed, "covariance")
    draws = [
        fit([_resampled(examples, rng) for examples in sets], features, settings).weights
        for _ in range(RESAMPLES)
    ]
    return settings, fit(sets, features, settings), np.cov(np.array(draws).T)


def _resampled(examples: TrainingSet, rng: np.random.Generator) -> TrainingSet:
    """Documents drawn with replacement, with all of their summaries."""
    rows = _rows_by_document(examples.documents)
    numbers = rng.integers(len(rows), size=len(rows))
    return examples.rows(np.concatenate([rows[number] for number in numbers]))


def _left_out(
    sets: Sequence[TrainingSet], features: Sequence[Feature], seed: int
) -> Iterator[tuple[int, Int64, Sequence[TrainingSet]]]:
    """What is judged on: the index of a set, rows of it, and the sets that are learnt from there.

    That is each set whose summaries were compared with a text, or each fifth of the only one.
    """
    judged_on = [index for index, examples in enumerate(sets) if _is_compared(examples, features)]
    for index in judged_on:
        others = [*sets[:index], *sets[index + 1 :]]
        every = np.arange(len(sets[index].scores))
        if len(judged_on) > 1:
            yield index, every, others
            continue
        for rows in _fifths(sets[index].documents, seed):
            yield index, rows, [sets[index].rows(np.setdiff1d(every, rows)), *others]


def _fifths(documents: Sequence[str], seed: int) -> list[Int64]:
    """Rows in five parts, those of a document in the same one."""
    groups = _rows_by_document(documents)
    if len(groups) < 2:
        raise GistmarkError("Training takes summaries of two or more documents.")
    order = generator(seed, "fifths").permutation(len(groups))
    parts = np.array_split(order, min(FOLDS, len(groups)))
    return [np.sort(np.concatenate([groups[number] for number in part])) for part in parts]


def _rows_by_document(documents: Sequence[str]) -> list[Int64]:
    rows: dict[str, list[int]] = {}
    for row, document in enumerate(documents):
        rows.setdefault(document, []).append(row)
    return [np.array(numbers) for numbers in rows.values()]


@dataclass(frozen=True)
class _Trial:
    """A corpus, and the weights that others gave."""

    data: Judged
    examples: TrainingSet
    fit: Fit
    covariance: Float64

    @property
    def errors(self) -> Float64:
        """People's scores minus predictions, both around the corpus's mean."""
        values = self.fit.predict(self.examples.features)
        scores = self.examples.scores - self.examples.scores.mean()
        errors: Float64 = scores / (scores.std() or 1.0) - (values - values.mean())
        return errors

    @property
    def open(self) -> Float64:
        """The variances that the weights leave open."""
        standard = self.fit.standardised(self.examples.features)
        variances: Float64 = np.einsum("ij,jk,ik->i", standard, self.covariance, standard)
        return variances

    def judged(self, residual: float) -> HeldOut:
        values, scores = self.fit.predict(self.examples.features), self.examples.scores
        words = np.array([float(len(item.summary.split())) for item in self.data.items])
        deviations = np.sqrt(self.open + residual**2)
        return HeldOut(
            name=self.data.name,
            human=self.data.human,
            n=len(scores),
            pearson=_correlation("pearson", values, scores),
            spearman=_correlation("spearman", values, scores),
            given_length=_at_equal_length(values, scores, words),
            covered=float((np.abs(self.errors) <= deviations).mean()),
            lowered={
                kind: float((self.fit.predict(after) < self.fit.predict(before)).mean())
                for kind, (before, after) in self.examples.spoiled.items()
            },
        )


def _residual(trials: Sequence[_Trial]) -> float:
    """What is added to the weights' deviations, so that one deviation covers what it should.

    Every corpus counts alike. It is the smallest number with which 68 % of people's scores are
    within one standard deviation of the prediction.
    """
    lacks = [np.sqrt(np.maximum(trial.errors**2 - trial.open, 0.0)) for trial in trials]
    weights = np.concatenate([np.full(len(lack), 1 / len(lack)) for lack in lacks])
    together = np.concatenate(lacks)
    order = np.argsort(together)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(together[order][np.searchsorted(reached, _ONE_SD)])


def _at_equal_length(values: Float64, scores: Float64, words: Float64) -> float:
    """Spearman's correlation of values and scores with the number of words held constant."""
    both, first, second = (
        _correlation("spearman", *pair)
        for pair in ((values, scores), (values, words), (scores, words))
    )
    scale = np.sqrt((1 - first**2) * (1 - second**2))
    return float((both - first * second) / scale) if scale > 0 else 0.0


def _correlation(coefficient: str, x: Float64, y: Float64) -> float:
    """0 where one of them does not vary: then nothing is followed."""
    value = float(correlate(x[None], y[None], coefficient).values[0])
    return value if np.isfinite(value) else 0.0


def _rounded(result: HeldOut) -> dict[str, object]:
    record = asdict(result)
    record["lowered"] = {kind: round(share, 3) for kind, share in result.lowered.items()}
    return {k: round(v, 3) if isinstance(v, float) else v for k, v in record.items()}
