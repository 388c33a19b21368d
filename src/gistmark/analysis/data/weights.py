"""How much each judged document and comparison counts, where some were likelier to be chosen.

A document that was sampled with probability p counts 1 / p (Hájek 1971). A comparison of an
adaptive campaign counts as much more as pure chance would have chosen its task more often; the
campaign's floor of random choice bounds that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.findings import words
from gistmark.analysis.studies.records import Note
from gistmark.corpus.corpus import Corpus
from gistmark.records import Comparison

Float64 = NDArray[np.float64]
Choice = tuple[str, frozenset[str], str]


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of documents by name, and of comparisons by document, systems and annotator.

    Where nothing is known of a document or comparison it counts 1. `sample` are the documents that
    were drawn with known probabilities, if no other was judged.
    """

    documents: Mapping[str, float] = field(default_factory=dict)
    choices: Mapping[Choice, float] = field(default_factory=dict)
    sample: frozenset[str] = frozenset()

    def of_documents(self, names: Sequence[str]) -> Float64 | None:
        """The weights of these documents; None where all count the same."""
        if not self.documents:
            return None
        return np.array([self.documents.get(name, 1.0) for name in names])

    def of_comparison(self, comparison: Comparison) -> float:
        """The weight of a comparison by the way in which its task was chosen."""
        if not self.choices:
            return 1.0
        systems = frozenset((comparison.left, comparison.right))
        return self.choices.get((comparison.document, systems, comparison.annotator), 1.0)


UNWEIGHTED = Weights()


def weights_of(corpus: Corpus) -> Weights:
    """What `sampling.csv` and `sequence.csv` say; documents with equal probabilities weigh alike.

    Where documents were judged that are not in the sample, nobody knows their probability, and
    documents are not weighted at all.
    """
    known = {each.document: each.probability for each in corpus.sampling}
    probabilities = [value for value in known.values() if value is not None]
    alike = all(isclose(value, probabilities[0]) for value in probabilities)
    documents: dict[str, float] = {}
    sample = frozenset(known) if probabilities and not _unsampled(corpus) else frozenset()
    if sample and not alike:
        documents = {name: 1.0 / value for name, value in known.items() if value is not None}
    choices = {
        (turn.document, frozenset(turn.systems), turn.annotator): turn.weight
        for turn in corpus.sequence
    }
    return Weights(documents, choices, sample)


def not_at_random(corpus: Corpus) -> str | None:
    """Why the judged documents are no random sample of the corpus, where that is known."""
    if corpus.sampling and corpus.sampling[0].probability is None:
        return "the judged documents were chosen for the ranking, not at random"
    if corpus.sequence:
        return "tasks were chosen adaptively, so the judged documents are no random sample"
    return None


def sampling_notes(corpus: Corpus) -> Iterator[Note]:
    """Notes on what a sample means for the numbers of a study."""
    if not corpus.sampling:
        return
    method, count = corpus.sampling[0].method, len(corpus.sampling)
    by_utility = corpus.sampling[0].probability is None
    unsampled = _unsampled(corpus)
    if by_utility:
        yield Note(
            "sampling",
            f"{_chosen(count)} by {method}, for what they tell about the ranking and not at "
            "random: means are those of the chosen documents, not of the corpus that they come "
            "from.",
        )
    elif unsampled:
        yield Note(
            "sampling",
            f"{words.counted(len(unsampled), 'document')} that people judged "
            f"{'is' if len(unsampled) == 1 else 'are'} not in sampling.csv, such as "
            f"{unsampled[0]!r}, so documents are not weighted.",
        )
    elif weights_of(corpus).documents:
        yield Note(
            "sampling",
            f"{_chosen(count)} {_by(method)} with known, unequal probabilities: means, ranks and "
            "strengths of systems by people count each document by one over its probability. "
            "Effect sizes, agreement, correlations, variance components, shares of answers and "
            "metrics are not weighted.",
        )
    if count == 1 and not by_utility:
        yield Note("sampling", "One document says nothing about others.")


def sampling_methods(corpus: Corpus) -> Iterator[str]:
    """The sentences of the methods paragraph about the choice of documents and of tasks."""
    if corpus.sampling:
        first = corpus.sampling[0]
        seed = "" if first.seed is None else f" (seed {first.seed})"
        if first.probability is None:
            how = f"by {first.method} for what they tell about the ranking of systems"
        else:
            how = f"{_by(first.method)} with known probabilities"
        weighted = ", and weighted by their inverse (Hájek)" if weights_of(corpus).documents else ""
        yield (
            f"{_chosen(len(corpus.sampling), ' to be judged')} {how}{seed}{weighted}; intervals "
            "resample documents with replacement, without a finite-population correction."
        )
    if corpus.sequence and corpus.comparisons:
        yield (
            "Tasks were chosen adaptively; in Bradley-Terry strengths each comparison counts by "
            "the ratio of its probability under uniform choice to that of its choice."
        )


def _chosen(count: int, what: str = "") -> str:
    return f"{words.counted(count, 'document')}{what} {'was' if count == 1 else 'were'} chosen"


def _by(method: str) -> str:
    frame = method.removeprefix("random")
    return f"at random, {method}," if frame == method else f"at random{frame}"


def _unsampled(corpus: Corpus) -> list[str]:
    """The judged documents that are not in the sample."""
    sampled = {record.document for record in corpus.sampling}
    kinds = (corpus.ratings, corpus.comparisons, corpus.presence, corpus.spans, corpus.responses)
    judged = dict.fromkeys(judgement.document for kind in kinds for judgement in kind)
    return [name for name in judged if name not in sampled]
