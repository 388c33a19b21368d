"""Where the summaries of a run come from, cut into blocks that are scored one by one.

All summaries of a document are in the same block, so that the document is tokenised once. A block
has texts of one language; if there are several languages, the documents of each come together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from gistmark.corpus import Corpus, LinePairs
from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import DEFAULT_BLOCK_SIZE, Need
from gistmark.records import ContentUnit, Highlight, Summary
from gistmark.scoring.languages import document_languages
from gistmark.text.languages import ENGLISH


@dataclass(frozen=True)
class Block:
    """Some summaries in one language, column by column, with what they are compared with."""

    documents: list[str]
    systems: list[str]
    summaries: list[str]
    references: Sequence[tuple[str, ...]]
    texts: Sequence[str | None]
    highlights: Sequence[tuple[Highlight, ...]] = ()
    units: Sequence[tuple[ContentUnit, ...]] = ()
    lang: str = ENGLISH
    machine_highlights: Sequence[tuple[Highlight, ...]] = ()

    def __len__(self) -> int:
        return len(self.summaries)

    def origins(self, rows: range) -> tuple[list[str], list[str]]:
        """The documents and the systems of some rows."""
        return self.documents[rows.start : rows.stop], self.systems[rows.start : rows.stop]

    def batch(self) -> Batch:
        return Batch.of_columns(
            self.summaries, self.references, self.texts, self.highlights, self.units,
            self.machine_highlights,
        )  # fmt: skip


class Source(Protocol):
    """Something whose summaries can be scored."""

    @property
    def size(self) -> int | None:
        """The number of summaries, if it is known beforehand."""

    @property
    def offers(self) -> frozenset[Need]:
        """What there is besides the summaries."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages of the texts."""

    def blocks(self, size: int = DEFAULT_BLOCK_SIZE) -> Iterator[Block]:
        """The summaries, in order."""


@dataclass(frozen=True)
class TextPairs:
    """Summaries and their references as plain lists, one system.

    `references` holds, for each summary, one text or several; `lang` is the language of all.
    """

    summaries: Sequence[str]
    references: Sequence[str | Sequence[str]]
    system: str = "system"
    lang: str = ENGLISH

    def __post_init__(self) -> None:
        if len(self.summaries) != len(self.references):
            raise UsageError(
                f"There are {len(self.summaries)} summaries but {len(self.references)} references;"
                " give one reference, or one list of them, per summary."
            )

    @property
    def size(self) -> int:
        return len(self.summaries)

    @property
    def offers(self) -> frozenset[Need]:
        return frozenset({"references"})

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.lang,)

    def blocks(self, size: int = DEFAULT_BLOCK_SIZE) -> Iterator[Block]:
        for start in range(0, len(self.summaries), size):
            summaries = list(self.summaries[start : start + size])
            references = [
                (texts,) if isinstance(texts, str) else tuple(texts)
                for texts in self.references[start : start + size]
            ]
            yield _line_block(start + 1, summaries, references, self.system, self.lang)


@dataclass(frozen=True)
class LineSource:
    """Line-aligned files in one language, streamed."""

    pairs: LinePairs
    lang: str = ENGLISH

    @property
    def size(self) -> int:
        return self.pairs.size

    @property
    def offers(self) -> frozenset[Need]:
        return frozenset({"references"})

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.lang,)

    def blocks(self, size: int = DEFAULT_BLOCK_SIZE) -> Iterator[Block]:
        for chunk in self.pairs.chunks(size):
            yield _line_block(
                chunk.start, chunk.summaries, chunk.references, self.pairs.system, self.lang
            )


@dataclass(frozen=True)
class CorpusSource:
    """A corpus; with `with_references` its references are scored too, each against the others.

    Each document is in its own language, or all are in `lang`.
    """

    corpus: Corpus
    with_references: bool = False
    lang: str | None = None

    @property
    def size(self) -> int:
        return sum(self._is_scored(summary) for summary in self.corpus.summaries)

    @property
    def offers(self) -> frozenset[Need]:
        corpus = self.corpus
        availability: dict[Need, bool] = {
            "references": bool(corpus.references),
            "documents": bool(corpus.documents),
            "highlights": bool(self._by_people_and_machines[0].highlights),
            "units": bool(corpus.units),
        }
        return frozenset(need for need, present in availability.items() if present)

    def blocks(self, size: int = DEFAULT_BLOCK_SIZE) -> Iterator[Block]:
        summaries: list[Summary] = []
        for lang in self.languages:
            for group in self._by_document(lang):
                if summaries and len(summaries) + len(group) > size:
                    yield self._block(summaries, lang)
                    summaries = []
                summaries = summaries + group
            if summaries:
                yield self._block(summaries, lang)
                summaries = []

    def _is_scored(self, summary: Summary) -> bool:
        return self.with_references or not summary.reference

    @cached_property
    def languages(self) -> tuple[str, ...]:
        codes = {
            self._language_of[summary.document]
            for summary in self.corpus.summaries
            if self._is_scored(summary)
        }
        return tuple(sorted(codes)) or (ENGLISH,)

    @cached_property
    def _language_of(self) -> dict[str, str]:
        return document_languages(self.corpus, self.lang)

    def _by_document(self, lang: str) -> Iterable[list[Summary]]:
        groups: dict[str, list[Summary]] = {id: [] for id in self.corpus.document_ids}
        for summary in self.corpus.summaries:
            if self._is_scored(summary) and self._language_of[summary.document] == lang:
                groups[summary.document].append(summary)
        return filter(None, groups.values())

    def _block(self, summaries: list[Summary], lang: str) -> Block:
        people, machines = self._by_people_and_machines
        return Block(
            documents=[summary.document for summary in summaries],
            systems=[summary.system for summary in summaries],
            summaries=[summary.text for summary in summaries],
            references=[self._references(summary) for summary in summaries],
            texts=[self._texts.get(summary.document) for summary in summaries],
            highlights=[people.highlights_of(summary.document) for summary in summaries],
            units=[self._units(summary) for summary in summaries],
            lang=lang,
            machine_highlights=[machines.highlights_of(summary.document) for summary in summaries],
        )

    @cached_property
    def _by_people_and_machines(self) -> tuple[Corpus, Corpus]:
        return self.corpus.split(self.corpus.machine_names)

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {document.id: document.text for document in self.corpus.documents}

    def _references(self, summary: Summary) -> tuple[str, ...]:
        references = self.corpus.references.get(summary.document, ())
        return tuple(reference.text for reference in references if reference is not summary)

    def _units(self, summary: Summary) -> tuple[ContentUnit, ...]:
        """The content units of the summary's document, but none that come from it."""
        units = self.corpus.units_of(summary.document)
        if not summary.reference:
            return units
        return tuple(unit for unit in units if unit.reference != summary.system)


def _line_block(
    start: int, summaries: list[str], references: list[tuple[str, ...]], system: str, lang: str
) -> Block:
    count = len(summaries)
    return Block(
        documents=[str(number) for number in range(start, start + count)],
        systems=[system] * count,
        summaries=summaries,
        references=references,
        texts=[None] * count,
        lang=lang,
    )
