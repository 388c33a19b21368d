"""Training on a corpus and summarising the same corpus, without any document teaching itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from gistmark.errors import GistmarkError
from gistmark.summarizers.summarizer import Source, Summarizer

FOLDS = 5


def folds(sources: Sequence[Source], count: int = FOLDS) -> list[list[Source]]:
    """The documents in parts of like size; which part is decided by a hash of their names."""

    def key(source: Source) -> bytes:
        return sha256(source.document.id.encode("utf-8", "surrogatepass")).digest()

    ordered = sorted(sources, key=key)
    parts = [ordered[start::count] for start in range(count)]
    return [part for part in parts if part]


def cross_fitted(
    system: Summarizer, sources: Sequence[Source]
) -> Iterator[tuple[Summarizer | GistmarkError, list[Source]]]:
    """For each part of the documents, the system trained on the others.

    Where these do not teach anything, the error stands in its place.
    """
    for part in folds(sources):
        own = {source.document.id for source in part}
        others = [source for source in sources if source.document.id not in own]
        yield trained(system, others), part


def trained(system: Summarizer, lessons: Sequence[Source]) -> Summarizer | GistmarkError:
    """The system trained on what people gave for some documents, or why it cannot be."""
    try:
        return system.trained([lesson for lesson in lessons if has_labels(lesson)])
    except GistmarkError as error:
        return error


def has_labels(source: Source) -> bool:
    """Whether people gave anything for a document that a system could learn from."""
    return bool(source.references or source.highlights)
