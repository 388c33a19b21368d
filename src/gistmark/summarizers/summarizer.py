"""What a summariser is: a name, a description, and `summarize(document, limit)`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from gistmark.records import Document
from gistmark.text import words


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a summary may be; what is None does not limit."""

    chars: int | None = 600
    words: int | None = None
    sentences: int | None = None

    def holds(self, sentences: list[str]) -> bool:
        """Whether sentences, joined by spaces, are within the limit."""
        text = " ".join(sentences)
        return (
            (self.chars is None or len(text) <= self.chars)
            and (self.words is None or len(words(text)) <= self.words)
            and (self.sentences is None or len(sentences) <= self.sentences)
        )


class Summarizer(ABC):
    """A system that writes a summary of a document within a limit."""

    about: ClassVar[str]

    @abstractmethod
    def summarize(self, document: Document, limit: Limit) -> str:
        """The summary."""
