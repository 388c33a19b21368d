"""What people said about one document: its heat map, and the judgements of its summaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import stdev
from typing import TYPE_CHECKING

from gistmark.corpus import Corpus
from gistmark.judgements.answers import export_corpus
from gistmark.judgements.highlights import heat_map
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.records import ErrorSpan, Response
from gistmark.text.written import as_written, summary_as_written
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.campaigns.models import Campaign, Document
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import NotFoundError

if TYPE_CHECKING:
    from gistmark.analysis.agreement.highlights import SpanAgreement
    from gistmark.analysis.studies.records import HumanScore

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
    """How many people marked words of it."""
    machines: int
    """How many programs did."""
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
    annotators = {mark.annotator for mark in marks}
    answered = answered_of(corpus, document.name)
    highlighted = "highlights" in protocol.question_type.tables(protocol)
    text = corpus.document(document.name).text
    return DocumentResults(
        document=document,
        title=as_written(document.title or "").text,
        pieces=tuple(_pieces(text, corpus, document.name)),
        highlighters=len(annotators - corpus.machine_names),
        machines=len(annotators & corpus.machine_names),
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


ERRORS = "errors"
"""What marked errors are listed under."""
_NEITHER = {"best-worst": "neither", "choices": "no option"}


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers to one question about one item: how often each was given, or all texts.

    `about` names the systems where the question is about several summaries together.
    """

    question: str
    about: tuple[str, ...]
    counts: tuple[tuple[str, int], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()


def answered_of(corpus: Corpus, document: str) -> dict[str | None, list[Answered]]:
    """The answers about each summary by its system, and under None those about no single one."""
    groups: dict[tuple[str | None, str, frozenset[str]], list[Response]] = {}
    for each in corpus.responses:
        if each.document == document:
            shown = frozenset(each.systems) if each.system is None else frozenset[str]()
            groups.setdefault((each.system, each.question, shown), []).append(each)
    result: dict[str | None, list[Answered]] = {}
    for (system, question, shown), records in groups.items():
        result.setdefault(system, []).append(_answered(question, sorted(shown), records))
    spans: dict[str, list[ErrorSpan]] = {}
    for span in corpus.spans:
        if span.document == document:
            spans.setdefault(span.system, []).append(span)
    for name, errors in spans.items():
        result.setdefault(name, []).append(_errors(errors))
    for system, marks in _presence(corpus, document).items():
        result.setdefault(system, []).extend(marks)
    return result


def _presence(corpus: Corpus, document: str) -> dict[str, list[Answered]]:
    """By system, how often each content unit was marked as stated or not, with the score first."""
    from gistmark.analysis.human.marks import UNITS, unit_shares

    marked: dict[tuple[str, str], list[str]] = {}
    for mark in corpus.presence:
        if mark.document == document:
            word = "stated" if mark.present else "not stated"
            marked.setdefault((mark.system, mark.unit), []).append(word)
    if not marked:
        return {}
    result: dict[str, list[Answered]] = {}
    for score in unit_shares(corpus).records():
        if score.document == document and score.value is not None:
            shown = ((f"{score.value:.2f}", score.n),)
            result[score.system] = [Answered(f"{UNITS}, by weight", (), shown)]
    texts = {unit.id: unit.text for unit in corpus.units_of(document)}
    for (system, unit), words in marked.items():
        one = Answered(texts.get(unit, unit), (), _counted(words))
        result.setdefault(system, []).append(one)
    return result


def _answered(question: str, about: list[str], records: list[Response]) -> Answered:
    if records[0].type == "text":
        texts = tuple((each.annotator, each.value) for each in records)
        return Answered(question, tuple(about), texts=texts)
    empty = _NEITHER.get(records[0].type, "")
    words = (each.value or empty for each in records)
    named = (f"rank {word}" for word in words) if records[0].type == "ranking" else words
    return Answered(question, tuple(about), _counted(named))


def _errors(spans: list[ErrorSpan]) -> Answered:
    """Errors by category and severity, and what was said about them."""
    comments = tuple((span.annotator, span.comment) for span in spans if span.comment)
    return Answered(ERRORS, (), _counted(map(_error, spans)), comments)


def _error(span: ErrorSpan) -> str:
    if span.category is None:
        return "no error"
    return f"{span.category} ({span.severity})" if span.severity else span.category


def _counted(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Each word with its number, the most frequent first."""
    counts = Counter(words)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
