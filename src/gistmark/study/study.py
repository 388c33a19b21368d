"""A whole study of a corpus: agreement, human scores, correlation, differences, ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gistmark.corpus import Corpus, load
from gistmark.errors import GistmarkError
from gistmark.scoring import Scores
from gistmark.study import human as human_scores
from gistmark.study import measures as measuring
from gistmark.study.agreement import (
    comparisons_agreement,
    highlights_agreement,
    ratings_agreement,
)
from gistmark.study.annotators import annotator_quality
from gistmark.study.coefficients import Coefficient
from gistmark.study.combinations import combined
from gistmark.study.composites import composite_scores, guess_overall
from gistmark.study.corrections import Correction
from gistmark.study.correlation import annotation_correlations, correlations
from gistmark.study.data_notes import Scale, data_notes, within_scales
from gistmark.study.differences import metric_differences
from gistmark.study.dimensions import dimension_correlations, vote_correlations
from gistmark.study.human import HumanScores
from gistmark.study.measures import MeasureName, Measures
from gistmark.study.methods import methods_text
from gistmark.study.ranking import rank_comparisons, rank_human, rank_scores
from gistmark.study.records import Agreement, Correlation, Difference, Note, Rank
from gistmark.study.resampling import RESAMPLES, Over, Resampling
from gistmark.study.results import Signature, Study
from gistmark.study.significance import Test
from gistmark.study.subsets import choose

LENGTH = "chars"
BEST = 5
"""How many of the best metrics are compared with each other pair by pair."""


@dataclass(frozen=True)
class StudyOptions:
    """What a study does beyond the usual.

    `overall` names the overall dimension where it cannot be guessed; `scales` the lowest and
    highest rating of dimensions; `subsets` are expressions such as `chars < 350`;
    `combinations` metrics taken together, such as `rouge1+js`; `baseline` is the metric that
    others are compared with; `over` what is resampled (documents, systems, both, or as fits the
    data).
    """

    overall: str | None = None
    scales: Mapping[str, Scale] | None = None
    subsets: Sequence[str] = ()
    combinations: Sequence[str] = ()
    baseline: str = "rouge1"
    over: Over | None = None
    resamples: int = RESAMPLES
    correction: Correction = "holm"
    seed: int = 0


def study(
    corpus: Corpus | str | Path, scores: Scores | None = None, options: StudyOptions | None = None
) -> Study:
    """Study a corpus, with the scores of metrics if there are any.

    Whatever the corpus has is studied: ratings, comparisons, highlights, scores. What cannot be
    computed carries its reason, and oddities of the data are in `notes`. Only a corpus with
    nothing to study is an error.
    """
    options = options or StudyOptions()
    corpus = load(corpus) if isinstance(corpus, str | Path) else corpus
    corpus, notes = within_scales(corpus, options.scales or {})
    if not (corpus.ratings or corpus.comparisons or corpus.highlights or scores):
        raise GistmarkError(
            "There is nothing to study: the corpus has no ratings, comparisons or highlights, "
            "and no scores were given."
        )
    return _Inquiry(corpus, scores, options).result(notes)


class _Inquiry:
    """One study in the making: the tables that its parts share."""

    def __init__(self, corpus: Corpus, scores: Scores | None, options: StudyOptions) -> None:
        self.corpus = corpus
        self.scores = scores
        rated = {rating.dimension for rating in corpus.ratings}
        self.scales = {k: v for k, v in (options.scales or {}).items() if k in rated}
        self.options = options
        self.rng = np.random.default_rng(options.seed)
        self.resampling = Resampling(self.rng, options.resamples, options.over)
        self.human = self._human()
        self.lengths = measuring.length_measures(corpus)
        self.main = self._measures("main")
        self.all = self._measures("all")

    def result(self, notes: Sequence[Note]) -> Study:
        scores = self.scores
        reasons = [Note(name, f"{why}.") for name, why in self.everything_human.reasons.items()]
        return Study(
            agreement=tuple(self._agreement()),
            correlation=tuple(self._correlation()),
            differences=tuple(self._differences()),
            ranking=tuple(self._ranking()),
            human_scores=tuple(self.everything_human.records()),
            annotators=tuple(annotator_quality(self.corpus)),
            notes=(*notes, *data_notes(self.corpus, scores), *reasons),
            signatures=tuple(Signature(*pair) for pair in scores.signatures.items())
            if scores
            else (),
            methods=methods_text(self.corpus, scores, self.options),
        )

    def _human(self) -> HumanScores:
        """What metrics are compared with; z-scores stand beside it in `everything_human`."""
        ratings = self.corpus.ratings
        self.means = human_scores.dimension_means(ratings)
        self.composites = composite_scores(
            ratings, overall=self.options.overall, scales=self.scales
        ).scores
        votes = human_scores.votes_won(self.corpus.comparisons)
        z_scores = human_scores.z_scores(ratings)
        self.everything_human = human_scores.joined(self.means, self.composites, votes, z_scores)
        return human_scores.joined(self.means, self.composites, votes)

    def _measures(self, parts: measuring.Parts) -> Measures:
        if self.scores is None:
            return self.lengths
        found = measuring.joined(measuring.measures_of(self.scores, parts=parts), self.lengths)
        together = [
            combined(found, spec, how)
            for spec in self.options.combinations
            for how in ("sum", "rank")
        ]
        return measuring.joined(found, *together)

    def _agreement(self) -> list[Agreement]:
        corpus, rng, resamples = self.corpus, self.rng, self.options.resamples
        return [
            *ratings_agreement(corpus, rng=rng, resamples=resamples),
            *comparisons_agreement(corpus, rng=rng, resamples=resamples),
            *highlights_agreement(corpus, rng=rng, resamples=resamples),
        ]

    def _correlation(self) -> list[Correlation]:
        ratings, resampling = self.corpus.ratings, self.resampling
        found = [
            *dimension_correlations(ratings, resampling=resampling),
            *vote_correlations(self.corpus.comparisons, resampling=resampling),
        ]
        if not self.human.names:
            return found
        length = self.lengths.select([LENGTH])
        found += correlations(self.all, self.human, resampling=resampling)
        found += annotation_correlations(self.main, ratings, resampling=resampling)
        found += correlations(
            self.main, self.human, levels=("global",), resampling=resampling, given=length
        )
        for expression in self.options.subsets:
            subset = choose(expression, self.all, self.human)
            found += correlations(
                self.main, self.human, levels=("global",), resampling=resampling, subset=subset
            )
        return found

    def _differences(self) -> list[Difference]:
        names = [str(name) for name in self.main.names]
        base = next((n for n in names if n.partition(".")[0] == self.options.baseline), None)
        if self.scores is None or not self.human.names:
            return []
        found: list[Difference] = []
        if base is not None:
            found += metric_differences(
                self.main, self.human, self.resampling, coefficient="spearman", baseline=base,
                correction=self.options.correction,
            )  # fmt: skip
        return found + self._between_the_best()

    def _between_the_best(self) -> list[Difference]:
        """The best metrics against each other, for the human score that matters most."""
        headline = headline_score(self.human.names, self.options.overall)
        ranked = correlations(self.main, self.human, levels=("global",), coefficients=("spearman",))
        signs = {"higher": 1.0, "lower": -1.0}
        better = {
            str(name): way for name, way in zip(self.main.names, self.main.better, strict=True)
        }
        strength = {
            name: record.value * signs[better[name]]
            for record in ranked
            if record.human == headline and record.value is not None
            for name in [str(MeasureName(record.metric, record.part))]
            if better[name] in signs
        }
        best = sorted(strength, key=lambda name: -strength[name])[:BEST]
        if len(best) < 2:
            return []
        chosen = self.main.select(best)
        ways: tuple[tuple[Test, Coefficient], ...] = (
            ("permutation", "spearman"),
            ("williams", "pearson"),
        )
        pairs = [
            pair
            for test, coefficient in ways
            for pair in metric_differences(
                chosen, self.human, self.resampling, coefficient=coefficient, test=test,
                correction=self.options.correction,
            )
        ]  # fmt: skip
        return [pair for pair in pairs if pair.human == headline]

    def _ranking(self) -> list[Rank]:
        """Drawn with a generator of its own: what people say must not depend on the metrics."""
        rng = np.random.default_rng(self.options.seed)
        resampling = Resampling(rng, self.options.resamples, self.options.over)
        found = list(rank_human(self.means, resampling))
        found += rank_human(self.composites, resampling)
        found += rank_comparisons(self.corpus.comparisons, resampling)
        if self.scores is not None:
            found += rank_scores(measuring.measures_of(self.scores, parts="main"), resampling)
        return found


def headline_score(names: Sequence[str], overall: str | None = None) -> str:
    """The human score that a reader looks at first: the overall dimension, HS3, or the first."""
    for candidate in (overall, guess_overall(names), "HS3", "HS1"):
        if candidate is not None and candidate in names:
            return candidate
    return names[0]
