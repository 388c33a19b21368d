"""H5: nuggets grown from the words that stand in relevant sentences, then as H4.

The paper labels each word with how often it stands in relevant sentences, and trains a classifier
that decides whether neighbouring words join a nugget.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import Choice
from gistmark.summarizers.hierarchical.growing import (
    Grown,
    Joining,
    Weighty,
    grown_nuggets,
    taught_joining,
)
from gistmark.summarizers.hierarchical.h4 import WordTreeOptions
from gistmark.summarizers.hierarchical.labels import Lesson
from gistmark.summarizers.hierarchical.learned import Learned
from gistmark.summarizers.hierarchical.nuggets import select
from gistmark.summarizers.hierarchical.relevance import earliness
from gistmark.summarizers.hierarchical.terms import unit
from gistmark.summarizers.hierarchical.trees import node_of
from gistmark.summarizers.hierarchical.vectors import averages
from gistmark.summarizers.hierarchical.word_trees import grown, summarised
from gistmark.summarizers.hierarchical.word_weights import Weighted, Weights, taught_weights
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.ranking import Float64
from gistmark.summarizers.summarizer import Source


@dataclass(frozen=True)
class WordKnowledge:
    """What words weigh, and when they join a nugget."""

    weights: Weights
    joins: Joining


class H5(Learned[WordKnowledge]):
    """Sentences with heavy nuggets, put into a tree by their words, ranked by TextRank.

    A sentence is as relevant as the different words of its nuggets weigh together, over the
    square root of its number of content words, so that length alone does not win; the highest of
    a document is 1 at most. Its place counts as it does for the other systems (`lead`).
    """

    name = "H5"
    about = "Nuggets grown from words that count, a tree by word vectors, ranked by TextRank."
    Options = WordTreeOptions

    def untaught(self) -> WordKnowledge:
        return WordKnowledge(Weights(), Weighty())

    def taught(self, lessons: Sequence[Lesson]) -> WordKnowledge:
        weights = taught_weights(lessons)
        return WordKnowledge(weights, taught_joining(lessons, weights))

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        words = self.knowledge.weights(candidates)
        found: dict[int, list[Grown]] = defaultdict(list)
        for nugget in grown_nuggets(words, self.knowledge.joins):
            found[nugget.sentence].append(nugget)
        lead = self.options.lead
        early = (1 + lead * earliness(candidates)) / (1 + lead)
        relevance = _relevance(words, found) * early
        chosen = select(relevance, candidates, limit, self.options.share)
        points = averages([sentence.text for sentence in candidates], self.options.vectors)
        tree = grown(chosen, unit(points))
        order = summarised(tree, candidates, limit, self.options.short)
        nuggets = [
            _spans(sentence, words[number], found.get(number, []))
            for number, sentence in enumerate(candidates)
        ]
        return Choice(order, node_of(tree, nuggets, relevance))


def _relevance(words: Sequence[Weighted], found: dict[int, list[Grown]]) -> Float64:
    relevance = np.zeros(len(words))
    for number, nuggets in found.items():
        own = words[number]
        weights = {
            own.stems[place]: own.weights[place]
            for nugget in nuggets
            for place in range(nugget.first, nugget.last + 1)
        }
        content = sum(stem is not None for stem in own.stems)
        relevance[number] = sum(weights.values()) / sqrt(content)
    return relevance / (relevance.max() or 1.0)


def _spans(sentence: Sentence, words: Weighted, nuggets: Sequence[Grown]) -> tuple[Sentence, ...]:
    """The nuggets of a sentence with their own offsets, the heaviest first.

    A sentence without nuggets, which is taken only where too few have any, stands for itself.
    """
    parts = [(words.spans[each.first][0], words.spans[each.last][1]) for each in nuggets]
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
