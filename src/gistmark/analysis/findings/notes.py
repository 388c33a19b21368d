"""What a reader should know: oddities of the data in sentences, and the methods paragraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gistmark._version import __version__
from gistmark.analysis.confidence.findings import confidence_methods
from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.data.measures import measures_of
from gistmark.analysis.data.weights import sampling_methods
from gistmark.analysis.findings import words
from gistmark.analysis.findings.answers import answer_methods
from gistmark.analysis.human.marks import NO_SEVERITY, severity_weights
from gistmark.analysis.human.weighted import WEIGHTED_OVERALL
from gistmark.analysis.prediction_powered import Powered
from gistmark.analysis.prediction_powered.sampling import NOT_RANDOM
from gistmark.analysis.ranking.families import families
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.resampling.bootstrap import FEWEST_DRAWS, FEWEST_SYSTEMS, too_few_draws
from gistmark.analysis.studies.options import Scale, StudyOptions
from gistmark.analysis.studies.records import Difference, Note, Pair
from gistmark.corpus import Corpus
from gistmark.records import Rating
from gistmark.scoring import Scores

FEW_DOCUMENTS = 10

ALIKE = 0.5
"""Two systems are noted as alike from this share of identical summaries on."""

ONE_SYSTEM = 0.9
"""From this share on two systems are taken as one under two names."""

_FEWEST_VALUES = 10
"""Metrics with fewer values are not called copies of each other."""

ALIKE_PAIRS = 5
"""How many pairs of such systems are named; the others are only counted."""


def within_scales(corpus: Corpus, scales: Mapping[str, Scale]) -> tuple[Corpus, list[Note]]:
    """The corpus without ratings outside their dimension's scale, and a note for each dimension."""
    outside: Counter[str] = Counter()
    kept: list[Rating] = []
    for rating in corpus.ratings:
        low, high = scales.get(rating.dimension, (-np.inf, np.inf))
        if low <= rating.value <= high:
            kept.append(rating)
        else:
            outside[rating.dimension] += 1
    notes = [
        Note(
            dimension,
            f"{words.counted(count, 'rating')} outside the scale from {scales[dimension][0]:g} to "
            f"{scales[dimension][1]:g} {'was' if count == 1 else 'were'} left out.",
        )
        for dimension, count in outside.items()
    ]
    return replace(corpus, ratings=tuple(kept)), notes


def data_notes(corpus: Corpus, scores: Scores | None) -> list[Note]:
    """Oddities of the data that bear on the conclusions."""
    records = [Note(note.file or "corpus", note.message) for note in corpus.notes]
    records += _about_ratings(corpus.ratings)
    records += _about_systems(corpus, scores)
    records += _about_identical_summaries(corpus)
    if scores is not None:
        for name, column in scores.columns.items():
            if column.reasons:
                share = f"{len(column.reasons):,} of {scores.summary_count:,}"
                text = f"{share} summaries could not be scored: {column.why}."
                records.append(Note(name, text))
        records += [*_about_copies(scores), *known_word_notes(scores)]
    return records


def _about_ratings(ratings: Iterable[Rating]) -> Iterator[Note]:
    values: dict[str, set[float]] = {}
    counts: Counter[str] = Counter()
    for rating in ratings:
        values.setdefault(rating.dimension, set()).add(rating.value)
        counts[rating.annotator] += 1
    for dimension, distinct in values.items():
        if len(distinct) == 1:
            only = next(iter(distinct))
            text = f"Every rating is {only:g}, so nothing can be said about this dimension."
            yield Note(dimension, text)
    once = sorted(annotator for annotator, count in counts.items() if count == 1)
    if once:
        names = ", ".join(once[:10]) + (", …" if len(once) > 10 else "")
        people = words.counted(len(once), "annotator")
        yield Note("annotators", f"{people} gave a single rating: {names}.")


