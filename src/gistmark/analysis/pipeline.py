"""A whole study of a corpus: agreement, human scores, correlation, differences, ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from gistmark.analysis import displays, words
from gistmark.analysis import human as human_scores
from gistmark.analysis import measures as measuring
from gistmark.analysis.agreement import (
    comparisons_agreement,
    highlights_agreement,
    presence_agreement,
    ratings_agreement,
    spans_agreement,
)
from gistmark.analysis.agreement.annotators import annotator_quality
from gistmark.analysis.columns import Unit
from gistmark.analysis.correlation import COEFFICIENTS, DEFAULT_COEFFICIENT
from gistmark.analysis.correlation.correlations import (
    annotation_correlations,
    correlations,
    dimension_correlations,
    vote_correlations,
)
from gistmark.analysis.correlation.differences import metric_differences
from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.correlation.subsets import choose
from gistmark.analysis.findings.headline import choose_headline, headline_score
from gistmark.analysis.findings.metrics import MetricEvidence, metric_findings
from gistmark.analysis.findings.notes import Scale, data_notes, methods_text, within_scales
from gistmark.analysis.findings.systems import (
    agreement_findings,
    error_findings,
    system_findings,
)
from gistmark.analysis.human import HumanScores
from gistmark.analysis.human.composites import composite_scores
from gistmark.analysis.human.errors import error_counts, error_scores
from gistmark.analysis.human.units import unit_shares
from gistmark.analysis.measures import Measures, combined
from gistmark.analysis.ranking.ranking import (
    Ranking,
    joined,
    rank_comparisons,
    rank_human,
    rank_scores,
)
from gistmark.analysis.records import (
    Agreement,
    Correlation,
    Difference,
    Headline,
    Measure,
    MetricSplit,
    Note,
    Strength,
)
from gistmark.analysis.resampling.bootstrap import RESAMPLES, Over, Resampling
from gistmark.analysis.resampling.significance import Correction, Test
from gistmark.analysis.results import Signature, Study
from gistmark.corpus import Corpus, load
from gistmark.errors import GistmarkError, unknown_name
from gistmark.scoring import Scores
from gistmark.scoring.run import Steps
from gistmark.seeds import generator

LENGTH, WORDS = "chars", "words"

HeadlineLevel = Literal["system", "summary", "global"]
PairsOver = Literal["documents", "both"]

LEVELS: tuple[Level, ...] = ("system", "summary", "global")


@dataclass(frozen=True)
class StudyOptions:
    """What a study does beyond the usual.

    `overall` names the overall dimension where it cannot be guessed; `scales` the lowest and
    highest rating of dimensions; `subsets` are expressions such as `chars < 350`;
    `combinations` metrics taken together, such as `rouge1+js`; `baseline` is the metric that
    others are compared with; `over` what is resampled (documents, systems, both, or as fits the
    data). `level` and `coefficient` choose what is headlined: without a level, system and summary
    level beside each other. `test` compares metrics. `pairs_over` says for what differences
    between systems should hold: other documents, or both other documents and other annotators.
    `severities` are the weights of errors by severity, beyond or instead of the usual ones
    (`gistmark.analysis.human.errors`).
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
    level: HeadlineLevel | None = None
    coefficient: str = DEFAULT_COEFFICIENT
    test: Test = "bootstrap"
    pairs_over: PairsOver = "documents"
    severities: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        for noun, value, allowed in (
            ("level", self.level, (None, *LEVELS)),
            ("coefficient", self.coefficient, COEFFICIENTS.names()),
            ("test", self.test, get_args(Test)),
            ("pairs_over", self.pairs_over, get_args(PairsOver)),
        ):
            if value not in allowed:
                raise unknown_name(noun, str(value), [name for name in allowed if name])


def study(
    corpus: Corpus | str | Path,
    scores: Scores | None = None,
    options: StudyOptions | None = None,
    *,
    progress: Steps | None = None,
) -> Study:
    """Study a corpus, with the scores of metrics if there are any.

    Whatever the corpus has is studied: ratings, comparisons, highlights, marks of content units,
    marked errors, scores. What cannot be computed carries its reason, and oddities of the data are
    in `notes`. Only a corpus with nothing to study is an error.
    """
    options = options or StudyOptions()
    corpus = load(corpus) if isinstance(corpus, str | Path) else corpus
    corpus, notes = within_scales(corpus, options.scales or {})
    judged = (corpus.ratings, corpus.comparisons, corpus.highlights, corpus.presence, corpus.spans)
    if not (any(judged) or scores):
        raise GistmarkError(
            "There is nothing to study: the corpus has no ratings, comparisons, highlights, "
            "presence marks or error annotations, and no scores were given."
        )
    return _StudyRun(corpus, scores, options).result(notes, progress or (lambda *_: None))


def people_study(corpus: Corpus, options: StudyOptions | None = None) -> Study:
    """What people say about systems, and how far they agree: a study without any correlation.

    Its records are the same as those that `study` has of them.
    """
    return _StudyRun(corpus, None, options or StudyOptions()).people()


