"""What a summariser is: a name, a description, options, and `summarize(source, limit)`.

A plugin subclasses `Summarizer` (or `Extractive`) and names the class in the entry-point group
`gistmark.systems`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gistmark.options import Configured
from gistmark.records import Document, Highlight
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.hierarchy import Node
from gistmark.summarizers.limits import Limit


@dataclass(frozen=True, slots=True)
class Source:
    """What a system gets: the document, and what people gave for it.

    References and highlights are for the Oracle and for training; no other system looks at them
    when it writes.
    """

    document: Document
    references: tuple[str, ...] = ()
    highlights: tuple[Highlight, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A summary and how it came about.

    `sentences` are those of the document that an extractive system took, in the order of the
    summary. `tree` is the hierarchy that it was chosen from, where there was one. `note` says what
    a reader should know, such as why the summary is empty or that a sentence was cut.
    """

    text: str
    sentences: tuple[Sentence, ...] = ()
    tree: Node | None = None
    note: str | None = None


class Summarizer(Configured, ABC):
    """A system that writes a summary of a document within a limit.

    `learns` tells that it has parts to train, `extractive` that it takes sentences as they are.
    Whatever is random in a system depends on its seed and the document alone.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    extractive: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    @abstractmethod
    def summarize(self, source: Source, limit: Limit) -> Outcome:
        """The summary, never longer than the limit."""

    def trained(self, lessons: Sequence[Source]) -> Summarizer:
        """The system with its learned parts trained on what people gave for other documents.

        It stays as it is where it has no such parts. The signature of a trained system tells by
        a hash on what.
        """
        return self

    def _signed_as(self) -> str:
        return self.name
