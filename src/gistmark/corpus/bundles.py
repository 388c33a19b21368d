"""A corpus document by document, for formats that keep all about a document together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.names import reference_number
from gistmark.records import Document, Summary


@dataclass(frozen=True, slots=True)
class Bundle:
    """One document, if its text is known, with its references and the systems' summaries."""

    id: str
    document: Document | None
    references: list[Summary] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)

    @property
    def title(self) -> str | None:
        """The document's title; where its text is not known, the title that its summaries bear."""
        if self.document is not None:
            return self.document.title
        return next((summary.title for summary in self._members), None)

    @property
    def lost_titles(self) -> int:
        """How many summaries have another title than a format with one title can give back."""
        kept = self.title if self.document is None else None
        return sum(summary.title != kept for summary in self._members)

    @property
    def _members(self) -> Iterator[Summary]:
        yield from self.references
        yield from self.summaries


def numbered(references: Sequence[Summary]) -> dict[int, Summary]:
    """References by number, for formats without their names.

    References that are called by number ("reference", "reference-2") keep theirs; otherwise
    they are counted from 1.
    """
    numbers = [reference_number(reference.system) for reference in references]
    if None in numbers:
        return dict(enumerate(references, start=1))
    pairs = zip(numbers, references, strict=True)
    return dict(sorted(((n or 1, r) for n, r in pairs), key=itemgetter(0)))


def bundles(corpus: Corpus) -> Iterator[Bundle]:
    """The bundles of a corpus, in the order of its documents."""
    documents = {document.id: document for document in corpus.documents}
    found = {id: Bundle(id, documents.get(id)) for id in corpus.document_ids}
    for summary in corpus.summaries:
        bundle = found[summary.document]
        (bundle.references if summary.reference else bundle.summaries).append(summary)
    yield from found.values()
