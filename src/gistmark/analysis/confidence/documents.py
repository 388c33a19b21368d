"""Which documents are hard to judge: people are less sure of them, differ more, and they are long.

The next step that DIP-SumEval names in its conclusion. Documents are ordered by the mean of their
ranks by confidence (the lowest first), by disagreement (the highest first) and by length (the
longest first), as far as these are known for all of them. The disagreement of a document is the
mean absolute difference of two annotators' ratings of a summary, as a share of the scale, as mean
over dimensions.

The order is one of these documents, by these annotators. Some documents always come first; whether
documents differ in disagreement more than chance makes them is tested by dealing the summaries of
each system anew among the documents: if that often makes the documents' means differ as much, the
order by disagreement is noise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from gistmark.analysis.confidence.differences import differences_of
from gistmark.analysis.confidence.means import values_of
from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.correlation.coefficients import correlate, explain
from gistmark.analysis.data.arithmetic import average_ranks, exact_ties
from gistmark.analysis.data.columns import Float64, Unit
from gistmark.analysis.findings.words import counted
from gistmark.analysis.human.composites import Scale, guess_scales
from gistmark.analysis.resampling.uncertainty import Uncertainty
from gistmark.records import Rating

PERMUTATIONS = 1000
FEWEST_DOCUMENTS = 6
"""With fewer documents the correlation over them has no interval."""

ALONE = "no summary of it was rated in one dimension by two annotators"
ONE_DOCUMENT = "one document says nothing about others"
ONE_SUMMARY = (
    "two annotators rated one summary of each document only, so chance cannot be told apart"
)

_Units = Mapping[Unit, Mapping[str, Sequence[float]]]
"""The differences between two people's ratings of each summary, by dimension."""


@dataclass(frozen=True, slots=True)
class HardDocument:
    """How hard a document was to judge for these annotators; rank 1 is the hardest.

    `confidence` is the mean of its ratings' confidence, `disagreement` the mean absolute difference
    of two annotators as a share of the scale, `words` its length, `summary_words` the mean length
    of its judged summaries. `rank` orders the mean of `confidence_rank`, `disagreement_rank` and
    `words_rank`; one of these is None for all documents where some lack it. `n` counts ratings. A
    document without a `rank` has a `reason`."""

    document: str
    rank: float | None
    mean_rank: float | None
    confidence: float | None
    disagreement: float | None
    words: int | None
    summary_words: float | None
    confidence_rank: float | None
    disagreement_rank: float | None
    words_rank: float | None
    annotators: int
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentTest:
    """What documents have to do with disagreement.

    `statistic` is `spread`, the standard deviation of documents' disagreement, where `p` says how
    often chance makes documents differ as much; or `spearman`, the correlation of documents' mean
    confidence with their disagreement, with its interval over documents. `n` counts documents.
    """

    statistic: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    reason: str | None = None


def hard_documents(
    ratings: Sequence[Rating],
    words: Mapping[str, int],
    summary_words: Mapping[str, float],
    *,
    scales: Mapping[str, Scale] | None = None,
) -> list[HardDocument]:
    """All documents that were rated, the hardest first; none where fewer than two can be ranked.

    `words` has the length of documents, `summary_words` the mean length of their judged summaries.
    """
    disagreement = _by_document(_unit_differences(ratings, scales))
    if len(disagreement) < 2:
        return []
    confidence = _confidence(ratings)
    unsure = {document: -value for document, value in confidence.items()}
    ranks = [_ranks(disagreement, values) for values in (unsure, disagreement, words)]
    means = {name: fmean(r[name] for r in ranks if r) for name in disagreement}
    positions = _ranks(disagreement, {name: -mean for name, mean in means.items()})
    judged: dict[str, list[Rating]] = {}
    for rating in ratings:
        judged.setdefault(rating.document, []).append(rating)
    records = [
        HardDocument(
            document=document,
            rank=positions.get(document),
            mean_rank=means.get(document),
            confidence=confidence.get(document),
            disagreement=disagreement.get(document),
            words=words.get(document),
            summary_words=summary_words.get(document),
            confidence_rank=ranks[0].get(document),
            disagreement_rank=ranks[1].get(document),
            words_rank=ranks[2].get(document),
            annotators=len({rating.annotator for rating in group}),
            n=len(group),
            reason=None if document in positions else ALONE,
        )
        for document, group in judged.items()
    ]
    return sorted(records, key=lambda record: (record.rank is None, record.rank or 0.0))


