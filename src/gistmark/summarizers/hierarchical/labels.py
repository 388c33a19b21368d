"""Labels to train on: how relevant each sentence and word of a document was to people.

From highlights, where a document has any: a word's label is the share of the annotators who marked
it, a sentence's the mean of its words'. Otherwise from references: a word's label is the share of
the references that have its stem as a content word, a sentence's the mean over the references of
its ROUGE-1 F on stems without stop words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from gistmark.metrics import Batch, Item, metric_from
from gistmark.metrics.lexical.hrouge import highlighted_words
from gistmark.records import Document
from gistmark.summarizers.candidates import Sentence, sentences_of
from gistmark.summarizers.ranking import Float64
from gistmark.summarizers.similarity import CONTENT
from gistmark.summarizers.summarizer import Source
from gistmark.text import word_spans, words
from gistmark.text.folding import fold_words

_ALIGNMENT = "rouge1:tok=words,stop=yes,stem=yes,refs=mean"


@dataclass(frozen=True)
class Lesson:
    """A document's sentences with their labels; `words` has an array of labels for each."""

    document: Document
    sentences: tuple[Sentence, ...]
    relevance: Float64
    words: tuple[Float64, ...]

    @property
    def targets(self) -> Float64:
        """The labels relative to the document's highest, so that every document teaches alike."""
        highest = float(self.relevance.max())
        return self.relevance / highest


def lesson_from(source: Source) -> Lesson | None:
    """The lesson that a document gives, or None.

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
    return Lesson(source.document, sentences, relevance, marked) if relevance.any() else None


def digest(lessons: Sequence[Lesson]) -> str:
    """Eight hexadecimal digits that stand for the lessons' texts and labels."""
    found = sha256()
    for lesson in lessons:
        found.update(lesson.document.text.encode("utf-8", "surrogatepass"))
        for labels in (lesson.relevance, *lesson.words):
            found.update(" ".join(f"{label:.9g}" for label in labels).encode() + b"\n")
    return found.hexdigest()[:8]


def relevant_counts(lessons: Iterable[Lesson]) -> Mapping[str, tuple[float, float]]:
    """For each content word how often it stands in relevant sentences, and in all.

    Each time counts as much as its sentence is relevant in its document, at most 1.
    """
    relevant: dict[str, float] = defaultdict(float)
    everywhere: Counter[str] = Counter()
    for lesson in lessons:
        for sentence, target in zip(lesson.sentences, lesson.targets, strict=True):
            for word in words(sentence.text, CONTENT):
                relevant[word] += float(target)
                everywhere[word] += 1
    return {word: (relevant[word], float(count)) for word, count in everywhere.items()}


def _word_labels(source: Source, sentences: Sequence[Sentence]) -> tuple[Float64, ...]:
    spans = [
        [(sentence.start + start, sentence.start + end) for start, end in _spans(sentence)]
        for sentence in sentences
    ]
    everything = [span for found in spans for span in found]
    if source.highlights:
        marks = highlighted_words(everything, source.highlights)
        labels = np.mean([marks[annotator] for annotator in sorted(marks)], axis=0)
    else:
        text = source.document.text
        labels = _in_references([text[start:end] for start, end in everything], source.references)
    ends = np.cumsum([len(found) for found in spans])[:-1]
    return tuple(np.split(labels, ends))


def _spans(sentence: Sentence) -> list[tuple[int, int]]:
    return word_spans(sentence.text, "words")


def _in_references(found: Sequence[str], references: Sequence[str]) -> Float64:
    known = [frozenset(words(reference, CONTENT)) for reference in references]
    stems = fold_words([word.lower() for word in found], CONTENT)
    return np.array(
        [sum(stem in reference for reference in known) / len(known) for stem in stems],
        dtype=np.float64,
    )


def _aligned(sentences: Sequence[Sentence], references: tuple[str, ...]) -> Float64:
    """ROUGE-1 F of each sentence; zeros where no reference has content words."""
    batch = Batch.of([Item(sentence.text, references) for sentence in sentences])
    return np.nan_to_num(metric_from(_ALIGNMENT).score(batch).values[:, 2])