def _about_systems(corpus: Corpus, scores: Scores | None) -> Iterator[Note]:
    written = {summary.system for summary in corpus.summaries}
    judged = {rating.system for rating in corpus.ratings}
    judged |= {side for pair in corpus.comparisons for side in (pair.left, pair.right)}
    judged |= {mark.system for mark in corpus.presence} | {span.system for span in corpus.spans}
    judged |= {system for answer in corpus.responses for system in answer.systems}
    unknown = sorted(judged - written) if written else []
    if unknown:
        names = ", ".join(unknown)
        text = f"People judged systems that have no summary here, so these have no rank: {names}."
        yield Note("systems", text)
    if scores is not None and judged:
        unjudged = sorted(set(scores.systems) - judged)
        if unjudged:
            names = ", ".join(unjudged)
            yield Note("systems", f"Nobody judged these systems, which have scores: {names}.")
    kinds = (
        corpus.ratings, corpus.comparisons, corpus.presence, corpus.spans, corpus.responses
    )  # fmt: skip
    documents = {judgement.document for judgements in kinds for judgement in judgements}
    if 0 < len(documents) < FEW_DOCUMENTS:
        few = words.counted(len(documents), "document")
        text = f"People judged only {few}; intervals over so few are rough."
        if len(documents) == 1:
            text = "People judged only 1 document, which says nothing about others."
        yield Note("documents", text)


def _about_identical_summaries(corpus: Corpus) -> Iterator[Note]:
    """Pairs of systems that wrote the same text for at least `ALIKE` of the documents of both."""
    pairs = _alike(corpus)
    for left, right, same, both in pairs[:ALIKE_PAIRS]:
        where = f"{same:,} of the {both:,} documents that both summarised"
        if same == both:
            where = f"all {both:,} documents that both summarised"
        if both == 1:
            where = "the one document that both summarised"
        text = (
            f"The summaries of {left} and {right} are identical for {where}; a difference between "
            "the two there does not come from the text."
        )
        if same >= ONE_SYSTEM * both and both > 1:
            text += (
                " They are one system under two names: that people judge one of them better is "
                "chance, and correlations over systems count it twice."
            )
        yield Note("summaries", text)
    more = len(pairs) - ALIKE_PAIRS
    if more > 0:
        word = "pair of systems has" if more == 1 else "pairs of systems have"
        share = f"at least {ALIKE:.0%} of their common documents"
        yield Note("summaries", f"{more:,} more {word} identical summaries for {share}.")


def _alike(corpus: Corpus) -> list[tuple[str, str, int, int]]:
    """Two systems, how many of their summaries are the same, and of how many; most alike first.

    Summaries are compared as they are, to the last character. Anonymous systems are left out:
    their names say nothing about who wrote what.
    """
    systems = [name for name in corpus.systems if name not in corpus.anonymous_systems]
    row = {document: number for number, document in enumerate(corpus.document_ids)}
    column = {system: number for number, system in enumerate(systems)}
    numbers: dict[str, int] = {}
    # Equal texts have equal numbers, and -1 is a summary that is missing.
    texts = np.full((len(row), len(column)), -1)
    for summary in corpus.summaries:
        if not summary.reference and summary.system in column:
            number = numbers.setdefault(summary.text, len(numbers))
            texts[row[summary.document], column[summary.system]] = number
    alike: list[tuple[str, str, int, int]] = []
    for number, left in enumerate(systems):
        mine, others = texts[:, number, None], texts[:, number + 1 :]
        both = ((mine >= 0) & (others >= 0)).sum(axis=0)
        same = ((mine >= 0) & (mine == others)).sum(axis=0)
        alike += (
            (left, systems[number + 1 + index], int(same[index]), int(both[index]))
            for index in np.flatnonzero((both > 0) & (same >= ALIKE * both))
        )
    return sorted(alike, key=lambda pair: (-pair[2] / pair[3], -pair[3]))


def _about_copies(scores: Scores) -> Iterator[Note]:
    """Metrics whose values are those of another one, named once for each such other.

    Few values may be alike by chance, and those of metrics that are constant are.
    """
    measures = measures_of(scores, parts="main").judging
    copies: dict[int, list[int]] = {}
    for row, values in enumerate(measures.oriented):
        finite = values[np.isfinite(values)]
        if len(finite) < _FEWEST_VALUES or np.ptp(finite) == 0:
            continue
        same = (
            first for first in copies
            if np.allclose(measures.oriented[first], values, rtol=1e-9, atol=0, equal_nan=True)
        )  # fmt: skip
        copies.setdefault(next(same, row), []).append(row)
    for first, rows in copies.items():
        names = [str(measures.names[row]) for row in rows]
        if len(names) > 1:
            have, number = ("has", "two") if len(names) == 2 else ("have", str(len(names)))
            yield Note(
                str(measures.names[first]),
                f"{words.listed(names[1:])} {have} the same values as {names[0]} here: one metric "
                f"under {number} names, which counts {number} times where p values are corrected.",
            )