class _StudyRun:
    """One run of a study: the tables that its parts share."""

    def __init__(self, corpus: Corpus, scores: Scores | None, options: StudyOptions) -> None:
        self.corpus = corpus
        self.scores = scores
        rated = {rating.dimension for rating in corpus.ratings}
        self.scales = {k: v for k, v in (options.scales or {}).items() if k in rated}
        self.options = options
        self.rng = generator(options.seed)
        over = options.over or ("documents" if self._anonymous else None)
        self.resampling = Resampling(self.rng, options.resamples, over)
        self.lengths = measuring.length_measures(corpus)
        self.human = self._human()
        self.main = self._measures("main")
        self.all = self._measures("all")

    def result(self, notes: Sequence[Note], step: Steps) -> Study:
        """Go through all steps, announcing each before it begins."""
        scores = self.scores
        step("Agreement", 0, 5)
        agreement = self._agreement()
        annotators = tuple(annotator_quality(self.corpus))
        step("Correlation", 1, 5)
        correlation = self._correlation()
        step("Ranking", 2, 5)
        ranking = self._ranking()
        step("Differences between metrics", 3, 5)
        differences = self._differences()
        step("Findings", 4, 5)
        headline = self._headline(correlation, ranking)
        signatures = scores.signatures if scores else {}
        permutations = self.options.resamples if self.options.test == "permutation" else None
        evidence = MetricEvidence(
            headline, self.all, agreement, correlation, differences, signatures, permutations
        )
        reasons = [Note(name, f"{why}.") for name, why in self.everything_human.reasons.items()]
        measures = displays.measure_records(self.all, scores)
        strengths = displays.strengths(correlation, measures, headline)
        errors = error_counts(self.corpus)
        return Study(
            findings=(
                *system_findings(headline, ranking.ranks, ranking.pairs),
                *metric_findings(evidence),
                *error_findings(errors),
                *agreement_findings(agreement),
            ),
            headline=(headline,),
            agreement=tuple(agreement),
            correlation=tuple(correlation),
            differences=tuple(differences),
            ranking=ranking.ranks,
            pairs=ranking.pairs,
            human_scores=tuple(self.everything_human.records()),
            annotators=annotators,
            notes=(*notes, *data_notes(self.corpus, scores), *self._unranked(), *reasons),
            signatures=tuple(Signature(*pair) for pair in signatures.items()),
            measures=tuple(measures),
            strengths=tuple(strengths),
            system_means=tuple(displays.system_means(scores)),
            histograms=tuple(displays.rating_bins(self.corpus.ratings)),
            spreads=tuple(displays.spreads(self.corpus.ratings, agreement)),
            metric_splits=self._metric_splits(agreement, measures, strengths),
            errors=tuple(errors),
            methods=methods_text(self.corpus, scores, self.options, self.human.names),
        )

    def people(self) -> Study:
        """Agreement, ranking and what they say."""
        agreement, ranking = self._agreement(), self._ranking()
        headline, errors = self._headline((), ranking), error_counts(self.corpus)
        return Study(
            findings=(
                *system_findings(headline, ranking.ranks, ranking.pairs),
                *error_findings(errors),
                *agreement_findings(agreement),
            ),
            headline=(headline,),
            agreement=tuple(agreement),
            ranking=ranking.ranks,
            pairs=ranking.pairs,
            histograms=tuple(displays.rating_bins(self.corpus.ratings)),
            spreads=tuple(displays.spreads(self.corpus.ratings, agreement)),
            errors=tuple(errors),
        )

    def _metric_splits(
        self,
        agreement: Sequence[Agreement],
        measures: Sequence[Measure],
        strengths: Sequence[Strength],
    ) -> tuple[MetricSplit, ...]:
        """The metric that follows each dimension best, against groups of its annotators."""
        if self.scores is None:
            return ()
        best = {
            human: ordered[0]
            for human in self.means.names
            if (ordered := displays.closest(strengths, measures, human, "global"))
        }
        splits = displays.metric_splits(self.corpus.ratings, agreement, self.all, best)
        return tuple(splits)

    def _headline(self, correlation: Sequence[Correlation], ranking: Ranking) -> Headline:
        return choose_headline(
            self.human.names, correlation, ranking.ranks, overall=self.options.overall,
            level=self.options.level, coefficient=self.options.coefficient,
        )  # fmt: skip

    def _human(self) -> HumanScores:
        """What metrics are compared with; z-scores stand beside it in `everything_human`."""
        ratings = self.corpus.ratings
        self.means = human_scores.dimension_means(ratings)
        self.composites = composite_scores(
            ratings, overall=self.options.overall, scales=self.scales
        ).scores
        votes = human_scores.votes_won(self.corpus.comparisons)
        z_scores = human_scores.z_scores(ratings)
        self.units = unit_shares(self.corpus)
        words = dict(zip(self.lengths.units, self.lengths.select([WORDS]).values[0], strict=True))
        self.errors = error_scores(self.corpus, words, self.options.severities)
        compared = (self.means, self.composites, votes, self.units, self.errors)
        self.everything_human = human_scores.joined(*compared, z_scores)
        return human_scores.joined(*compared)

    def _measures(self, parts: measuring.Parts) -> Measures:
        if self.scores is None:
            return self.lengths
        own = measuring.joined(measuring.measures_of(self.scores, parts=parts), self.lengths)
        together = [
            combined(own, spec, how)
            for spec in self.options.combinations
            for how in ("sum", "rank")
        ]
        return measuring.joined(own, *together)

    def _agreement(self) -> list[Agreement]:
        corpus, rng, resamples = self.corpus, self.rng, self.options.resamples
        return [
            *ratings_agreement(corpus, rng=rng, resamples=resamples),
            *comparisons_agreement(corpus, rng=rng, resamples=resamples),
            *highlights_agreement(corpus, rng=rng, resamples=resamples),
            *presence_agreement(corpus, rng=rng, resamples=resamples),
            *spans_agreement(corpus, rng=rng, resamples=resamples),
        ]

    @cached_property
    def _levels(self) -> tuple[Level, ...]:
        """Summaries whose systems are only numbered have no system level."""
        return LEVELS[1:] if self._anonymous else LEVELS

    @cached_property
    def _anonymous(self) -> frozenset[str]:
        return self.corpus.anonymous_systems

    def _correlation(self) -> list[Correlation]:
        ratings, resampling = self.corpus.ratings, self.resampling
        records = [
            *dimension_correlations(ratings, resampling=resampling),
            *vote_correlations(self.corpus.comparisons, resampling=resampling),
        ]
        if not self.human.names:
            return records
        length = self.lengths.select([LENGTH])
        records += correlations(self.all, self.human, levels=self._levels, resampling=resampling)
        records += annotation_correlations(self.main, ratings, resampling=resampling)
        testable = (name for name in COEFFICIENTS if COEFFICIENTS.get(name).partial_t)
        partial = tuple(dict.fromkeys((*testable, self.options.coefficient)))
        records += correlations(
            self.main, self.human, levels=("global",), coefficients=partial,
            resampling=resampling, given=length,
        )  # fmt: skip
        for expression in self.options.subsets:
            subset = choose(expression, self.all, self.human)
            records += correlations(
                self.main, self.human, levels=("global",), resampling=resampling, subset=subset
            )
        return records

    def _differences(self) -> list[Difference]:
        """All pairs of metrics for the leading human score; the baseline's for every other."""
        if self.scores is None or not self.human.names:
            return []
        leading = headline_score(self.human.names, self.options.overall)
        rows = zip(self.all.names, self.all.better, strict=True)
        judging = self.all.select([str(name) for name, better in rows if better != "neither"])
        others = self.human.select([name for name in self.human.names if name != leading])
        records: list[Difference] = []
        for level in self._levels:
            records += self._compared(judging, self.human.select([leading or ""]), level, None)
            if self._baseline is not None:
                records += self._compared(self.main, others, level, self._baseline)
        return records

    def _compared(
        self, measures: Measures, human: HumanScores, level: Level, baseline: str | None
    ) -> tuple[Difference, ...]:
        options = self.options
        return metric_differences(
            measures, human, self.resampling, level=level, coefficient=options.coefficient,
            test=options.test, baseline=baseline, correction=options.correction,
        )  # fmt: skip

    @cached_property
    def _baseline(self) -> str | None:
        names = [str(name) for name in self.main.names]
        return next((n for n in names if n.partition(".")[0] == self.options.baseline), None)

    def _unranked(self) -> list[Note]:
        """That summaries are numbered, and what follows from it."""
        if not self._anonymous:
            return []
        names = words.listed(sorted(self._anonymous))
        text = f"{names} only number the summaries of a document, so nothing is said about systems."
        return [Note("systems", text)]

    def _has_name(self, unit: Unit) -> bool:
        return unit[1] not in self._anonymous

    @cached_property
    def _without_summary(self) -> frozenset[str]:
        """Systems that people judged and that wrote nothing here: they cannot win a ranking."""
        written = {summary.system for summary in self.corpus.summaries}
        judged = {system for _, system in self.human.units}
        return frozenset(judged - written) if written else frozenset()

    def _ranking(self) -> Ranking:
        """Drawn with a generator of its own: what people say must not depend on the metrics."""
        rng = generator(self.options.seed)
        resampling = Resampling(rng, self.options.resamples, self.options.over)
        ratings = self.corpus.ratings if self.options.pairs_over == "both" else ()
        without = self._without_summary
        named = self._has_name
        comparisons = [c for c in self.corpus.comparisons if named((c.document, c.left))]
        parts = [
            rank_human(self.means.where(named), resampling, ratings=ratings, without=without),
            rank_human(self.composites.where(named), resampling, without=without),
            rank_comparisons(comparisons, resampling, without=without),
            rank_human(self.units.where(named), resampling, by="units", without=without),
            rank_human(self.errors.where(named), resampling, by="spans", without=without),
        ]
        if self.scores is not None:
            measures = measuring.measures_of(self.scores, parts="main").where(named)
            parts.append(rank_scores(measures, resampling, without=without))
        return joined(parts)
