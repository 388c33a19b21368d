"""The quality of annotators: how much they did, how fast, how severely, how close to the others.

First by their ratings, comparisons and highlights, then by their answers to other questions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import mul

import numpy as np

from gistmark.analysis.agreement.coefficients.splits import annotators_against_rest
from gistmark.analysis.agreement.coefficients.statistic import Statistic, mean_of, undefined
from gistmark.analysis.agreement.habits import (
    competence,
    majority_shares,
    names_of,
    severities,
    side,
    sides,
    spreads,
    straight_lines,
)
from gistmark.analysis.agreement.highlights import annotators_on_words
from gistmark.analysis.agreement.options import SUBJECT, majority_answers, option_columns
from gistmark.analysis.agreement.sets import annotator_taus
from gistmark.analysis.data.columns import (
    TIE,
    RatingColumns,
    VoteColumns,
    columns_by_dimension,
    votes_by_dimension,
)
from gistmark.analysis.human.questions import OPTION_TYPES, Question
from gistmark.analysis.human.sets import Sets
from gistmark.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True)
class AnnotatorQuality:
    """What one annotator's ratings, comparisons or highlights (`subject`) tell about the annotator.

    `dimension` is empty for the annotator as a whole; n counts ratings, comparisons or documents.
    `severity` is how far below the mean of the others a summary is rated on average: positive is
    severe.
    `bias` is `severe` or `lenient`, for comparisons `left` or `right`, where a test at 5 % tells
    it from chance, else `none`; it is empty where nothing can be tested. `spread` is the standard
    deviation of the values. `agreement` is for ratings the Spearman correlation with the mean of
    the others, for comparisons the share of choices that the majority of the others shares, for
    highlights the mean F1 on words with each of the others.
    `campaign` names the campaigns of the ratings, where they have any, and `share` is n over all
    ratings of these campaigns, or over all comparisons; both are for the whole.
    `straight_lining` is the share of summaries with one value in all of at least three dimensions;
    `left_share` how often the left summary was chosen, of the choices that are no tie;
    `tie_share` the share of ties, where anybody chose one; `competence` is that of
    `agreement.habits.competence`. For the whole, agreement and competence are means over
    dimensions, and severity and spread, which are on the scale of a dimension, are left out.
    `reason` says why a value is missing.
    """

    subject: str
    annotator: str
    dimension: str
    n: int
    mean_seconds: float | None = None
    total_seconds: float | None = None
    severity: float | None = None
    bias: str = ""
    spread: float | None = None
    agreement: float | None = None
    straight_lining: float | None = None
    left_share: float | None = None
    tie_share: float | None = None
    competence: float | None = None
    campaign: str = ""
    share: float | None = None
    reason: str | None = None


def annotator_quality(corpus: Corpus) -> list[AnnotatorQuality]:
    """The quality of everybody who judged: as a whole, then by dimension where there are any.

    Competence is estimated where the values are categories; see
    `agreement.habits.competence` for where it is not defined.
    """
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    campaigns: dict[str, dict[str | None, None]] = defaultdict(dict)
    for rating in corpus.ratings:
        for name in names_of(rating.annotator, rating.campaign):
            campaigns[name][rating.campaign] = None
            if rating.seconds is not None:
                times[name, rating.dimension].append(rating.seconds)
    lines = straight_lines(corpus.ratings)
    rated = _grouped(
        result
        for columns in columns_by_dimension(corpus.ratings).values()
        for result in _rated(columns, times)
    )
    voted = _grouped(
        result
        for votes in votes_by_dimension(corpus.comparisons).values()
        for result in _voted(votes)
    )
    every: list[AnnotatorQuality] = []
    sizes = Counter(rating.campaign for rating in corpus.ratings)
    for name, parts in rated.items():
        rater = _rater(parts, times, lines[name])
        share = rater.n / sum(sizes[campaign] for campaign in campaigns[name])
        campaign = ", ".join(filter(None, campaigns[name]))
        every += [replace(rater, campaign=campaign, share=share), *parts]
    for parts in voted.values():
        voter = _voter(parts)
        every += [replace(voter, share=voter.n / len(corpus.comparisons)), *parts]
    every += [
        AnnotatorQuality(
            "highlights", name, "", words.n, agreement=words.value, reason=words.reason
        )
        for name, words in annotators_on_words(corpus).items()
    ]
    return every


Times = Mapping[tuple[str, str], list[float]]
"""The seconds of each rating, by annotator and dimension."""


def _rated(columns: RatingColumns, times: Times) -> Iterator[AnnotatorQuality]:
    leanings, widths = severities(columns), spreads(columns)
    rest, count = annotators_against_rest(columns), len(columns.rater_names)
    skills = (undefined("The scale has no categories."),) * count
    if columns.level in ("nominal", "ordinal"):
        skills = competence(columns.units, columns.raters, columns.values, count=count)
    counts = np.bincount(columns.raters, minlength=count)
    for rater, name in enumerate(columns.rater_names):
        mean, total = _time(times.get((name, columns.dimension), []))
        severity, agreement = leanings[rater].size, rest[rater].correlation
        yield AnnotatorQuality(
            subject="ratings",
            annotator=name,
            dimension=columns.dimension,
            n=int(counts[rater]),
            mean_seconds=mean,
            total_seconds=total,
            severity=severity.value,
            bias=leanings[rater].direction,
            spread=widths[rater].value,
            agreement=agreement.value,
            competence=skills[rater].value,
            reason=_reason(
                severity=severity,
                spread=widths[rater],
                agreement=agreement,
                competence=skills[rater],
            ),
        )


def _voted(votes: VoteColumns) -> Iterator[AnnotatorQuality]:
    count = len(votes.annotator_names)
    shares, leanings = majority_shares(votes), sides(votes)
    skills = competence(votes.pairs, votes.annotators, votes.values, count=count)
    numbers = np.bincount(votes.annotators, minlength=count)
    tied = np.bincount(votes.annotators[votes.values == TIE], minlength=count)
    for index, name in enumerate(votes.annotator_names):
        yield AnnotatorQuality(
            subject="comparisons",
            annotator=name,
            dimension=votes.dimension,
            n=int(numbers[index]),
            bias=leanings[index].direction,
            agreement=shares[index].value,
            left_share=leanings[index].size.value,
            tie_share=float(tied[index] / numbers[index]) if tied.any() else None,
            competence=skills[index].value,
            reason=_reason(agreement=shares[index], competence=skills[index]),
        )


def _rater(parts: Sequence[AnnotatorQuality], times: Times, line: Statistic) -> AnnotatorQuality:
    """A rater over all dimensions."""
    name = parts[0].annotator
    mean, total = _time([t for part in parts for t in times.get((name, part.dimension), [])])
    agreement, skill = _mean(part.agreement for part in parts), _mean(p.competence for p in parts)
    return AnnotatorQuality(
        subject="ratings",
        annotator=name,
        dimension="",
        n=sum(part.n for part in parts),
        mean_seconds=mean,
        total_seconds=total,
        agreement=agreement.value,
        straight_lining=line.value,
        competence=skill.value,
        reason=_reason(agreement=agreement, straight_lining=line, competence=skill),
    )


def _voter(parts: Sequence[AnnotatorQuality]) -> AnnotatorQuality:
    """A voter over all dimensions."""
    n = sum(part.n for part in parts)
    decided = [round(part.n * (1.0 - (part.tie_share or 0.0))) for part in parts]
    shares = [part.left_share or 0.0 for part in parts]
    left = side(round(sum(map(mul, decided, shares))), sum(decided))
    tied = any(part.tie_share is not None for part in parts)
    agreement, skill = _mean(part.agreement for part in parts), _mean(p.competence for p in parts)
    return AnnotatorQuality(
        subject="comparisons",
        annotator=parts[0].annotator,
        dimension="",
        n=n,
        bias=left.direction,
        agreement=agreement.value,
        left_share=left.size.value,
        tie_share=1.0 - sum(decided) / n if tied else None,
        competence=skill.value,
        reason=_reason(agreement=agreement, competence=skill),
    )


def _time(seconds: Sequence[float]) -> tuple[float, float] | tuple[None, None]:
    return (sum(seconds) / len(seconds), sum(seconds)) if seconds else (None, None)


def _mean(values: Iterable[float | None]) -> Statistic:
    none = undefined("It has no value in any dimension.")
    return mean_of((none if v is None else Statistic(v, 1) for v in values), "dimensions")


def _grouped(result: Iterable[AnnotatorQuality]) -> dict[str, list[AnnotatorQuality]]:
    groups: dict[str, list[AnnotatorQuality]] = defaultdict(list)
    for quality in result:
        groups[quality.annotator].append(quality)
    return groups


def _reason(**statistics: Statistic) -> str | None:
    """Why these have no value, each by its name."""
    lacking = [f"{name}: {s.reason}" for name, s in statistics.items() if s.value is None]
    return " ".join(lacking) or None


def respondent_quality(
    questions: Iterable[Question], every: Iterable[Sets]
) -> list[AnnotatorQuality]:
    """Everybody who answered: as a whole, then question by question.

    `agreement` is the share of answers that most of the others gave too, for rankings and
    best-worst choices the mean Kendall tau-b with each of the others; n counts answers. The whole
    has the mean over questions with options, as correlations are on another scale.
    """
    parts: dict[str, list[AnnotatorQuality]] = defaultdict(list)
    shares: dict[str, list[Statistic]] = defaultdict(list)
    sets = {answers.question: answers for answers in every}
    for question in questions:
        for quality, statistic in _by_annotator(question, sets.get(question.name)):
            parts[quality.annotator].append(quality)
            if question.type in OPTION_TYPES:
                shares[quality.annotator].append(statistic)
    return [
        record
        for name, records in parts.items()
        for record in (_whole(records, shares.get(name, [])), *records)
    ]


def _by_annotator(
    question: Question, sets: Sets | None
) -> Iterator[tuple[AnnotatorQuality, Statistic]]:
    counts = Counter(annotator for _, _, _, annotator, _ in question.answers)
    if sets is not None:
        agreement = annotator_taus(sets)
    elif question.type in OPTION_TYPES:
        columns = option_columns(question)
        agreement = dict(zip(columns.annotator_names, majority_answers(columns), strict=True))
    else:
        agreement = dict.fromkeys(counts, undefined("Texts are not compared."))
    for name, n in counts.items():
        statistic = agreement[name]
        reason = _reason(agreement=statistic)
        quality = AnnotatorQuality(
            SUBJECT, name, question.name, n, agreement=statistic.value, reason=reason
        )
        yield quality, statistic


def _whole(parts: list[AnnotatorQuality], shares: list[Statistic]) -> AnnotatorQuality:
    mean, n = mean_of(shares, "questions"), sum(part.n for part in parts)
    return AnnotatorQuality(
        SUBJECT, parts[0].annotator, "", n, agreement=mean.value, reason=_reason(agreement=mean)
    )
