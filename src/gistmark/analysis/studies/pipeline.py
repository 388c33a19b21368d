"""A whole study of a corpus: agreement, human scores, correlation, differences, ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from gistmark.analysis.agreement.annotators import annotator_quality, respondent_quality
from gistmark.analysis.agreement.machine_highlights import highlight_matches, highlight_rankings
from gistmark.analysis.agreement.machines import (
    judge_tests,
    machine_agreement,
    machine_notes,
    without_machines,
)
from gistmark.analysis.confidence.halves import halves_by_confidence
from gistmark.analysis.correlation import COEFFICIENTS, shown_coefficients
from gistmark.analysis.correlation.accuracy import accuracies, accuracy_differences
from gistmark.analysis.correlation.correlations import (
    annotation_correlations,
    correlations,
    dimension_correlations,
    vote_correlations,
)
from gistmark.analysis.correlation.differences import metric_differences
from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.correlation.ordering import Ordering, ordering
from gistmark.analysis.correlation.subsets import choose
from gistmark.analysis.correlation.system_pairs import CloseSystems, GapAgreement, gaps_of
from gistmark.analysis.data import measures as measuring
from gistmark.analysis.data.campaigns import by_campaign, scales_by_campaign
from gistmark.analysis.data.measures import Measures, combined
from gistmark.analysis.data.weights import not_at_random, weights_of
from gistmark.analysis.findings.answers import answer_findings
from gistmark.analysis.findings.campaigns import (
    campaign_findings,
    campaign_methods,
    pooled_notes,
)
from gistmark.analysis.findings.headline import (
    choose_headline,
    headline_score,
    overall_by_campaign,
)
from gistmark.analysis.findings.metrics import MetricEvidence, helper_findings, metric_findings
from gistmark.analysis.findings.notes import (
    data_notes,
    family_notes,
    methods_text,
    resampling_notes,
    sampling_check_notes,
    within_scales,
)
from gistmark.analysis.findings.systems import (
    agreement_findings,
    contrast_notes,
    error_findings,
    ranking_notes,
    system_findings,
)
from gistmark.analysis.human import HumanScores
from gistmark.analysis.human import joined as joined_scores
from gistmark.analysis.human.marks import error_counts
from gistmark.analysis.human.modes import modes_of
from gistmark.analysis.human.scores import preferences
from gistmark.analysis.learning.contributions import contributions
from gistmark.analysis.prediction_powered import Powered, powered_estimates
from gistmark.analysis.prediction_powered.helpers import EVERY
from gistmark.analysis.ranking.fit import fit_notes
from gistmark.analysis.ranking.ranking import Ranking
from gistmark.analysis.ranking.stopping import (
    checked_sequence,
    sequential_findings,
    sequential_pairs,
)
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies import displays
from gistmark.analysis.studies.options import LEVELS, StudyOptions
from gistmark.analysis.studies.people import LENGTH, People
from gistmark.analysis.studies.records import (
    Accuracy,
    AccuracyDifference,
    Agreement,
    Correlation,
    Difference,
    Finding,
    Headline,
    Measure,
    MetricSplit,
    Note,
    Strength,
)
from gistmark.analysis.studies.results import Signature, Study
from gistmark.analysis.variance.components import Contrast, Variance, variance_of
from gistmark.corpus import Corpus, load
from gistmark.errors import GistmarkError, UsageError
from gistmark.runtime.seeds import generator
from gistmark.scoring import Scores
from gistmark.scoring.run import Steps


def study(
    corpus: Corpus | str | Path,
    scores: Scores | None = None,
    options: StudyOptions | None = None,
    *,
    progress: Steps | None = None,
) -> Study:
    """Study a corpus, with the scores of metrics if there are any.

    Whatever the corpus has is studied: ratings, comparisons, highlights, marks of content units,
    marked errors, answers to other questions, scores. What cannot be computed carries its reason,
    and oddities of the data are in `notes`. Only a corpus with nothing to study is an error.
    """
    options = options or StudyOptions()
    corpus = load(corpus) if isinstance(corpus, str | Path) else corpus
    corpus, notes = within_scales(corpus, options.scales or {})
    whole, together = corpus, options.with_machines
    corpus, machines = without_machines(whole, options.judges, with_machines=together)
    about = machine_notes(whole, machines, with_machines=together)
    judged = (corpus.ratings, corpus.comparisons, corpus.highlights, corpus.presence, corpus.spans)
    if not (any(judged) or corpus.responses or scores):
        raise GistmarkError(
            "There is nothing to study: the corpus has no ratings, comparisons, highlights, "
            "presence marks, error annotations or answers, and no scores were given."
            + "".join(f" {note.text}" for note in about)
        )
    modes = modes_of(corpus, options.scales)
    split = options.by is not None
    notes += pooled_notes(corpus, modes.differences, split=split)
    apart = campaign_findings(modes.differences) if split else ()
    described = campaign_methods(modes.modes, split=split)
    if split:
        overall = overall_by_campaign(whole.ratings, options.overall)
        scales = scales_by_campaign(whole, options.scales or {})
        corpus, machines = by_campaign(corpus, like=whole), by_campaign(machines, like=whole)
        options = replace(options, overall=overall, scales=scales)
    tests = judge_tests(corpus.ratings, machines.ratings, epsilon=options.epsilon)
    run = _StudyRun(corpus, scores, options)
    result = run.result([*notes, *about], progress or (lambda *_: None))
    return replace(
        result,
        findings=(*result.findings, *apart),
        modes=modes.modes,
        mode_differences=modes.differences,
        judges=tests,
        machines=machine_agreement(corpus, machines),
        highlight_matches=highlight_matches(corpus, machines),
        highlight_rankings=highlight_rankings(corpus, machines),
        methods=" ".join([result.methods, *described, *(note.text for note in about)]),
    )


def people_study(corpus: Corpus, options: StudyOptions | None = None) -> Study:
    """What people say about systems, and how far they agree: a study without any correlation.

    Its records are the same as those that `study` has of them.
    """
    return _StudyRun(corpus.by_people(), None, options or StudyOptions()).people_result()


class _StudyRun:
    """One run of a study: the tables that its parts share."""

    def __init__(self, corpus: Corpus, scores: Scores | None, options: StudyOptions) -> None:
        self.corpus = corpus
        self.scores = scores
        self.options = options
        self.rng = generator(options.seed)
        self.resampling = self._resampling(self.rng)
        self._orderings: dict[tuple[str, str, str, bool], Ordering] = {}
        self.lengths = measuring.length_measures(corpus)
        self.people = People(corpus, options, self.lengths)
        self.human = self.people.scores
        self.main = self._measures("main")
        self.all = self._measures("all")

    def result(self, notes: Sequence[Note], step: Steps) -> Study:
        """Go through all steps, announcing each before it begins."""
        step("Agreement", 0, 5)
        agreement = self.people.agreement(self.rng)
        step("Correlation", 1, 5)
        correlation = self._correlation()
        step("Ranking", 2, 5)
        scores = None if self.scores is None else measuring.measures_of(self.scores, parts="main")
        ranking = self.people.ranking(scores)
        step("Differences between metrics", 3, 5)
        differences = self._differences()
        step("Findings", 4, 5)
        headline = self._headline(correlation, ranking)
        computed = self._with_descriptions(self._judged(agreement, ranking, headline), notes)
        computed = self._with_metrics(computed, headline, correlation, differences)
        return replace(
            self._with_displays(computed),
            variance=self._variance.components,
            reliability=self._variance.reliability,
            contrasts=self._variance.contrasts,
        )

    def people_result(self) -> Study:
        """Agreement, ranking, what they say, and the oddities of the data."""
        agreement, ranking = self.people.agreement(self.rng), self.people.ranking()
        headline = self._headline((), ranking)
        computed = self._judged(agreement, ranking, headline)
        # A mixed model takes longer than all else here; only the leading dimension's is spoken of.
        variance = variance_of(
            [r for r in self.people.named_ratings if r.dimension == headline.ratings]
        )
        return replace(
            computed,
            findings=(
                *self._system_findings(headline, computed, variance.contrasts),
                *error_findings(computed.errors),
                *answer_findings(computed.questions, computed.options),
                *agreement_findings(agreement),
                *self.people.confidence_findings(),
            ),
            notes=self._notes(computed, variance),
            histograms=tuple(displays.rating_bins(self.corpus.ratings)),
            spreads=tuple(displays.spreads(self.corpus.ratings, agreement)),
            preferences=tuple(preferences(self.corpus.comparisons)),
        )

    def _judged(
        self, agreement: Sequence[Agreement], ranking: Ranking, headline: Headline
    ) -> Study:
        """What people's judgements come to, without a finding yet."""
        answers = self.people.answers()
        return Study(
            headline=(headline,),
            agreement=tuple(agreement),
            ranking=ranking.ranks,
            pairs=ranking.pairs,
            length_effects=ranking.length_effects,
            errors=tuple(error_counts(self.corpus)),
            sequential=sequential_pairs(self.corpus),
            questions=answers.questions,
            options=answers.options,
            texts=answers.texts,
            sets=answers.sets,
            fits=ranking.fits,
            confidence=self.people.confidence.means,
            confidence_agreement=self.people.confidence.agreement,
            hard_documents=self.people.confidence.documents,
            document_tests=self.people.confidence.tests,
        )

    def _with_descriptions(self, computed: Study, notes: Sequence[Note]) -> Study:
        """With each person's and each summary's values, the oddities of the data, and methods."""
        return replace(
            computed,
            human_scores=tuple(self.people.every_score.records()),
            annotators=(
                *annotator_quality(self.corpus),
                *respondent_quality(self.people.questions, self.people.sets),
            ),
            notes=(*notes, *self._notes(computed, self._variance)),
            methods=methods_text(
                self.corpus, self.scores, self.options, self.human.names, computed.pairs
            ),
        )

    def _notes(self, computed: Study, variance: Variance) -> tuple[Note, ...]:
        """The oddities of the data, what tests of so many pairs mean, and where two disagree."""
        return (
            *checked_sequence(self.corpus),
            *data_notes(self.corpus, self.scores),
            *family_notes(computed.pairs),
            *self.people.notes(),
            *ranking_notes(computed.ranking),
            *contrast_notes(computed.pairs, variance.contrasts),
            *fit_notes(computed.fits),
        )

    def _system_findings(
        self, headline: Headline, computed: Study, contrasts: Sequence[Contrast]
    ) -> Iterator[Finding]:
        return system_findings(
            headline, computed.ranking, computed.pairs, contrasts, self.people.annotators
        )

    @cached_property
    def _variance(self) -> Variance:
        return variance_of(self.people.named_ratings)

    def _with_metrics(
        self, computed: Study, headline: Headline, correlation: Sequence[Correlation],
        differences: Sequence[Difference],
    ) -> Study:  # fmt: skip
        """With how metrics follow people, and all findings."""
        signatures = self.scores.signatures if self.scores else {}
        evidence = MetricEvidence(
            headline, self.all, self.corpus.ratings, self._ordering, differences, signatures,
            permutations=self.options.resamples if self.options.test == "permutation" else None,
        )  # fmt: skip
        measures = displays.measure_records(self.all, self.scores)
        gaps, close = self._gaps()
        powered = self._powered()
        return replace(
            computed,
            findings=(
                *self._system_findings(headline, computed, self._variance.contrasts),
                *sequential_findings(computed.sequential),
                *metric_findings(evidence),
                *helper_findings(powered, headline.human),
                *error_findings(computed.errors),
                *answer_findings(computed.questions, computed.options),
                *agreement_findings(computed.agreement),
                *self.people.confidence_findings(),
            ),
            correlation=tuple(correlation),
            differences=tuple(differences),
            signatures=tuple(Signature(*pair) for pair in signatures.items()),
            measures=tuple(measures),
            strengths=tuple(self._strengths(headline)),
            gaps=gaps,
            close_systems=close,
            powered=powered,
            notes=(
                *computed.notes,
                *resampling_notes(self.options, differences),
                *sampling_check_notes(powered),
            ),
        )

    def _with_displays(self, computed: Study) -> Study:
        """With what figures show, and the comparisons of metrics that no finding rests on."""
        ratings, measures = self.corpus.ratings, computed.measures
        agreement, strengths = computed.agreement, computed.strengths
        return replace(
            computed,
            system_means=tuple(displays.system_means(self.scores)),
            histograms=tuple(displays.rating_bins(ratings)),
            spreads=tuple(displays.spreads(ratings, agreement)),
            metric_splits=self._metric_splits(agreement, measures, strengths),
            preferences=tuple(preferences(self.corpus.comparisons)),
            accuracy=self._accuracy(),
            accuracy_differences=self._accuracy_differences(),
            contributions=tuple(contributions(self.scores)),
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
            for human in self.people.means.names
            if (ordered := displays.closest(strengths, measures, human, "global"))
        }
        splits = displays.metric_splits(self.corpus.ratings, agreement, self.all, best)
        return tuple(splits)

    def _headline(self, correlation: Sequence[Correlation], ranking: Ranking) -> Headline:
        return choose_headline(
            self.human.names, correlation, ranking.ranks, overall=self.options.overall,
            level=self.options.level, coefficient=self.options.coefficient,
        )  # fmt: skip

    def _resampling(self, rng: np.random.Generator) -> Resampling:
        options = self.options
        return Resampling(rng, options.resamples, options.over, anonymous=bool(self._anonymous))

    def _ordering(
        self, human: str, level: str, coefficient: str, *, bounded: bool = True
    ) -> Ordering:
        """The measures by how closely they follow a human score, with bounds where asked for."""
        key = (human, level, coefficient, bounded)
        if key not in self._orderings:
            defined_level = next((name for name in self._levels if name == level), None)
            resampling = self._resampling(generator(self.options.seed, "ordering", *key[:3]))
            self._orderings[key] = Ordering() if defined_level is None else ordering(
                self.all, self.human, human, defined_level, coefficient,
                resampling if bounded else None,
            )  # fmt: skip
        return self._orderings[key]

    def _strengths(self, headline: Headline) -> Iterator[Strength]:
        """Every measure by how closely it follows each human score, globally and at the headline.

        The coefficient is the headline's, or the first other one by which any measure has a value.
        """
        for human in self.human.names:
            for level in dict.fromkeys((*headline.levels, "global")):
                bounded = human == headline.human and level in headline.levels
                orders = (
                    self._ordering(human, level, coefficient, bounded=bounded).strengths
                    for coefficient in shown_coefficients(headline.coefficient)
                )
                yield from next((strengths for strengths in orders if strengths), ())

    def _measures(self, parts: measuring.Parts) -> Measures:
        if self.scores is None:
            return self.lengths
        measures = measuring.joined(measuring.measures_of(self.scores, parts=parts), self.lengths)
        together = [combined(measures, spec) for spec in self.options.combinations]
        return measuring.joined(measures, *together)

    @cached_property
    def _levels(self) -> tuple[Level, ...]:
        """Summaries whose systems are only numbered have no system level."""
        return LEVELS[1:] if self._anonymous else LEVELS

    @cached_property
    def _dimension_levels(self) -> tuple[Level, ...]:
        """By campaign, also whether two campaigns order the systems alike."""
        by_systems = self.options.by is not None and not self._anonymous
        return ("annotation", "global", "system") if by_systems else ("annotation", "global")

    @cached_property
    def _anonymous(self) -> frozenset[str]:
        return self.corpus.anonymous_systems

    def _correlation(self) -> list[Correlation]:
        ratings, resampling = self.corpus.ratings, self.resampling
        records = [
            *dimension_correlations(ratings, levels=self._dimension_levels, resampling=resampling),
            *vote_correlations(self.corpus.comparisons, resampling=resampling),
            *dimension_correlations(self.people.weighted_and_overall, resampling=resampling),
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
        confidence = self.people.mean_confidence
        variables = joined_scores(self.human, confidence)
        halves = halves_by_confidence(confidence) if self.scores is not None else ()
        for expression in (*self.options.subsets, *halves):
            subset = choose(expression, self.all, variables)
            records += correlations(
                self.main, self.human, levels=("global",), resampling=resampling, subset=subset
            )
        return records

    def _accuracy(self) -> tuple[Accuracy, ...]:
        """How often each metric orders pairs as people do, where systems have names."""
        if self.scores is None or self._anonymous:
            return ()
        options = self.options
        return accuracies(
            self.main, self.human, seed=options.seed, resamples=options.resamples,
            over=options.over,
        )  # fmt: skip

    def _accuracy_differences(self) -> tuple[AccuracyDifference, ...]:
        """All pairs of metrics for the leading human score, where systems have names."""
        leading = headline_score(self.human.names, self.options.overall)
        if self.scores is None or self._anonymous or leading is None:
            return ()
        return accuracy_differences(
            self.main.judging, self.human, leading, seed=self.options.seed,
            permutations=self.options.resamples, correction=self.options.correction,
            over=self.options.over,
        )  # fmt: skip

    def _gaps(self) -> tuple[tuple[GapAgreement, ...], tuple[CloseSystems, ...]]:
        """What differences of the metrics mean for the leading human score."""
        leading = headline_score(self.human.names, self.options.overall)
        if self.scores is None or self._anonymous or leading is None:
            return (), ()
        return gaps_of(self.main.judging, self.human, leading, seed=self.options.seed)

    def _powered(self) -> tuple[Powered, ...]:
        """Means of systems with a metric's help, if one was named."""
        if self.options.helper is None:
            return ()
        if self.scores is None:
            raise UsageError("A helper needs scores: give --scores or -m.")
        human = self.human.select(self.people.means.names)
        return powered_estimates(
            self.main if self.options.helper == EVERY else self.all, self.options.helper, human,
            population=self.options.population, weights=weights_of(self.corpus),
            reason=not_at_random(self.corpus), seed=self.options.seed,
        )  # fmt: skip

    def _differences(self) -> list[Difference]:
        """All pairs of metrics for the leading human score; the baseline's for every other."""
        if self.scores is None or not self.human.names:
            return []
        leading = headline_score(self.human.names, self.options.overall)
        first = self.human.select([leading or ""])
        others = self.human.select([name for name in self.human.names if name != leading])
        records: list[Difference] = []
        for level in self._levels:
            records += self._compared(self.all.judging, first, level, None)
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