def family_notes(pairs: Sequence[Pair]) -> Iterator[Note]:
    """What it means that pairs of systems were tested in several rankings."""
    for family in families(pairs):
        kept = words.counted(family.significant, "pair")
        differ = "differs" if family.significant == 1 else "differ"
        yield Note(
            family.by,
            f"Pairs of systems were tested in {family.rankings} rankings by {family.by} "
            f"({family.method}), each corrected by itself; with no true difference, up to "
            f"{words.show_percent(family.false_alarms)} of such studies would have a false one in "
            f"some ranking. Corrected over all {family.pairs:,} pairs together (p_all), {kept} "
            f"{differ} significantly.",
        )


def resampling_notes(options: StudyOptions, differences: Sequence[Difference]) -> Iterator[Note]:
    """What so few resamples cannot tell: intervals, and p values that survive a correction."""
    if (few := too_few_draws(options.resamples)) is not None:
        yield Note(
            "resamples",
            f"{words.sentence(few)}: the ends of a bootstrap interval at 95 % leave out 2.5 % on "
            "either side, so such intervals, and tests that rest on them, are not given.",
        )
    if options.test != "permutation" or options.correction != "holm":
        return
    largest = max(Counter((d.human, d.level) for d in differences).values(), default=0)
    least = 1.0 / (1 + options.resamples)
    if largest * least >= SIGNIFICANT:
        yield Note(
            "resamples",
            f"With {options.resamples:,} permutations no p is below {words.show_number(least)}, so "
            f"none of {largest:,} comparisons of metrics can be significant after correction.",
        )


def sampling_check_notes(records: Sequence[Powered]) -> Iterator[Note]:
    """That the helper itself tells judged documents from the others."""
    for human in dict.fromkeys(record.human for record in records):
        cautions = (r.caution for r in records if r.human == human and r.caution is not None)
        caution = next((text for text in cautions if NOT_RANDOM in text), None)
        if caution is not None:
            yield Note(human, f"{words.sentence(caution)}.")


def known_word_notes(scores: Scores) -> Iterator[Note]:
    """A note on each metric whose word vectors do not know every word.

    For a summary and what it is compared with, the smaller share counts. Summaries without a value
    count too, where their share is known.
    """
    for name, column in scores.columns.items():
        if "known" not in column.parts:
            continue
        shares = column.part("known")
        shares = shares[np.isfinite(shares)]
        if len(shares) and shares.min() < 1:
            mean = words.show_percent(float(shares.mean()))
            least = words.show_percent(float(shares.min()))
            yield Note(
                name,
                f"The word vectors know {mean} of the words on average (lowest: {least}); for a "
                "summary and its target, the smaller share counts.",
            )


_COMPOSITES = {
    "HS1": "HS1 is the mean of the normalised dimensions except the overall one.",
    "HS2": "HS2 weights these by the softmax of the row sums of their correlation matrix.",
    "HS3": "HS3 is the normalised overall dimension.",
    WEIGHTED_OVERALL: "The weighted overall is the mean over annotations of sum(w r) / sum(w), "
    "with the normalised ratings r of the dimensions except the overall one and the weights w that "
    "the annotator gave them for this summary.",
}


