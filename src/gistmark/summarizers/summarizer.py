"""What a summariser is: a name, a description, options, and `summarize(source, limit)`.

A plugin subclasses `Summarizer` (or `Extractive`) and names the class in the entry-point group
`gistmark.systems`. A system gets a `Source` and a `Limit`, which says how long a summary may be,
and returns an `Outcome`, whose sentences and tree of nuggets `--explain` shows.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from gistmark.errors import UsageError
from gistmark.options import Configured
from gistmark.records import Document, Highlight
from gistmark.text import word_spans

_BREAK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a summary may be; None sets no limit."""

    chars: int | None = 600
    words: int | None = None
    sentences: int | None = None

    @property
    def fields(self) -> dict[str, str]:
        """The limit as fields of a signature, such as `max-chars:600`."""
        limits = {"chars": self.chars, "words": self.words, "sentences": self.sentences}
        fields = {f"max-{name}": str(most) for name, most in limits.items() if most is not None}
        return fields or {"max": "none"}

    def holds(self, sentences: Iterable[str]) -> bool:
        """Whether sentences, joined by spaces, are within the limit."""
        budget = Budget(self)
        return all(budget.take(sentence) for sentence in sentences)

    def cut(self, text: str) -> str:
        """The longest beginning of a text that fits and ends between two words.

        A first word that is too long by itself is cut in its middle. Where no sentence or no word
        is allowed, nothing is left.
        """
        if self.sentences == 0:
            return ""
        spans = word_spans(text, "words")
        if self.words is not None and len(spans) > self.words:
            text = text[: spans[self.words][0]].rstrip()
        if self.chars is None or len(text) <= self.chars:
            return text
        beginning = text[: self.chars]
        if _BREAK.match(text[self.chars]):
            return beginning.rstrip()
        breaks = [match.start() for match in _BREAK.finditer(beginning)]
        return (beginning[: breaks[-1]].rstrip() if breaks else "") or beginning


@dataclass(slots=True)
class Budget:
    """What is left of a limit while a summary is filled, sentence by sentence."""

    limit: Limit
    chars: int = 0
    words: int = 0
    sentences: list[str] = field(default_factory=list)

    def fits(self, sentence: str) -> bool:
        """Whether the sentence can be added after a space."""
        limit = self.limit
        chars = self.chars + len(sentence) + bool(self.sentences)
        return (
            (limit.chars is None or chars <= limit.chars)
            and (limit.sentences is None or len(self.sentences) < limit.sentences)
            and (limit.words is None or self.words + _word_count(sentence) <= limit.words)
        )

    def take(self, sentence: str) -> bool:
        """Add the sentence if it fits, and return whether it did."""
        if not self.fits(sentence):
            return False
        self.chars += len(sentence) + bool(self.sentences)
        self.words += _word_count(sentence) if self.limit.words is not None else 0
        self.sentences.append(sentence)
        return True


def _word_count(sentence: str) -> int:
    return len(word_spans(sentence, "words"))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands: offsets count in the document's whole text.

    `source` is the index of the text it is from, `position` its own index in that text. `cut` says
    that it is only the beginning of a sentence.
    """

    text: str
    start: int
    end: int
    source: int
    position: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A node with its nuggets (sentences or parts of them), the most central first.

    `label` says what holds the node together, such as its frequent words; `relevance` is the mean
    of its nuggets' and those below.
    """

    nuggets: tuple[Sentence, ...]
    relevance: float
    label: str = ""
    children: tuple[Node, ...] = ()

    @property
    def size(self) -> int:
        """The number of nuggets here and below."""
        return len(self.nuggets) + sum(child.size for child in self.children)

    def depth_first(self) -> Iterator[Node]:
        """This node and all below, a child's own children before the next child."""
        yield self
        for child in self.children:
            yield from child.depth_first()

    def breadth_first(self) -> Iterator[Node]:
        """This node and all below, level by level."""
        level = [self]
        while level:
            yield from level
            level = [child for node in level for child in node.children]


@dataclass(frozen=True, slots=True)
class Source:
    """What a system gets: the document, with its references and highlights.

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

    `learns` says that it can be trained, `extractive` that it takes sentences as they are.
    Whatever is random in a system depends on its seed and the document alone.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    extractive: ClassVar[bool] = False
    learns: ClassVar[bool] = False

    @abstractmethod
    def summarize(self, source: Source, limit: Limit) -> Outcome:
        """The summary, never longer than the limit."""

    def trained(self, examples: Sequence[Source]) -> Summarizer:
        """The system trained on other documents with their references and highlights.

        A system without anything to train returns itself. The signature of a trained system has
        a hash of the examples.
        """
        return self

    def _signed_as(self) -> str:
        return self.name


def require_shares(system: str, **values: float) -> None:
    """Refuse an option that is not a share, a number from 0 to 1; options are passed by name."""
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise UsageError(f"{system}:{name}: {value:g} is not a number from 0 to 1.")
