"""H3: topics, a hierarchy by k-means, and of many traversals the one that fits the source best.

The paper embeds with the Universal Sentence Encoder, here it is any sentence encoder. It returns
the candidate with the highest Jensen-Shannon divergence to the source, which taken literally is the
one that fits worst; here it is the one with the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics import Batch, Item, metric_from
from gistmark.models.runtime import library
from gistmark.models.sentence_encoders import sentence_encoder
from gistmark.models.vectors.pipelines import labels_of
from gistmark.options import option
from gistmark.runtime.seeds import document_generator
from gistmark.signature import without_hash
from gistmark.summarizers.extractive.selection import Choice, Extractive, best_first, fill
from gistmark.summarizers.extractive.similarity import CONTENT, Float64, word_counts
from gistmark.summarizers.hierarchical.features import centrality, unit
from gistmark.summarizers.hierarchical.learning import MOST, SENTENCE_ENCODER
from gistmark.summarizers.hierarchical.trees import Branch, sentence_node, traversals
from gistmark.summarizers.summarizer import Limit, Sentence, Source, require_shares

CLUSTERS = 3
"""How many clusters k-means makes of a cluster."""


@dataclass(frozen=True)
class H3Options:
    """Options of H3."""

    model: str = option(SENTENCE_ENCODER, "a known sentence encoder, a folder, or a hub's name")
    topics: int = option(4, "how many topics there are", least=1)
    share: float = option(0.5, "the share of each topic's sentences that are nuggets")
    seed: int = option(0, "the seed of topics and clusters")

    def __post_init__(self) -> None:
        """A name with the hash that a signature shows means the same as the name alone."""
        object.__setattr__(self, "model", without_hash(self.model))
        require_shares("H3", share=self.share)


class H3(Extractive):
    """Needs no training: a sentence is as relevant as it is similar to the others of its topic.

    Of more than 300 sentences those with the highest cosine to the document's centroid are used.
    Topics are those of LDA (Blei, Ng and Jordan, 2003) with a sentence for a document.
    """

    name = "H3"
    about = "LDA topics, a k-means hierarchy, and the traversal that fits the source best."
    Options = H3Options

    def _shown(self) -> dict[str, str]:
        return labels_of(self.options)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        rng = document_generator(self.options.seed, source.document.id)
        scores = centrality([sentence.text for sentence in candidates])
        central = sorted(best_first(scores)[:MOST].tolist())
        texts = [candidates[number].text for number in central]
        points = unit(sentence_encoder(self.options.model).embed(texts))
        groups = topics_of(texts, self.options.topics, rng)
        similarity = _similarity(points, groups)
        nuggets = _most_similar(similarity, groups, self.options.share)
        tree = clustered(nuggets, points, similarity, rng)
        sentences = [candidates[number] for number in central]
        drafts = [fill(order, sentences, limit) for order in traversals(tree, similarity)]
        best_draft = _best_fit(list(dict.fromkeys(drafts)), sentences, source)
        order = tuple(central[position] for position in best_draft)
        return Choice(order, sentence_node(tree, sentences, similarity))


def topics_of(texts: Sequence[str], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The likeliest topic of each text; all have one topic where there are no content words."""
    counts = word_counts(texts, CONTENT)
    if not counts.nnz or len(texts) < 2:
        return np.zeros(len(texts), dtype=np.int64)
    model = library("sklearn.decomposition").LatentDirichletAllocation(
        n_components=min(count, len(texts)), random_state=_seed(rng)
    )
    return np.asarray(model.fit_transform(counts).argmax(axis=1), dtype=np.int64)


def clustered(
    members: Sequence[int], points: Float64, similarity: Float64, rng: np.random.Generator
) -> Branch:
    """A branch with the member that is the most like others; below it k-means parts the rest.

    Points that k-means cannot separate, such as equal ones, become siblings below it.
    """
    first, *others = (members[position] for position in best_first(similarity[list(members)]))
    if len(others) <= CLUSTERS:
        return Branch([first], [Branch([member]) for member in others])
    parts = _k_means(others, points, rng)
    if len(parts) == 1:
        return Branch([first], [Branch([member]) for member in others])
    return Branch([first], [clustered(part, points, similarity, rng) for part in parts])


def _k_means(members: Sequence[int], points: Float64, rng: np.random.Generator) -> list[list[int]]:
    distinct = len(np.unique(np.round(points[list(members)], 6), axis=0))
    model = library("sklearn.cluster").KMeans(
        min(CLUSTERS, distinct), n_init=4, random_state=_seed(rng)
    )
    clusters = model.fit_predict(points[list(members)])
    return [
        [member for member, cluster in zip(members, clusters, strict=True) if cluster == label]
        for label in dict.fromkeys(clusters.tolist())
    ]


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def _similarity(points: Float64, groups: NDArray[np.int64]) -> Float64:
    """The mean cosine of each point to the others of its group, at least 0; 0 for one alone."""
    means = np.zeros(len(points))
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        cosines = points[members] @ points[members].T
        np.fill_diagonal(cosines, 0)
        means[members] = np.maximum(cosines.sum(axis=1) / max(1, len(members) - 1), 0)
    return means


def _most_similar(similarity: Float64, groups: NDArray[np.int64], share: float) -> list[int]:
    """The members most similar to their group: this share of each, at least one."""
    nuggets: list[int] = []
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        nuggets += members[
            best_first(similarity[members])[: max(1, ceil(share * len(members)))]
        ].tolist()
    return sorted(nuggets)


def _best_fit(
    drafts: Sequence[tuple[int, ...]], sentences: Sequence[Sentence], source: Source
) -> tuple[int, ...]:
    """The draft whose words diverge the least from the document's; of equals the first."""
    texts = [" ".join(sentences[position].text for position in draft) for draft in drafts]
    batch = Batch.of([Item(text, document=source.document.text) for text in texts])
    divergences = metric_from("js").score(batch).values[:, 0]
    return drafts[int(np.nan_to_num(divergences, nan=1.0).argmin())]