def methods_text(
    corpus: Corpus, scores: Scores | None, options: StudyOptions, humans: Collection[str],
    pairs: Sequence[Pair] = (),
) -> str:  # fmt: skip
    """A paragraph on the data, the statistics and the resampling of a study.

    `humans` are the human scores that could be computed, `pairs` those of systems that were tested.
    """
    counts = [f"{count:,} {name}" for name, count in corpus.counts().items() if count]
    parts = [f"Computed with Gistmark {__version__}.", f"The corpus has {', '.join(counts)}."]
    parts += sampling_methods(corpus)
    if corpus.ratings:
        parts.append(
            "Agreement between annotators is Krippendorff's alpha (ordinal for scales of few whole "
            "numbers, interval otherwise), Fleiss' kappa, Gwet's AC1 and AC2 (ordinal weights), "
            "Brennan and Prediger's coefficient, intraclass correlations, and the Spearman "
            "correlation of each annotator with the mean of the others. Variance "
            "components are those of a crossed mixed-effects model by REML: systems fixed; "
            "annotators, documents, annotators by documents, single summaries and annotators by "
            "systems random, as far as the design tells them apart; its differences between "
            "systems have Satterthwaite's degrees of freedom and Holm's correction."
        )
    parts += [sentence for name, sentence in _COMPOSITES.items() if name in humans]
    parts += confidence_methods(corpus.ratings)
    if corpus.comparisons:
        parts.append(
            "Comparisons are summarised by the share of the majority with its chance level, by "
            "nominal alpha in the stored orientation and independent of it, and by Bradley-Terry "
            "strengths with a small penalty that keeps undefeated systems finite. Strengths lead "
            "unless all pairs met about equally often. Whether choices fit them is tested by G² "
            "with a wild bootstrap by document; where they do not, pairs are tested by the votes "
            "between the two. For length-controlled strengths the difference of two summaries' "
            "lengths in characters "
            "over their sum is a covariate, in standard deviations, with the same penalty; their "
            "intervals are by the infinitesimal jackknife over documents."
        )
        parts += _about_ties(corpus)
    if corpus.highlights:
        parts.append(
            "Highlights are compared word by word (words between white space): Fleiss' kappa per "
            "document, alpha, and pairwise F1."
        )
    if corpus.presence:
        parts.append(
            "The score of content units is the weighted share of its document's units that a "
            "summary states, each unit by the share of annotators who say so; agreement on them is "
            "nominal alpha, with an interval over documents, and kappa."
        )
    parts += [*_about_errors(corpus, options), *answer_methods(corpus)]
    if scores is not None:
        parts.append(_about_metrics(options))
    parts += _about_helper(options)
    if any((corpus.ratings, corpus.comparisons, corpus.highlights, corpus.spans, corpus.presence)):
        parts.append(
            "Intervals of agreement are by the jackknife over documents on Fisher's scale, with "
            "Student's t and Hall's correction for skewness."
        )
    over = options.over or "documents, or documents and systems where there are six or more"
    few = too_few_draws(options.resamples) is not None
    parts.append(
        "Unless stated otherwise, intervals contain the middle 95 % of "
        f"{options.resamples:,} bootstrap samples over {over}, drawn with "
        f"seed {options.seed}{f'; fewer than {FEWEST_DRAWS} have no interval' if few else ''}. "
        f"{_MEANS} "
        "Ranks within a document average ties; the normalised mean rank is "
        f"(n - rank) / (n - 1), averaged over documents. {_pairs(options)}"
    )
    rankings = [f"{family.rankings} by {family.by}" for family in families(pairs)]
    if rankings:
        parts.append(
            f"There are several rankings ({words.listed(rankings)}), each a family of its own; "
            "p_all is corrected by Holm over the pairs of all rankings by the same evidence and "
            "method."
        )
    return " ".join(parts)


def _about_metrics(options: StudyOptions) -> str:
    """How metrics are compared with people, and with each other."""
    coefficients = ", ".join(COEFFICIENTS.get(name).title for name in COEFFICIENTS)
    return (
        f"Metrics are correlated with human scores ({coefficients}) over "
        "all summaries (global), over the systems' means (system), and within each document "
        "averaged over documents (summary). acc_eq is the share of pairs of summaries of a "
        "document that metric and people order alike, ties included, with the threshold for "
        "ties of the metric fitted on all documents or on others (5-fold); SPA compares how "
        "sure metric and people are of each pair of systems, by 1,000 sign flips over "
        "documents. Beside both stands what a metric unrelated to people would get by chance. "
        f"With {FEWEST_SYSTEMS} systems or more, their intervals and tests (for the leading human "
        "score) are for other documents and systems: Student's t with the jackknife's variance "
        "over systems plus that over documents. With fewer they are for other documents of these "
        "systems alone: metrics are compared by acc_eq with sign flips over documents (each metric "
        f"with its own threshold) and by SPA with {options.resamples:,} permutations of their "
        "standardised scores over documents (a normal tail where hardly any reaches the "
        "difference). "
        "Intervals of correlations are on the scale of artanh: at system level with the standard "
        "error of as many systems (Bonett and Wright 2000) or that over documents where it is "
        "larger, elsewhere with that of the bootstrap and Student's t, one degree of freedom less "
        f"than systems or documents; fewer than {words.number(FEWEST_SYSTEMS)} systems have "
        "intervals over documents alone, for these systems. p at system level is exact for up to "
        "nine systems. That a metric follows people is said where an interval corrected for the "
        "choice of the best part (single-step maxT) is above 0, over summaries that all compared "
        "parts have. Differences between correlations are tested by "
        f"{_TESTS[options.test]}; p values are corrected "
        f"({words.correction(options.correction)}) among the comparisons of a family."
    )


