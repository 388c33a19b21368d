"""A batch: summaries to be scored together, and the texts that they are compared with.

Each distinct text is held once, however many summaries share it, and is tokenised once per
tokenizer, however many metrics ask for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gistmark.records import ContentUnit, Highlight
from gistmark.text.languages import Profile, Tokenizer
from gistmark.text.sentences import sentences
from gistmark.text.tokens import TokenTable, Vocabulary, vocabulary

Int64 = NDArray[np.int64]

T = TypeVar("T")

NO_DOCUMENT = -1


@dataclass(frozen=True, slots=True)
class Item:
    """One summary of a batch with everything that a metric may look at."""

    summary: str
    references: tuple[str, ...] = ()
    document: str | None = None
    highlights: tuple[Highlight, ...] = ()
    units: tuple[ContentUnit, ...] = ()
    machine_highlights: tuple[Highlight, ...] = ()


@dataclass(frozen=True)
class Batch:
    """Items in columns: numbers into `texts`, the pool of distinct texts.

    `references` holds the numbers of all items' references one after another; those of item `i`
    are `references[reference_offsets[i]:reference_offsets[i + 1]]`. `highlights` are those of
    people and `machine_highlights` those of machines, both keyed by the number of the document's
    text. `units` holds the content units of each item, or nothing at all where no item has any.
    """

    texts: Sequence[str]
    summaries: Int64
    references: Int64
    reference_offsets: Int64
    documents: Int64
    highlights: Mapping[int, tuple[Highlight, ...]] = field(default_factory=dict)
    units: Sequence[tuple[ContentUnit, ...]] = ()
    machine_highlights: Mapping[int, tuple[Highlight, ...]] = field(default_factory=dict)
    _memos: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.summaries)

    def __iter__(self) -> Iterator[Item]:
        return (self.item(index) for index in range(len(self)))

    def item(self, index: int) -> Item:
        first, last = self.reference_offsets[index], self.reference_offsets[index + 1]
        document = int(self.documents[index])
        return Item(
            summary=self.texts[self.summaries[index]],
            references=tuple(self.texts[number] for number in self.references[first:last]),
            document=None if document == NO_DOCUMENT else self.texts[document],
            highlights=self.highlights.get(document, ()),
            units=self.units_of(index),
            machine_highlights=self.machine_highlights.get(document, ()),
        )

    def units_of(self, index: int) -> tuple[ContentUnit, ...]:
        """The content units of an item."""
        return self.units[index] if self.units else ()

    @classmethod
    def of(cls, items: Sequence[Item]) -> Batch:
        """A batch of the items."""
        return cls.of_columns(
            [item.summary for item in items],
            [item.references for item in items],
            [item.document for item in items],
            [item.highlights for item in items],
            [item.units for item in items],
            [item.machine_highlights for item in items],
        )

    @classmethod
    def of_columns(
        cls,
        summaries: Sequence[str],
        references: Sequence[tuple[str, ...]],
        documents: Sequence[str | None],
        highlights: Sequence[tuple[Highlight, ...]] = (),
        units: Sequence[tuple[ContentUnit, ...]] = (),
        machine_highlights: Sequence[tuple[Highlight, ...]] = (),
    ) -> Batch:
        """A batch of items given column by column; those from `highlights` on may be left out.

        Equal texts share a number in the pool, but a document with highlights shares its number
        only with items that carry the very same highlights.
        """
        pool: dict[str | tuple[str, int, int], int] = {}
        number_of = pool.setdefault
        document_numbers = [
            NO_DOCUMENT
            if text is None
            else number_of(
                (text, id(marks), id(by_machines)) if marks or by_machines else text, len(pool)
            )
            for text, marks, by_machines in zip(
                documents, highlights or repeat(()), machine_highlights or repeat(()), strict=False
            )
        ]
        reference_numbers = [number_of(text, len(pool)) for group in references for text in group]
        summary_numbers = [number_of(text, len(pool)) for text in summaries]
        texts = [key if isinstance(key, str) else key[0] for key in pool]
        return cls(
            texts=texts,
            summaries=np.array(summary_numbers, dtype=np.int64),
            references=np.array(reference_numbers, dtype=np.int64),
            reference_offsets=offsets_of([len(group) for group in references]),
            documents=np.array(document_numbers, dtype=np.int64),
            highlights=_by_document(document_numbers, highlights),
            units=tuple(units) if any(units) else (),
            machine_highlights=_by_document(document_numbers, machine_highlights),
        )

    def subset(self, indexes: Sequence[int]) -> Batch:
        """A batch of some of the items."""
        return Batch.of([self.item(index) for index in indexes])

    def rows(self, first: int, last: int) -> Batch:
        """A batch of the items from `first` to before `last`, which shares the memos."""
        if (first, last) == (0, len(self)):
            return self
        offsets = self.reference_offsets[first : last + 1]
        return replace(
            self,
            summaries=self.summaries[first:last],
            references=self.references[offsets[0] : offsets[-1]],
            reference_offsets=offsets - offsets[0],
            documents=self.documents[first:last],
            units=self.units[first:last],
        )

    def memo(self, key: object, make: Callable[[], T]) -> T:
        """The result of `make`, computed once per batch and key: for what several metrics share."""
        if key not in self._memos:
            self._memos[key] = make()
        result: T = self._memos[key]
        return result

    def tokens(self, profile: Profile) -> TokenTable:
        """The words of all texts of the pool under a profile."""
        return self.memo(profile, lambda: self._vocabulary(profile.tok).folded(profile))

    def sentence_tokens(self, profile: Profile) -> TokenTable:
        """The words of all texts of the pool, with every sentence on a line of its own."""
        return self.memo(
            (profile, "sentences"),
            lambda: vocabulary(
                [_by_line(text, profile.lang) for text in self.texts], profile.tok
            ).folded(profile),
        )

    def _vocabulary(self, tok: Tokenizer) -> Vocabulary:
        """The unfolded words, from which every profile with this tokenizer is made."""
        return self.memo(tok, lambda: vocabulary(self.texts, tok))


def _by_document(
    documents: Sequence[int], highlights: Sequence[tuple[Highlight, ...]]
) -> dict[int, tuple[Highlight, ...]]:
    """The highlights of each item by the number of its document; none where there are none."""
    return {
        number: marks
        for number, marks in zip(documents, highlights, strict=False)
        if marks and number != NO_DOCUMENT
    }


def offsets_of(lengths: Sequence[int]) -> Int64:
    """Where each of several runs starts when they stand one after another, and the end."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.asarray(lengths, dtype=np.int64), out=offsets[1:])
    return offsets


def _by_line(text: str, lang: str) -> str:
    return "\n".join(sentence.replace("\n", " ") for sentence in sentences(text, lang))
