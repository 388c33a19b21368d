"""H5: nuggets grown from the words of relevant sentences, then a tree and a summary as in H4.

The paper labels each word with how often it stands in relevant sentences, and trains a classifier
that decides whether neighbouring words join a nugget.

Untrained, a content word weighs as much as it is frequent in the document, relative to the most
frequent. Trained, this is multiplied by how much more often than other words it was in relevant
sentences of the examples. Stop words weigh nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Protocol

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.extractive.selection import Choice
from gistmark.summarizers.extractive.similarity import CONTENT, Float64
from gistmark.summarizers.hierarchical.features import averages, earliness, unit
from gistmark.summarizers.hierarchical.h4 import WordTreeOptions, grow_tree, summarised
from gistmark.summarizers.hierarchical.learning import (
    Learned,
    TrainingExample,
    relevant_counts,
    select,
)
from gistmark.summarizers.hierarchical.trees import node_of
from gistmark.summarizers.summarizer import Limit, Sentence, Source
from gistmark.text import word_spans
from gistmark.text.folding import fold_words


@dataclass(frozen=True)
class WordModel:
    """What words weigh, and when they join a nugget."""

    weights: Weights
    joins: JoinRule


class H5(Learned[WordModel]):
    """Sentences with heavy nuggets, put into a tree by their words, ranked by TextRank.

    A sentence is as relevant as the different words of its nuggets weigh together, over the
    square root of its number of content words, so that length alone does not win; the highest of
    a document is 1 at most. Its position counts as it does in the other systems (`lead`).
    """

    name = "H5"
    about = "Nuggets grow from words that count, a tree by word vectors, ranked by TextRank."
    Options = WordTreeOptions

    def untrained_model(self) -> WordModel:
        return WordModel(Weights(), WeightRule())

    def trained_model(self, examples: Sequence[TrainingExample]) -> WordModel:
        weights = learned_weights(examples)
        return WordModel(weights, learned_join_rule(examples, weights))

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        words = self.relevance_model.weights(candidates)
        nuggets_of: dict[int, list[Nugget]] = defaultdict(list)
        for nugget in grow_nuggets(words, self.relevance_model.joins):
            nuggets_of[nugget.sentence].append(nugget)
        lead = self.options.lead
        early = (1 + lead * earliness(candidates)) / (1 + lead)
        relevance = _relevance(words, nuggets_of) * early
        selected = select(relevance, candidates, limit, self.options.share)
        points = averages([sentence.text for sentence in candidates], self.options.vectors)
        tree = grow_tree(selected, unit(points))
        order = summarised(tree, candidates, limit, self.options.short)
        nuggets = [
            _nugget_sentences(sentence, words[number], nuggets_of.get(number, []))
            for number, sentence in enumerate(candidates)
        ]
        return Choice(order, node_of(tree, nuggets, relevance))


def _relevance(words: Sequence[Weighted], nuggets_of: dict[int, list[Nugget]]) -> Float64:
    relevance = np.zeros(len(words))
    for number, nuggets in nuggets_of.items():
        sentence_words = words[number]
        weights = {
            sentence_words.stems[position]: sentence_words.weights[position]
            for nugget in nuggets
            for position in range(nugget.first, nugget.last + 1)
        }
        content = sum(stem is not None for stem in sentence_words.stems)
        relevance[number] = sum(weights.values()) / sqrt(content)
    return relevance / (relevance.max() or 1.0)


def _nugget_sentences(
    sentence: Sentence, words: Weighted, nuggets: Sequence[Nugget]
) -> tuple[Sentence, ...]:
    """The nuggets of a sentence with their own offsets, the heaviest first.

    A sentence without nuggets, which is taken only where too few have any, stands for itself.
    """
    parts = [(words.spans[nugget.first][0], words.spans[nugget.last][1]) for nugget in nuggets]
    return tuple(
        replace(
            sentence,
            text=sentence.text[start:end],
            start=sentence.start + start,
            end=sentence.start + end,
            cut=False,
        )
        for start, end in parts
    ) or (sentence,)


Neighbour = tuple[float, float, float, float, float]
"""What is known when a word may join: its weight and that of the word behind it, whether it is a
stop word, the mean weight of the nugget so far, and a tenth of the nugget's words, at most 1."""


class JoinRule(Protocol):
    """Decides whether a neighbour joins a nugget."""

    def __call__(self, neighbour: Neighbour, usual: float) -> bool:
        """Whether it joins; `usual` is what a content word of the document weighs on average."""
        ...


class WeightRule:
    """Untrained: a word joins if it or the word behind it weighs at least as much as usual."""

    def __call__(self, neighbour: Neighbour, usual: float) -> bool:
        weight, behind, *_ = neighbour
        return max(weight, behind) >= usual


@dataclass(frozen=True)
class LogisticRule:
    """A logistic regression: a word joins if it is more likely than not to be relevant, too."""

    coefficients: Neighbour
    intercept: float

    def __call__(self, neighbour: Neighbour, usual: float) -> bool:
        products = (a * b for a, b in zip(self.coefficients, neighbour, strict=True))
        return self.intercept + sum(products) > 0


@dataclass(frozen=True)
class Nugget:
    """A nugget: the number of its sentence, and its first and last word."""

    sentence: int
    first: int
    last: int


