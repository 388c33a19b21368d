"""What a summariser is: a name, a description, options, and `summarize(source, limit)`.

A plugin subclasses `Summarizer` (or `Extractive`) and names the class in the entry-point group
`gistmark.systems`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gistmark._version import __version__
from gistmark.options import NoOptions, signature
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


class Summarizer(ABC):
    """A system that writes a summary of a document within a limit.

    `learns` tells that it has parts to train, `extractive` that it takes sentences as they are.
    Whatever is random in a system depends on its seed and the document alone.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    extractive: ClassVar[bool] = False
    learns: ClassVar[bool] = False
    Options: ClassVar[type[Any]] = NoOptions

    def __init__(self, options: Any | None = None) -> None:
        self.options = self.Options() if options is None else options

    @abstractmethod
    def summarize(self, source: Source, limit: Limit) -> Outcome:
        """The summary, never longer than the limit."""

    def trained(self, lessons: Sequence[Source]) -> Summarizer:
        """The system with its learned parts trained on what people gave for other documents.

        It stays as it is where it has no such parts. The signature of a trained system tells by
        a hash on what.
        """
        return self

    @property
    def version(self) -> str:
        """The version in the signature; a plugin puts its own here."""
        return __version__

    @property
    def signature(self) -> str:
        """All that is needed to write the summaries again, as one string."""
        return signature(self.name, self.version, self.options)