def _about_helper(options: StudyOptions) -> Iterator[str]:
    """How estimates with a helper are made, if there is one."""
    if options.helper is None:
        return
    learnt = ""
    if "+" in options.helper or options.helper == "all":
        learnt = (
            "; the metrics' weights are those of a ridge regression on judged documents, "
            "cross-fitted in five folds"
        )
    for_what = "documents beyond these"
    if options.population == "corpus":
        for_what = "the documents of this corpus, with a finite-population correction"
    yield (
        f"Means of systems with {options.helper} as the helper are prediction-powered (PPI++, "
        f"lambda tuned and not below 0{learnt}); their intervals, by Student's t, are for "
        f"{for_what}, and take the judged documents as a random sample, which is tested by the "
        "helper's ranks on judged and other documents."
    )


def _about_ties(corpus: Corpus) -> Iterator[str]:
    ties = sum(comparison.choice == "tie" for comparison in corpus.comparisons)
    if ties:
        yield (
            f"{words.counted(ties, 'choice')} of {len(corpus.comparisons):,} "
            f"{'is a tie' if ties == 1 else 'are ties'}: half a win for each of the two in shares "
            "of votes and in Bradley-Terry strengths, and a third category in agreement."
        )
    if any(comparison.strength is not None for comparison in corpus.comparisons):
        yield (
            "The strength of preferences is given as its mean for each pair of systems, ties "
            "counting 0; shares of votes and Bradley-Terry strengths do not use it."
        )


def _about_errors(corpus: Corpus, options: StudyOptions) -> Iterator[str]:
    if corpus.spans:
        used = {error.severity.lower() for error in corpus.spans if error.severity}
        weights = severity_weights(corpus, options.severities).items()
        costs = sorted((costs, name) for name, costs in weights if name in used)
        named = [
            f"{name} {' or '.join(f'{cost:g}' for cost in several)}" for several, name in costs
        ]
        named.append(f"{NO_SEVERITY:g} without a severity")
        yield (
            f"The error score of a summary is minus the sum of its errors' weights "
            f"({', '.join(named)}), as mean over the annotators who judged it, also per 100 words. "
            "Agreement on errors is alpha on words, gamma on spans and pairwise F1 on characters."
        )


_TESTS = {
    "bootstrap": "bootstrap (interval and p by Student's t from the deviation of the same draws)",
    "permutation": "permutation of the two metrics' scores, of whole systems and whole documents",
    "williams": "Williams' test, where the rows are independent",
}


_MEANS = (
    "Intervals of systems' means, of shares and of mean ranks are by Student's t over documents, "
    "with variances moderated over systems (Smyth 2004) and the end on the side of a long tail "
    "moved out (Hall 1992). Where systems were not judged on the same documents, or annotators are "
    "spread so unevenly over systems that their severity matters, means are adjusted by least "
    "squares with effects of systems, documents and annotators, and differences tested by the "
    "signs of documents' scores."
)


def _pairs(options: StudyOptions) -> str:
    over = "documents"
    if options.pairs_over == "both":
        over += ", for means of ratings over documents and annotators"
    return (
        f"Every pair of systems is tested by sign flips over {over}: all choices of signs where "
        "these are few, else random ones, more of them where p is small; the interval of a "
        "difference contains the values that this test does not reject. p values are corrected by "
        "Holm among all pairs of a ranking. "
        "Systems share a letter if no pair among them differs significantly at 5 %; letters are "
        "all such groups that cannot be made larger. Contributions of documents to a "
        "Bradley-Terry strength are those of the infinitesimal jackknife."
    )
