"""What H1, H2, H4 and H5 share: a part that is trained, or else stands in untrained."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

from gistmark.errors import GistmarkError
from gistmark.models.vectors.pipelines import labels_of
from gistmark.models.vectors.words import plain_name
from gistmark.options import option
from gistmark.summarizers.extractive import Extractive
from gistmark.summarizers.hierarchical.labels import Lesson, digest, lesson_from
from gistmark.summarizers.shares import require_shares
from gistmark.summarizers.summarizer import Source

WORD_VECTORS = "glove-6b-50d"
SENTENCE_ENCODER = "all-MiniLM-L6-v2"

Knowledge = TypeVar("Knowledge")


@dataclass(frozen=True)
class LearnedOptions:
    """Options of every system that learns."""

    vectors: str = option(WORD_VECTORS, "a known model or a file of word vectors")
    share: float = option(0.4, "the share of the sentences that are taken as nuggets")
    lead: float = option(0.25, "what a first sentence gains in relevance without training")
    seed: int = option(0, "the seed of the training")

    def __post_init__(self) -> None:
        """A name with the hash that a signature shows means the same as the name alone."""
        object.__setattr__(self, "vectors", plain_name(self.vectors))


@dataclass(frozen=True)
class Learnt(Generic[Knowledge]):
    """What was learnt, and the hash of the lessons that it was learnt from."""

    knowledge: Knowledge
    lessons: str


class Learned(Extractive, Generic[Knowledge]):
    """A system that trains on lessons; until then its untaught knowledge serves."""

    learns = True
    Options: ClassVar[type[Any]] = LearnedOptions

    def __init__(self, options: Any | None = None, learnt: Learnt[Knowledge] | None = None) -> None:
        super().__init__(options)
        require_shares(self.name, share=self.options.share)
        self.learnt = learnt

    @abstractmethod
    def untaught(self) -> Knowledge:
        """What the system goes by without training."""

    @abstractmethod
    def taught(self, lessons: Sequence[Lesson]) -> Knowledge:
        """What one lesson or more teach; the same seed gives the same."""

    @property
    def knowledge(self) -> Knowledge:
        """What the system goes by."""
        return self.untaught() if self.learnt is None else self.learnt.knowledge

    def trained(self, lessons: Sequence[Source]) -> Self:
        """The system trained on the documents that have labels; without any that is an error."""
        found = [lesson for lesson in map(lesson_from, lessons) if lesson is not None]
        if not found:
            raise GistmarkError(
                f"{self.name} cannot be trained: none of the {len(lessons)} documents has "
                "highlights, or references that share words with it."
            )
        return type(self)(self.options, Learnt(self.taught(found), digest(found)))

    def _shown(self) -> dict[str, str]:
        source = "unsupervised" if self.learnt is None else f"trained-{self.learnt.lessons}"
        return {**labels_of(self.options), "relevance": source}
