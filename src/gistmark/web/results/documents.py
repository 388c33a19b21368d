"""What people said about one document: its heat map, and the judgements of its summaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import stdev
from typing import TYPE_CHECKING

from gistmark.corpus import Corpus
from gistmark.judgements import Protocol, export_corpus, heat_map
from gistmark.text.written import as_written, summary_as_written
from gistmark.web.annotate.services import accepted_results
from gistmark.web.campaigns.models import Campaign, Document
from gistmark.web.campaigns.services import corpus_of, protocol_of
from gistmark.web.config.errors import NotFoundError
from gistmark.web.results.answered import Answered, answered_of

if TYPE_CHECKING:
    from gistmark.analysis.agreement.highlights import SpanAgreement
    from gistmark.analysis.records import HumanScore

MOST_IN_A_DOT = 8
"""A dot of more ratings than this grows no further."""
HEATS = 5
"""How many strengths of colour a heat map has."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text in one colour: `heat` is 0 for none, and `HEATS` for the strongest."""

    text: str
    heat: int
    count: int


@dataclass(frozen=True, slots=True)
class Dot:
    """So many ratings of one value, `percent` of the way along the scale."""

    percent: float
    count: int

    @property
    def radius(self) -> float:
        """Of a circle whose area grows with the count."""
        return 3.0 * sqrt(min(self.count, MOST_IN_A_DOT))


@dataclass(frozen=True, slots=True)
class Judged:
    """What people said of a summary in one dimension: the mean rating, or the share of votes won.

    `n` counts ratings or votes. `deviation` is the sample standard deviation of the ratings; it is
    None for fewer than two of them, and for votes.
    """

    dimension: str
    mean: float | None
    n: int
    deviation: float | None = None
    dots: tuple[Dot, ...] = ()


@dataclass(frozen=True, slots=True)
class Rated:
    """A summary with what was said of it, dimension by dimension."""

    system: str
    text: str
    reference: bool
    judged: tuple[Judged, ...]
    answered: tuple[Answered, ...] = ()

    @property
    def rated(self) -> bool:
        return any(each.mean is not None for each in self.judged)


@dataclass(frozen=True, slots=True)
class DocumentResults:
    """A document with everything that counts about it."""

    document: Document
    title: str
    pieces: tuple[Piece, ...]
    highlighters: int
    summaries: tuple[Rated, ...]
    answered: tuple[Answered, ...]
    """What was answered about the document, or about several summaries together."""
    agreement: SpanAgreement | None
    """How far the annotators of this campaign highlighted the same words."""


def document_results(campaign: Campaign, position: int) -> DocumentResults:
    """The results of the document at this position of the corpus."""
    document = campaign.documents.filter(position=position, texts__isnull=False).first()
    if document is None:
        raise NotFoundError("The campaign has no such document.")
    protocol = protocol_of(campaign)
    corpus = export_corpus(
        corpus_of(campaign, [document.name]),
        accepted_results(campaign, _batches_with(document)),
        protocol,
    )
    marks = corpus.highlights_of(document.name)
    answered = answered_of(corpus, document.name)
    highlighted = "highlights" in protocol.question_type.tables(protocol)
    text = corpus.document(document.name).text
    return DocumentResults(
        document=document,
        title=as_written(document.title or "").text,
        pieces=tuple(_pieces(text, corpus, document.name)),
        highlighters=len({mark.annotator for mark in marks}),
        summaries=tuple(_summaries(corpus, document.name, protocol, answered)),
        answered=tuple(answered.get(None, ())),
        agreement=_agreement(corpus) if marks and highlighted else None,
    )


def _agreement(corpus: Corpus) -> SpanAgreement:
    from gistmark.analysis.agreement.highlights import marked_words, span_agreement

    (marks,) = marked_words(corpus).values()
    return span_agreement(marks)


def _batches_with(document: Document) -> list[int]:
    return list(document.batch_items.values_list("batch", flat=True).distinct().order_by("batch"))


def _pieces(text: str, corpus: Corpus, name: str) -> Iterator[Piece]:
    """The text, as it was written, in runs of one colour; so has the space between its words."""
    words = heat_map(text, corpus.highlights_of(name)).words
    written = as_written(text)
    text = written.text
    at = 0
    for (count, heat), run in groupby(words, key=lambda word: (word.count, word.heat)):
        members = list(run)
        if count:
            start, end = written.to_shown(members[0].start, members[-1].end)
            yield Piece(text[at:start], 0, 0)
            yield Piece(text[start:end], max(1, round(heat * HEATS)), count)
            at = end
    yield Piece(text[at:], 0, 0)


def _summaries(
    corpus: Corpus,
    name: str,
    protocol: Protocol,
    answered: Mapping[str | None, Sequence[Answered]],
) -> Iterator[Rated]:
    from gistmark.analysis.human import VOTES, dimension_means, votes_won

    scores = dimension_means(corpus.ratings) if corpus.ratings else votes_won(corpus.comparisons)
    known = {
        (score.system, score.human.removesuffix(VOTES)): score
        for score in scores.records()
        if score.document == name
    }
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for rating in corpus.ratings:
        if rating.document == name:
            values[rating.system, rating.dimension].append(rating.value)
    source = next((each.text for each in corpus.documents if each.id == name), None)
    for summary in corpus.summaries:
        if summary.document == name:
            judged = tuple(
                _judged(
                    each.name,
                    known.get((summary.system, each.name)),
                    values[summary.system, each.name],
                    protocol,
                )
                for each in protocol.dimensions
            )
            text = summary_as_written(summary.text, source)
            own = tuple(answered.get(summary.system, ()))
            yield Rated(summary.system, text, summary.reference, judged, own)


def _judged(
    dimension: str, score: HumanScore | None, values: list[float], protocol: Protocol
) -> Judged:
    if score is None:
        return Judged(dimension, None, 0)
    if not values:
        return Judged(dimension, score.value, score.n)
    scale = protocol.scale_of(dimension)
    dots = (
        Dot(100 * (value - scale.low) / (scale.high - scale.low), count)
        for value, count in sorted(Counter(values).items())
    )
    deviation = stdev(values) if len(values) > 1 else None
    return Judged(dimension, score.value, score.n, deviation, tuple(dots))
