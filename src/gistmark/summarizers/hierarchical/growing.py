"""H5's nuggets: a heavy word and the neighbours that join it, within a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gistmark.models.runtime import library
from gistmark.summarizers.hierarchical.labels import Lesson
from gistmark.summarizers.hierarchical.word_weights import Weighted, Weights
from gistmark.summarizers.ranking import Float64

Neighbour = tuple[float, float, float, float, float]
"""What is known when a word may join: its weight and that of the word behind it, whether it is a
stop word, the mean weight of the nugget so far, and a tenth of the nugget's words, at most 1."""


class Joining(Protocol):
    """Decides whether a neighbour joins a nugget."""

    def __call__(self, neighbour: Neighbour, usual: float) -> bool:
        """Whether it joins; `usual` is what a content word of the document weighs on average."""
        ...


class Weighty:
    """Untaught: a word joins if it or the word behind it weighs at least as much as usual."""

    def __call__(self, neighbour: Neighbour, usual: float) -> bool:
        own, behind, *_ = neighbour
        return max(own, behind) >= usual


@dataclass(frozen=True)
class Taught:
    """A logistic regression: a word joins if it is more likely than not to be relevant, too."""

    coefficients: Neighbour
    intercept: float

    def __call__(self, neighbour: Neighbour, usual: float) -> bool:
        products = (a * b for a, b in zip(self.coefficients, neighbour, strict=True))
        return self.intercept + sum(products) > 0


@dataclass(frozen=True)
class Grown:
    """A nugget: the number of its sentence, and its first and last word."""

    sentence: int
    first: int
    last: int


def grown_nuggets(sentences: Sequence[Weighted], joins: Joining) -> list[Grown]:
    """Nuggets around the heaviest words first; no word is in two.

    Only words that weigh at least as much as usual begin a nugget. Neighbours join on the left
    and on the right until one does not on either side; stop words at the ends fall off.
    """
    usual = _usual(sentences)
    begins = [
        (-weight, number, place)
        for number, words in enumerate(sentences)
        for place, weight in enumerate(words.weights)
        if weight > 0 and weight >= usual
    ]
    taken = [[False] * len(words.weights) for words in sentences]
    found = []
    for _, number, place in sorted(begins):
        if not taken[number][place]:
            first, last = _grow(sentences[number], place, taken[number], joins, usual)
            taken[number][first : last + 1] = [True] * (last + 1 - first)
            found.append(Grown(number, first, last))
    return found


def taught_joining(lessons: Sequence[Lesson], weights: Weights) -> Joining:
    """A rule from all neighbours of relevant words in the lessons.

    A neighbour is to join if it is relevant, or if it is a stop word with a relevant word behind
    it. Where all neighbours are to join or none is, there is nothing to learn, and the untaught
    rule stays.
    """
    examples = [
        example
        for lesson in lessons
        for words, labels in zip(weights(lesson.sentences), lesson.words, strict=True)
        for example in _examples(words, labels)
    ]
    if len({joins for _, joins in examples}) < 2:
        return Weighty()
    model = library("sklearn.linear_model").LogisticRegression(class_weight="balanced")
    model.fit(*map(np.array, zip(*examples, strict=True)))
    one, two, three, four, five = (float(value) for value in model.coef_[0])
    return Taught((one, two, three, four, five), float(model.intercept_[0]))


def _usual(sentences: Sequence[Weighted]) -> float:
    """The mean weight of the different content words."""
    weights = {
        stem: weight
        for words in sentences
        for stem, weight in zip(words.stems, words.weights, strict=True)
        if stem is not None
    }
    return sum(weights.values()) / max(1, len(weights))


def _grow(
    words: Weighted, place: int, taken: Sequence[bool], joins: Joining, usual: float
) -> tuple[int, int]:
    first = last = place
    for step in (-1, 1):
        edge = place
        while 0 <= edge + step < len(taken) and not taken[edge + step]:
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
    next_one, behind = edge + step, edge + 2 * step
    inside = 0 <= behind < len(words.weights)
    stop = words.stems[next_one] is None
    weight = words.weights[behind] if inside else 0.0
    return words.weights[next_one], weight, float(stop), mean, min(1.0, size / 10)


def _examples(words: Weighted, labels: Float64) -> Iterator[tuple[Neighbour, bool]]:
    """Each neighbour of a relevant word, and whether it is to join."""
    for place in np.flatnonzero(labels > 0).tolist():
        for step in (-1, 1):
            if 0 <= place + step < len(labels):
                behind = place + 2 * step
                bridge = words.stems[place + step] is None and 0 <= behind < len(labels)
                joins = labels[place + step] > 0 or (bridge and labels[behind] > 0)
                yield _neighbour(words, place, step, words.weights[place], 1), bool(joins)
