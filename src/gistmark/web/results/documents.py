"""What people said about one document: its heat map, and the means of its summaries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from gistmark.corpus import Corpus
from gistmark.judgements import export_corpus, heat_map
from gistmark.web.annotate.services import accepted_results
from gistmark.web.campaigns.models import Campaign, Document
from gistmark.web.campaigns.services import corpus_of, protocol_of
from gistmark.web.config.errors import NotFoundError

HEATS = 5
"""How many strengths of colour a heat map has."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text in one colour: `heat` is 0 for none, and `HEATS` for the strongest."""

    text: str
    heat: int
    count: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A summary with the mean of each dimension, or the share of votes that it won."""

    system: str
    text: str
    reference: bool
    named: tuple[tuple[str, float | None], ...]

    @property
    def rated(self) -> bool:
        return any(mean is not None for _, mean in self.named)


@dataclass(frozen=True, slots=True)
class DocumentResults:
    """A document with everything that counts about it."""

    document: Document
    pieces: tuple[Piece, ...]
    highlighters: int
    summaries: tuple[Rated, ...]


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
    dimensions = tuple(each.name for each in protocol.dimensions)
    text = corpus.document(document.name).text
    return DocumentResults(
        document=document,
        pieces=tuple(_pieces(text, corpus, document.name)),
        highlighters=len({mark.annotator for mark in marks}),
        summaries=tuple(_summaries(corpus, document.name, dimensions)),
    )


def _batches_with(document: Document) -> list[int]:
    return list(document.batch_items.values_list("batch", flat=True).distinct().order_by("batch"))


def _pieces(text: str, corpus: Corpus, name: str) -> Iterator[Piece]:
    """The text in runs of one colour; the space between two words of a colour has it too."""
    words = heat_map(text, corpus.highlights_of(name)).words
    at = 0
    for (count, heat), run in groupby(words, key=lambda word: (word.count, word.heat)):
        members = list(run)
        if count:
            start, end = members[0].start, members[-1].end
            yield Piece(text[at:start], 0, 0)
            yield Piece(text[start:end], max(1, round(heat * HEATS)), count)
            at = end
    yield Piece(text[at:], 0, 0)


def _summaries(corpus: Corpus, name: str, dimensions: tuple[str, ...]) -> Iterator[Rated]:
    from gistmark.analysis.human import VOTES, dimension_means, votes_won

    scores = dimension_means(corpus.ratings) if corpus.ratings else votes_won(corpus.comparisons)
    values = {
        (score.system, score.human.removesuffix(VOTES)): score.value
        for score in scores.records()
        if score.document == name
    }
    for summary in corpus.summaries:
        if summary.document == name:
            named = tuple((each, values.get((summary.system, each))) for each in dimensions)
            yield Rated(summary.system, summary.text, summary.reference, named)
