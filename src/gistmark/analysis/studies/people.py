"""What people say in a corpus: human scores, agreement, and how they rank the systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gistmark.analysis import human
from gistmark.analysis.agreement import (
    comparisons_agreement,
    highlights_agreement,
    options_agreement,
    presence_agreement,
    ratings_agreement,
    sets_agreement,
    spans_agreement,
)
from gistmark.analysis.confidence.documents import (
    DocumentTest,
    HardDocument,
    document_tests,
    hard_documents,
)
from gistmark.analysis.confidence.findings import confidence_findings
from gistmark.analysis.confidence.halves import ConfidenceAgreement, confidence_agreement
from gistmark.analysis.confidence.means import (
    ConfidenceMean,
    confidence_means,
    confidence_notes,
    values_of,
)
from gistmark.analysis.data.campaigns import parts_by_campaign
from gistmark.analysis.data.columns import Unit
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.data.weights import sampling_notes, weights_of
from gistmark.analysis.findings import words
from gistmark.analysis.human.composites import composite_scores, guess_overall
from gistmark.analysis.human.marks import error_scores, mark_ratings, unit_shares
from gistmark.analysis.human.questions import (
    OptionShare,
    QuestionSummary,
    TextAnswer,
    option_shares,
    question_summaries,
    questions_of,
    text_answers,
)
from gistmark.analysis.human.sets import SetScore, set_scores, set_values, sets_of
from gistmark.analysis.human.weighted import weighted_ratings
from gistmark.analysis.ranking.families import corrected_over_all
from gistmark.analysis.ranking.ranking import (
    CONFOUNDED,
    Ranking,
    is_confounded,
    joined,
    rank_comparisons,
    rank_human,
    rank_scores,
    rank_sets,
)
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.records import Agreement, Finding, Note
from gistmark.corpus import Corpus
from gistmark.metrics.batch import Batch
from gistmark.metrics.catalogue import metric_from
from gistmark.records import Rating
from gistmark.runtime.seeds import generator

LENGTH, WORDS = "chars", "words"


@dataclass(frozen=True)
class Answers:
    """The records of a study about questions that are neither ratings nor comparisons."""

    questions: tuple[QuestionSummary, ...]
    options: tuple[OptionShare, ...]
    texts: tuple[TextAnswer, ...]
    sets: tuple[SetScore, ...]


@dataclass(frozen=True)
class Confidence:
    """The records of a study about confidence, relevance weights and hard documents."""

    means: tuple[ConfidenceMean, ...]
    agreement: tuple[ConfidenceAgreement, ...]
    documents: tuple[HardDocument, ...]
    tests: tuple[DocumentTest, ...]


class People:
    """The judgements of a corpus; `lengths` are the lengths of its summaries.

    `scores` is what metrics are compared with; `every_score` has z-scores beside it.
    """

    def __init__(self, corpus: Corpus, options: StudyOptions, lengths: Measures) -> None:
        self.corpus = corpus
        self.options = options
        self._lengths, self._words = _by_unit(lengths, LENGTH), _by_unit(lengths, WORDS)
        ratings = corpus.ratings
        rated = {rating.dimension for rating in ratings}
        scales = {k: v for k, v in (options.scales or {}).items() if k in rated}
        self.means = human.dimension_means(ratings)
        # Scores over dimensions would put the campaigns of one together.
        whole, known, overall = ratings, scales, options.overall
        if options.by:
            whole, known, overall = (), {}, None
        composites = composite_scores(whole, overall=overall, scales=known).scores
        self.weighted = weighted_ratings(whole, overall=overall, scales=known)
        self.composites = human.joined(composites, human.dimension_means(self.weighted))
        self._scales = scales
        self.overall = options.overall or guess_overall(self.means.names)
        votes = human.votes_won(corpus.comparisons)
        z_scores = human.z_scores(ratings)
        self.units = unit_shares(corpus)
        self.errors = error_scores(corpus, self._words, options.severities)
        self.questions = questions_of(corpus.responses)
        self.sets = sets_of(self.questions)
        ordered = set_values(self.sets)
        graded = human.grade_weighted_means(ratings, options.grade_weights or {})
        compared = (self.means, graded, self.composites, votes, ordered, self.units, self.errors)
        self.every_score = human.joined(*compared, z_scores)
        self.scores = human.joined(*compared)

    def agreement(self, rng: np.random.Generator) -> list[Agreement]:
        """How far annotators agree, by every kind of judgement."""
        return [
            *ratings_agreement(self.corpus, rng=rng),
            *comparisons_agreement(self.corpus),
            *self._without_dimension("highlights", highlights_agreement),
            *self._without_dimension("presence", presence_agreement),
            *self._without_dimension("spans", spans_agreement),
            *options_agreement(self.questions),
            *sets_agreement(self.sets, rng=rng),
        ]

    def _without_dimension(
        self, kind: str, agreement: Callable[[Corpus], list[Agreement]]
    ) -> Iterator[Agreement]:
        """Agreement on marks; by campaign, its name stands where dimensions stand."""
        parts = parts_by_campaign(self.corpus, kind) if self.options.by else []
        if len(parts) < 2:
            yield from agreement(self.corpus)
            return
        for campaign, part in parts:
            for record in agreement(part):
                name = f"{record.dimension} ({campaign})" if record.dimension else campaign
                yield replace(record, dimension=name)

    def ranking(self, measures: Measures | None = None) -> Ranking:
        """How people rank the systems, and how metrics do if there are any.

        It has a random generator of its own: what people say must not depend on the metrics.
        """
        rng = generator(self.options.seed)
        weights = weights_of(self.corpus)
        dimensions = {comparison.dimension for comparison in self.corpus.comparisons}
        rankings = (*self.means.names, *self.composites.names), dimensions, self.sets
        resampling = Resampling(
            rng, self.options.resamples, self.options.over, weights,
            rankings=max(1, *map(len, rankings)),
        )  # fmt: skip
        ratings, over = self.corpus.ratings, self.options.pairs_over
        marks = tuple(mark_ratings(self.corpus, self._words, self.options.severities))
        without = self._without_summary
        anonymous = self._anonymous

        def named(unit: Unit) -> bool:
            return unit[1] not in anonymous

        named_sets = [sets.where(lambda system: system not in anonymous) for sets in self.sets]
        comparisons = [c for c in self.corpus.comparisons if named((c.document, c.left))]
        parts = [
            rank_human(
                self.means.where(named), resampling, ratings=ratings, over=over, without=without
            ),
            rank_human(
                self.composites.where(named), resampling, without=without,
                reason=CONFOUNDED if is_confounded(self.means.where(named), ratings) else None,
            ),
            rank_comparisons(comparisons, resampling, lengths=self._lengths, without=without),
            rank_human(
                self.units.where(named), resampling, by="units", ratings=marks, without=without
            ),
            rank_human(
                self.errors.where(named), resampling, by="spans", ratings=marks, without=without
            ),
            rank_sets(named_sets, resampling, without=without),
        ]  # fmt: skip
        if measures is not None:
            parts.append(rank_scores(measures.where(named), resampling, without=without))
        ranking = joined(parts)
        return replace(ranking, pairs=corrected_over_all(ranking.pairs))

    def answers(self) -> Answers:
        """What was answered to questions of other types, question by question."""
        return Answers(
            questions=tuple(question_summaries(self.questions)),
            options=tuple(option_shares(self.questions)),
            texts=tuple(text_answers(self.questions)),
            sets=tuple(set_scores(self.sets)),
        )

    @cached_property
    def confidence(self) -> Confidence:
        """How sure people are, how much dimensions count, and which documents are hard."""
        ratings, scales = self.corpus.ratings, self._scales
        return Confidence(
            means=tuple(
                confidence_means(
                    ratings, overall=self.options.overall, weights=weights_of(self.corpus),
                    anonymous=self._anonymous,
                )
            ),
            agreement=tuple(confidence_agreement(ratings, scales)),
            documents=tuple(
                hard_documents(
                    ratings, document_words(self.corpus), self._summary_words, scales=scales
                )
            ),
            tests=tuple(
                document_tests(
                    ratings, generator(self.options.seed, "documents"), scales=scales,
                    permutations=self.options.resamples,
                )
            ),
        )  # fmt: skip

    def confidence_findings(self) -> Iterator[Finding]:
        """What confidence and relevance weights say in words."""
        resampling = Resampling(
            generator(self.options.seed, "weights"), self.options.resamples,
            weights=weights_of(self.corpus),
        )  # fmt: skip
        yield from confidence_findings(
            self.corpus.ratings, self.confidence.means, self.confidence.agreement, resampling,
            overall=self.options.overall,
        )  # fmt: skip

    @cached_property
    def mean_confidence(self) -> human.HumanScores:
        """The mean confidence in the ratings of each summary, as `confidence`."""
        values = values_of(self.corpus.ratings, "confidence")
        return human.dimension_means([replace(value, dimension="confidence") for value in values])

    @property
    def weighted_and_overall(self) -> list[Rating]:
        """The weighted overall of annotations, and ratings of the overall dimension beside it."""
        overall = [rating for rating in self.corpus.ratings if rating.dimension == self.overall]
        return [*overall, *self.weighted] if self.weighted else []

    @property
    def _summary_words(self) -> dict[str, float]:
        """The mean length of the rated summaries of each document."""
        rated = dict.fromkeys((rating.document, rating.system) for rating in self.corpus.ratings)
        lengths: dict[str, list[float]] = {}
        for unit in rated:
            if unit in self._words:
                lengths.setdefault(unit[0], []).append(self._words[unit])
        return {document: float(np.mean(values)) for document, values in lengths.items()}

    def notes(self) -> list[Note]:
        """Notes that summaries are only numbered, and why human scores are missing."""
        notes = [Note(name, f"{why}.") for name, why in self.every_score.reasons.items()]
        for sets in self.sets:
            low, high = int(sets.sizes.min()), int(sets.sizes.max())
            if sets.type == "ranking" and low < high:
                text = (
                    f"The rankings are of {low} to {high} summaries, so mean ranks of systems that "
                    "were in sets of different sizes cannot be compared; the mean of "
                    "(k - rank) / (k - 1) can."
                )
                notes.append(Note(sets.question, text))
        notes += sampling_notes(self.corpus)
        notes += confidence_notes(self.corpus.ratings, self.options.overall)
        if not self._anonymous:
            return notes
        names = words.listed(sorted(self._anonymous))
        text = f"{names} only number the summaries of a document, so nothing is said about systems."
        return [Note("systems", text), *notes]

    @cached_property
    def annotators(self) -> dict[str, int]:
        """How many people are behind each kind of evidence."""
        corpus = self.corpus
        kinds = {
            "ratings": [rating.annotator for rating in corpus.ratings],
            "comparisons": [comparison.annotator for comparison in corpus.comparisons],
            "units": [mark.annotator for mark in corpus.presence],
            "spans": [span.annotator for span in corpus.spans],
            "rankings": [r.annotator for r in corpus.responses if r.type == "ranking"],
            "best-worst": [r.annotator for r in corpus.responses if r.type == "best-worst"],
        }
        return {kind: len({*names}) for kind, names in kinds.items()}

    @property
    def named_ratings(self) -> tuple[Rating, ...]:
        """The ratings of systems that are more than a number."""
        return tuple(r for r in self.corpus.ratings if r.system not in self._anonymous)

    @cached_property
    def _anonymous(self) -> frozenset[str]:
        return self.corpus.anonymous_systems

    @cached_property
    def _without_summary(self) -> frozenset[str]:
        """Systems that people judged and that wrote nothing here: they cannot win a ranking."""
        written = {summary.system for summary in self.corpus.summaries}
        judged = {system for _, system in self.scores.units}
        return frozenset(judged - written) if written else frozenset()


def document_words(corpus: Corpus) -> dict[str, int]:
    """The length of each document in words, as the metric `words` counts them."""
    texts, count = [document.text for document in corpus.documents], len(corpus.documents)
    scored = metric_from(WORDS).score(Batch.of_columns(texts, [()] * count, [None] * count))
    lengths = zip(corpus.documents, scored.values[:, 0].tolist(), strict=True)
    return {document.id: int(length) for document, length in lengths}


def _by_unit(lengths: Measures, name: str) -> dict[Unit, float]:
    return dict(zip(lengths.units, lengths.select([name]).values[0].tolist(), strict=True))