def document_tests(
    ratings: Sequence[Rating],
    rng: np.random.Generator,
    *,
    scales: Mapping[str, Scale] | None = None,
    permutations: int = PERMUTATIONS,
) -> list[DocumentTest]:
    """Whether documents' disagreement may be chance, and how it goes with their confidence."""
    units = _unit_differences(ratings, scales)
    disagreement = _by_document(units)
    if not disagreement:
        return []
    tests = [_spread(units, disagreement, rng, permutations)]
    confidence = _confidence(ratings)
    both = [document for document in disagreement if document in confidence]
    if both:
        x = np.array([confidence[document] for document in both])
        tests.append(_spearman(x, np.array([disagreement[document] for document in both])))
    return tests


def _unit_differences(
    ratings: Sequence[Rating], scales: Mapping[str, Scale] | None
) -> dict[Unit, dict[str, list[float]]]:
    """The differences between two people's ratings of each summary, by dimension."""
    differences = differences_of(ratings, guess_scales(ratings) | dict(scales or {}))
    units: dict[Unit, dict[str, list[float]]] = {}
    for index, size in zip(differences.first.tolist(), differences.sizes.tolist(), strict=True):
        rating = ratings[index]
        unit = units.setdefault((rating.document, rating.system), {})
        unit.setdefault(rating.dimension, []).append(size)
    return units


def _by_document(units: _Units) -> dict[str, float]:
    """The disagreement on each document in which two people rated a summary."""
    documents: dict[str, dict[str, list[float]]] = {}
    for (document, _), dimensions in units.items():
        for dimension, sizes in dimensions.items():
            documents.setdefault(document, {}).setdefault(dimension, []).extend(sizes)
    return {document: _mean(dimensions) for document, dimensions in documents.items()}


def _mean(dimensions: Mapping[str, Sequence[float]]) -> float:
    return fmean(fmean(sizes) for sizes in dimensions.values())


def _confidence(ratings: Sequence[Rating]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for value in values_of(ratings, "confidence"):
        values.setdefault(value.document, []).append(value.value)
    return {document: fmean(group) for document, group in values.items()}


def _ranks(documents: Collection[str], values: Mapping[str, float]) -> dict[str, float]:
    """The ranks of documents, 1 for the highest value; none where one of them has no value."""
    if any(document not in values for document in documents):
        return {}
    row = np.array([-values[document] for document in documents], dtype=np.float64)
    return dict(zip(documents, average_ranks(exact_ties(row)).tolist(), strict=True))


def _spread(
    units: _Units,
    disagreement: Mapping[str, float],
    rng: np.random.Generator,
    permutations: int,
) -> DocumentTest:
    """The spread of documents, and how often dealing summaries anew among them spreads as much."""
    n = len(disagreement)
    if n < 2:
        return DocumentTest("spread", None, None, None, None, n, ONE_DOCUMENT)
    value = float(np.std(list(disagreement.values()), ddof=1))
    documents = {name: number for number, name in enumerate(disagreement)}
    systems = {name: number for number, name in enumerate(dict.fromkeys(s for _, s in units))}
    rows = np.array([documents[document] for document, _ in units], dtype=np.int64)
    columns = np.array([systems[system] for _, system in units], dtype=np.int64)
    sizes = np.array([_mean(dimensions) for dimensions in units.values()])
    sizes -= (np.bincount(columns, sizes) / np.bincount(columns))[columns]
    counts = np.bincount(rows, minlength=n)
    if counts.max() < 2:
        return DocumentTest("spread", value, None, None, None, n, ONE_SUMMARY)
    groups = [np.flatnonzero(columns == column) for column in range(len(systems))]

    def between(values: Float64) -> float:
        return float((np.bincount(rows, values, minlength=n) ** 2 / counts).sum())

    observed = between(sizes) * (1.0 - 1e-9)
    reached = 0
    for _ in range(permutations):
        dealt = sizes.copy()
        for group in groups:
            dealt[group] = sizes[rng.permutation(group)]
        reached += between(dealt) >= observed
    return DocumentTest("spread", value, None, None, (1 + reached) / (1 + permutations), n)


def _spearman(confidence: Float64, disagreement: Float64) -> DocumentTest:
    """By the standard error of as many independent documents (Bonett and Wright 2000)."""
    n = len(confidence)
    result = correlate(confidence, disagreement, "spearman", test=False)
    value, undefined = float(result.values[0]), result.undefined[0]
    if undefined is not None:
        why = explain(undefined, "confidence", "disagreement")
        return DocumentTest("spearman", None, None, None, None, n, why)
    if n < FEWEST_DOCUMENTS:
        why = f"{counted(n, 'document')} are too few for an interval"
        return DocumentTest("spearman", value, None, None, None, n, why)
    spearman, counts = COEFFICIENTS.get("spearman"), np.array([n])
    sure = Uncertainty(
        result.values, spearman.deviations(result.values, counts), np.array([np.inf]),
        spearman.steps(counts), (None,),
    )  # fmt: skip
    interval = sure.interval(0)
    p = float(sure.p_values()[0])
    return DocumentTest("spearman", value, interval.low, interval.high, p, n)
