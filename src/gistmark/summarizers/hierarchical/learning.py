"""Training examples, and the base of H1, H2, H4 and H5, which learn relevance from them.

Labels come from highlights, where a document has any: a word's label is the share of the annotators
who marked it, a sentence's the mean of its words'. Otherwise they come from references: a word's
label is the share of the references that have its stem as a content word, a sentence's the mean
over the references of its ROUGE-1 F on stems without stop words. Without training, a system uses
its untrained model.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.metrics import Batch, Item, metric_from
from gistmark.models.vectors.pipelines import labels_of
from gistmark.models.vectors.words import plain_name
from gistmark.options import option
from gistmark.records import Document
from gistmark.summarizers.extractive.selection import Extractive, best_first, fill, sentences_of
from gistmark.summarizers.extractive.similarity import CONTENT, Float64
from gistmark.summarizers.summarizer import Limit, Sentence, Source, require_shares
from gistmark.text import word_spans, words
from gistmark.text.folding import fold_words
from gistmark.text.highlighted import highlighted_words

WORD_VECTORS = "glove-6b-50d"
SENTENCE_ENCODER = "all-MiniLM-L6-v2"

Model = TypeVar("Model")


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
class Fitted(Generic[Model]):
    """A trained model, and the hash of the examples that it was trained on."""

    model: Model
    examples: str


class Learned(Extractive, Generic[Model]):
    """A system that trains on examples; until then it uses its untrained model."""

    learns = True
    Options: ClassVar[type[Any]] = LearnedOptions

    def __init__(self, options: Any | None = None, fitted: Fitted[Model] | None = None) -> None:
        super().__init__(options)
        require_shares(self.name, share=self.options.share)
        self.fitted = fitted

    @abstractmethod
    def untrained_model(self) -> Model:
        """The model that needs no training."""

    @abstractmethod
    def trained_model(self, examples: Sequence[TrainingExample]) -> Model:
        """The model trained on one example or more; the same seed gives the same model."""

    @property
    def relevance_model(self) -> Model:
        """The trained model, or else the untrained one."""
        return self.untrained_model() if self.fitted is None else self.fitted.model

    def trained(self, examples: Sequence[Source]) -> Self:
        """The system trained on the documents that have labels; if none has, that is an error."""
        labelled = [example for example in map(example_from, examples) if example is not None]
        if not labelled:
            raise GistmarkError(
                f"{self.name} cannot be trained: none of the {len(examples)} documents has "
                "highlights, or references that share words with it."
            )
        return type(self)(self.options, Fitted(self.trained_model(labelled), digest(labelled)))

    def _shown(self) -> dict[str, str]:
        source = "unsupervised" if self.fitted is None else f"trained-{self.fitted.examples}"
        return {**labels_of(self.options), "relevance": source}


_ALIGNMENT = "rouge1:tok=words,stop=yes,stem=yes,refs=mean"


@dataclass(frozen=True)
class TrainingExample:
    """A document's sentences with their labels; `words` has an array of labels for each."""

    document: Document
    sentences: tuple[Sentence, ...]
    relevance: Float64
    words: tuple[Float64, ...]

    @property
    def targets(self) -> Float64:
        """The labels relative to the document's highest, so that every document counts the same."""
        highest = float(self.relevance.max())
        return self.relevance / highest


def example_from(source: Source) -> TrainingExample | None:
    """The training example of a document, or None.

    There is none without highlights and references, nor where these touch no sentence.
    """
    sentences = sentences_of(source.document)
    if not sentences or not (source.highlights or source.references):
        return None
    marked = _word_labels(source, sentences)
    relevance = (
        np.array([labels.mean() if len(labels) else 0.0 for labels in marked])
        if source.highlights
        else _aligned(sentences, source.references)
    )
    return (
        TrainingExample(source.document, sentences, relevance, marked) if relevance.any() else None
    )


def digest(examples: Sequence[TrainingExample]) -> str:
    """Eight hexadecimal digits that stand for the examples' texts and labels."""
    state = sha256()
    for example in examples:
        state.update(example.document.text.encode("utf-8", "surrogatepass"))
        for labels in (example.relevance, *example.words):
            state.update(" ".join(f"{label:.9g}" for label in labels).encode() + b"\n")
    return state.hexdigest()[:8]


def relevant_counts(examples: Iterable[TrainingExample]) -> Mapping[str, tuple[float, float]]:
    """For each content word how often it stands in relevant sentences, and in all.

    Each time counts as much as its sentence is relevant in its document, at most 1.
    """
    relevant: dict[str, float] = defaultdict(float)
    everywhere: Counter[str] = Counter()
    for example in examples:
        for sentence, target in zip(example.sentences, example.targets, strict=True):
            for word in words(sentence.text, CONTENT):
                relevant[word] += float(target)
                everywhere[word] += 1
    return {word: (relevant[word], float(count)) for word, count in everywhere.items()}


def _word_labels(source: Source, sentences: Sequence[Sentence]) -> tuple[Float64, ...]:
    spans = [
        [
            (sentence.start + start, sentence.start + end)
            for start, end in word_spans(sentence.text, "words")
        ]
        for sentence in sentences
    ]
    all_spans = [span for sentence_spans in spans for span in sentence_spans]
    if source.highlights:
        marks = highlighted_words(all_spans, source.highlights)
        labels = np.mean([marks[annotator] for annotator in sorted(marks)], axis=0)
    else:
        text = source.document.text
        labels = _in_references([text[start:end] for start, end in all_spans], source.references)
    ends = np.cumsum([len(sentence_spans) for sentence_spans in spans])[:-1]
    return tuple(np.split(labels, ends))


def _in_references(tokens: Sequence[str], references: Sequence[str]) -> Float64:
    reference_stems = [frozenset(words(reference, CONTENT)) for reference in references]
    stems = fold_words([word.lower() for word in tokens], CONTENT)
    return np.array(
        [
            sum(stem in reference for reference in reference_stems) / len(reference_stems)
            for stem in stems
        ],
        dtype=np.float64,
    )


def _aligned(sentences: Sequence[Sentence], references: tuple[str, ...]) -> Float64:
    """ROUGE-1 F of each sentence; zeros where no reference has content words."""
    batch = Batch.of([Item(sentence.text, references) for sentence in sentences])
    return np.nan_to_num(metric_from(_ALIGNMENT).score(batch).values[:, 2])


MOST = 300
"""No hierarchy has more nuggets: clustering many thousands takes minutes and gives no more to
choose from for a summary that people read."""


def select(
    relevance: Float64, candidates: Sequence[Sentence], limit: Limit, share: float
) -> list[int]:
    """The most relevant candidates, best first; of equal ones the earlier.

    They are the given share of all, but at least enough to fill the limit, and at most `MOST`.
    """
    ranked: list[int] = best_first(relevance).tolist()
    least = len(fill(ranked, candidates, limit))
    return ranked[: min(MOST, max(least, ceil(share * len(ranked))))]
