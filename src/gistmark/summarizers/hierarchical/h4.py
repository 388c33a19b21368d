"""H4: relevance by a convolutional network, a tree by word vectors, a summary by TextRank.

The paper uses GloVe of 300 dimensions, here it is any file of word vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmark.options import option
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import Choice
from gistmark.summarizers.hierarchical.convolution import taught_convolution
from gistmark.summarizers.hierarchical.labels import Lesson
from gistmark.summarizers.hierarchical.learned import Learned, LearnedOptions
from gistmark.summarizers.hierarchical.nuggets import select
from gistmark.summarizers.hierarchical.relevance import Centrality, Relevance
from gistmark.summarizers.hierarchical.terms import unit
from gistmark.summarizers.hierarchical.trees import sentence_node
from gistmark.summarizers.hierarchical.vectors import averages
from gistmark.summarizers.hierarchical.word_trees import grown, summarised
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.summarizer import Source


@dataclass(frozen=True)
class WordTreeOptions(LearnedOptions):
    """Options of H4 and H5."""

    short: int = option(25, "how many words a short sentence has at most")


class H4(Learned[Relevance]):
    """Relevant sentences, put into a tree by their words, ranked by TextRank."""

    name = "H4"
    about = "Relevance by a CNN, a tree by word vectors, short sentences ranked by TextRank."
    Options = WordTreeOptions

    def untaught(self) -> Relevance:
        return Centrality(self.options.lead)

    def taught(self, lessons: Sequence[Lesson]) -> Relevance:
        return taught_convolution(lessons, self.options.vectors, self.options.seed)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        relevance = self.knowledge(candidates)
        chosen = select(relevance, candidates, limit, self.options.share)
        points = averages([sentence.text for sentence in candidates], self.options.vectors)
        tree = grown(chosen, unit(points))
        order = summarised(tree, candidates, limit, self.options.short)
        return Choice(order, sentence_node(tree, candidates, relevance))
