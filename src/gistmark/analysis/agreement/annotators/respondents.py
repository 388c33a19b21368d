"""What the answers of each annotator to other questions tell about the annotator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from gistmark.analysis.agreement.annotators.quality import AnnotatorQuality
from gistmark.analysis.agreement.coefficients.statistic import Statistic, mean_of, undefined
from gistmark.analysis.agreement.options import SUBJECT, majority_answers, option_columns
from gistmark.analysis.agreement.sets import annotator_taus
from gistmark.analysis.human.questions import OPTION_TYPES, Question
from gistmark.analysis.human.sets import Sets

_NOT_COMPARED = "Texts are not compared."


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
    sets = {each.question: each for each in every}
    for question in questions:
        for quality, statistic in _by_annotator(question, sets.get(question.name)):
            parts[quality.annotator].append(quality)
            if question.type in OPTION_TYPES:
                shares[quality.annotator].append(statistic)
    return [
        record
        for name, own in parts.items()
        for record in (_whole(own, shares.get(name, [])), *own)
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
        agreement = dict.fromkeys(counts, undefined(_NOT_COMPARED))
    for name, n in counts.items():
        statistic = agreement[name]
        quality = AnnotatorQuality(
            subject=SUBJECT,
            annotator=name,
            dimension=question.name,
            n=n,
            agreement=statistic.value,
            reason=None if statistic.value is not None else f"agreement: {statistic.reason}",
        )
        yield quality, statistic


def _whole(parts: list[AnnotatorQuality], shares: list[Statistic]) -> AnnotatorQuality:
    agreement = mean_of(shares, "questions")
    return AnnotatorQuality(
        subject=SUBJECT,
        annotator=parts[0].annotator,
        dimension="",
        n=sum(part.n for part in parts),
        agreement=agreement.value,
        reason=None if agreement.value is not None else f"agreement: {agreement.reason}",
    )