def grow_nuggets(sentences: Sequence[Weighted], joins: JoinRule) -> list[Nugget]:
    """Nuggets around the heaviest words first; no word is in two.

    Only words that weigh at least as much as usual begin a nugget. Neighbours join on the left
    and on the right until one does not on either side; stop words at the ends fall off.
    """
    usual = _mean_weight(sentences)
    begins = [
        (-weight, number, position)
        for number, words in enumerate(sentences)
        for position, weight in enumerate(words.weights)
        if weight > 0 and weight >= usual
    ]
    in_nugget = [[False] * len(words.weights) for words in sentences]
    nuggets = []
    for _, number, position in sorted(begins):
        if not in_nugget[number][position]:
            first, last = _grow(sentences[number], position, in_nugget[number], joins, usual)
            in_nugget[number][first : last + 1] = [True] * (last + 1 - first)
            nuggets.append(Nugget(number, first, last))
    return nuggets


def learned_join_rule(examples: Sequence[TrainingExample], weights: Weights) -> JoinRule:
    """A rule learned from all neighbours of relevant words in the examples.

    A neighbour should join if it is relevant, or if it is a stop word with a relevant word behind
    it. If all neighbours should join or none should, there is nothing to learn, and the untrained
    rule is used.
    """
    neighbours = [
        neighbour
        for example in examples
        for words, labels in zip(weights(example.sentences), example.words, strict=True)
        for neighbour in _labelled_neighbours(words, labels)
    ]
    if len({joins for _, joins in neighbours}) < 2:
        return WeightRule()
    model = library("sklearn.linear_model").LogisticRegression(class_weight="balanced")
    model.fit(*map(np.array, zip(*neighbours, strict=True)))
    a, b, c, d, e = (float(value) for value in model.coef_[0])
    return LogisticRule((a, b, c, d, e), float(model.intercept_[0]))


def _mean_weight(sentences: Sequence[Weighted]) -> float:
    """The mean weight of the different content words."""
    weights = {
        stem: weight
        for words in sentences
        for stem, weight in zip(words.stems, words.weights, strict=True)
        if stem is not None
    }
    return sum(weights.values()) / max(1, len(weights))


def _grow(
    words: Weighted, position: int, in_nugget: Sequence[bool], joins: JoinRule, usual: float
) -> tuple[int, int]:
    first = last = position
    for step in (-1, 1):
        edge = position
        while 0 <= edge + step < len(in_nugget) and not in_nugget[edge + step]:
            mean = float(np.mean(words.weights[first : last + 1]))
            if not joins(_neighbour(words, edge, step, mean, last + 1 - first), usual):
                break
            edge += step
            first, last = min(first, edge), max(last, edge)
    while words.stems[first] is None:
        first += 1
    while words.stems[last] is None:
        last -= 1
    return first, last


def _neighbour(words: Weighted, edge: int, step: int, mean: float, size: int) -> Neighbour:
    following, behind = edge + step, edge + 2 * step
    exists = 0 <= behind < len(words.weights)
    stop = words.stems[following] is None
    weight = words.weights[behind] if exists else 0.0
    return words.weights[following], weight, float(stop), mean, min(1.0, size / 10)


def _labelled_neighbours(words: Weighted, labels: Float64) -> Iterator[tuple[Neighbour, bool]]:
    """Each neighbour of a relevant word, and whether it should join."""
    for position in np.flatnonzero(labels > 0).tolist():
        for step in (-1, 1):
            if 0 <= position + step < len(labels):
                behind = position + 2 * step
                bridge = words.stems[position + step] is None and 0 <= behind < len(labels)
                joins = labels[position + step] > 0 or (bridge and labels[behind] > 0)
                yield _neighbour(words, position, step, words.weights[position], 1), bool(joins)


PRIOR = 5.0
"""A word's share of relevant sentences is smoothed as if it had been seen this often before."""


@dataclass(frozen=True)
class Weighted:
    """The words of a sentence: where they stand in it, their stems, and their weights.

    The stem of a stop word is None.
    """

    spans: list[tuple[int, int]]
    stems: list[str | None]
    weights: list[float]


@dataclass(frozen=True)
class Weights:
    """What words weigh; `lifts` multiplies, and a word that is not there has 1."""

    lifts: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, sentences: Sequence[Sentence]) -> list[Weighted]:
        """The weighted words of a document's sentences; the heaviest weighs 1."""
        spans = [word_spans(sentence.text, "words") for sentence in sentences]
        stems = [
            fold_words([sentence.text[start:end].lower() for start, end in positions], CONTENT)
            for sentence, positions in zip(sentences, spans, strict=True)
        ]
        counts = Counter(stem for row in stems for stem in row if stem is not None)
        raw = {stem: count * self.lifts.get(stem, 1.0) for stem, count in counts.items()}
        most = max(raw.values(), default=1.0) or 1.0
        return [
            Weighted(positions, row, [raw[stem] / most if stem else 0.0 for stem in row])
            for positions, row in zip(spans, stems, strict=True)
        ]


def learned_weights(examples: Sequence[TrainingExample]) -> Weights:
    """Lifts from how often each word stands in relevant sentences, among all where it stands."""
    counts = relevant_counts(examples)
    relevant = sum(count for count, _ in counts.values())
    mean = relevant / (sum(everywhere for _, everywhere in counts.values()) or 1.0)
    if not mean:
        return Weights()
    return Weights(
        {
            word: (count + PRIOR * mean) / (everywhere + PRIOR) / mean
            for word, (count, everywhere) in counts.items()
        }
    )
