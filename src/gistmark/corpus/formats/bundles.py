"""Helpers for the writers of foreign formats: a corpus by document, and what a format loses.

A `Bundle` is everything about one document, for formats that keep it together. The `lost_…`
functions say what a format cannot hold, as sentences for the user who exports to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from gistmark.corpus.corpus import Corpus, reference_name, reference_number
from gistmark.errors import UsageError
from gistmark.records import Document, Rating, Summary


@dataclass(frozen=True, slots=True)
class Bundle:
    """One document, if its text is known, with its references and the systems' summaries."""

    id: str
    document: Document | None
    references: list[Summary] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)

    @property
    def title(self) -> str | None:
        """The document's title; where its text is not known, the title of its summaries."""
        if self.document is not None:
            return self.document.title
        return next((summary.title for summary in self._members), None)

    @property
    def lost_titles(self) -> int:
        """How many summaries have another title than a format with one title can give back."""
        format_title = self.title if self.document is None else None
        return sum(summary.title != format_title for summary in self._members)

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
    by_id = {id: Bundle(id, documents.get(id)) for id in corpus.document_ids}
    for summary in corpus.summaries:
        bundle = by_id[summary.document]
        (bundle.references if summary.reference else bundle.summaries).append(summary)
    yield from by_id.values()


JUDGEMENTS = ("ratings", "comparisons", "highlights", "questions", "planted")
_FOLDER_ONLY = (
    "content units",
    "presence marks",
    "error annotations",
    "answers",
    "sampled documents",
    "turns",
    "machines",
    "conditions",
)


def refuse_confusing_names(corpus: Corpus) -> None:
    """Raise a `UsageError` if a system is called like the references of a format without names."""
    confusing_names = [system for system in corpus.systems if reference_number(system) is not None]
    if confusing_names and corpus.references:
        raise UsageError(
            "The format numbers references, so a system cannot be called "
            f"{confusing_names[0]!r}; rename it."
        )


def left_out(corpus: Corpus, *kinds: str) -> list[str]:
    """A sentence for each of these kinds of record that the corpus has but the format has not.

    No foreign format holds content units, presence marks, error annotations, answers, how
    documents and tasks were chosen, and under which conditions campaigns judged.
    """
    counts = corpus.counts()
    return [s for kind in (*kinds, *_FOLDER_ONLY) for s in lost(counts[kind], kind)]


def lost(count: int, what: str) -> list[str]:
    """A sentence that says how many things were lost; none if the count is 0."""
    return [f"The format cannot hold {count:,} {what}."] if count else []


def lost_reference_names(numbered: Iterable[Mapping[int, Summary]]) -> list[str]:
    """A sentence if references are written by number and will come back with other names."""
    renamed = sum(
        reference.system != reference_name(number)
        for references in numbered
        for number, reference in references.items()
    )
    return lost(renamed, "names of references, which are numbered instead")


def lost_document_details(corpus: Corpus, *, titles: bool = True, texts: bool = True) -> list[str]:
    """Sentences on titles, languages and the borders between several texts, where not held."""
    documents = corpus.documents
    sentences: list[str] = []
    if titles:
        sentences += lost(sum(d.title is not None for d in documents), "titles of documents")
    sentences += lost(sum(d.lang is not None for d in documents), "languages of documents")
    if texts:
        text_lists = sum(len(d.texts) > 1 for d in documents)
        sentences += lost(text_lists, "documents of several texts, which are joined instead")
    return sentences


def lost_titles(corpus: Corpus) -> list[str]:
    """A sentence on titles of summaries, for a format that has none."""
    return lost(sum(s.title is not None for s in corpus.summaries), "titles of summaries")


def lost_anonymity(summaries: Iterable[Summary]) -> list[str]:
    """A sentence on names that are only an order of appearance, for a format of real names."""
    count = sum(summary.anonymous for summary in summaries)
    return lost(count, "marks that a system's name is only an order of appearance")


def first_ratings(corpus: Corpus) -> tuple[list[Rating], list[str]]:
    """The first rating of each cell; with a sentence if later ones are in other campaigns."""
    first: dict[tuple[str, str, str, str], Rating] = {}
    for rating in corpus.ratings:
        cell = (rating.document, rating.system, rating.annotator, rating.dimension)
        first.setdefault(cell, rating)
    repeated = len(corpus.ratings) - len(first)
    what = "ratings whose annotator had rated the same in another campaign"
    return list(first.values()), lost(repeated, what)


def lost_rating_details(corpus: Corpus, *, campaign: bool = True) -> list[str]:
    """A sentence on confidences, weights, times and campaigns of ratings, where not held."""
    names = ("confidence", "weight", "seconds", *(("campaign",) if campaign else ()))
    return [
        sentence
        for name in names
        for sentence in lost(
            sum(getattr(rating, name) is not None for rating in corpus.ratings),
            f"ratings' {name} values",
        )
    ]
