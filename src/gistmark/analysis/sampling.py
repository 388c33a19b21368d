"""Which documents people should judge when they cannot judge all.

For **means** of systems the documents are drawn with known probabilities, and each judged document
counts inversely to its probability (Hájek 1971). For **rankings** those documents are taken that
tell most about the order of systems (Zouhar and others 2025, subset2evaluate), by

- metric variance: documents in which a metric tells the systems apart;
- diversity: documents about which the systems write different things;
- consistency: documents in which a metric orders the systems as it does overall.

Such a choice is not random, so the means of the chosen documents are not those of the corpus.

The documents may be restricted to a range of lengths first (EMFoS, chapter 4); means and
probabilities are then about the documents of that range.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import layout_of
from gistmark.analysis.data.arithmetic import average_ranks
from gistmark.analysis.data.measures import measures_of
from gistmark.corpus.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Sampled
from gistmark.runtime.seeds import generator
from gistmark.scoring.scores import Scores
from gistmark.text.words import word_spans, words

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

By = Literal["random", "stratified", "metric-variance", "diversity", "consistency"]
Purpose = Literal["means", "ranking"]
Strata = Literal["length", "lang", "metric"]
BY: tuple[By, ...] = get_args(By)
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
STRATA: tuple[Strata, ...] = get_args(Strata)
FLOOR = 0.5
"""This share of the probabilities is the same for all documents, so that none is small."""
_QUANTILES = 4
_ALIKE = 1e-9


@dataclass(frozen=True, slots=True)
class Request:
    """How many documents to choose, how, for what, and by which seed.

    Without a `size` all documents of `min_words` to `max_words` words are taken.
    """

    size: int | None
    by: By = "random"
    purpose: Purpose = "means"
    strata: Strata = "length"
    metric: str | None = None
    seed: int = 0
    min_words: int | None = None
    max_words: int | None = None

    @property
    def method(self) -> str:
        """What `sampling.csv` says of the choice."""
        method = f"{self.by} ({self.strata})" if self.by == "stratified" else self.by
        least, most = self.min_words, self.max_words
        if least is None and most is None:
            return method
        length = f"at least {least}" if most is None else f"{least or 0} to {most}"
        return f"{method} among documents of {length} words"


def sample(corpus: Corpus, request: Request, scores: Scores | None = None) -> tuple[Sampled, ...]:
    """The chosen documents of a corpus, in its order, each with the probability of its choice.

    Documents that are chosen for a ranking have no probability. A choice that is not possible (a
    metric with the same value for every document, documents without scores) is a `UsageError`.

    >>> from gistmark.analysis.sampling import Request, sample
    >>> from gistmark.corpus import load, sample_folder
    >>> chosen = sample(load(sample_folder()), Request(7, seed=1))
    >>> len(chosen), chosen[0].probability
    (7, 0.5)
    """
    corpus = frame_of(corpus, request)
    names = corpus.document_ids
    size = len(names) if request.size is None else request.size
    _demand_possible(corpus, request, size)
    rng = generator(request.seed, "sample", request.by)
    if request.by in ("random", "stratified"):
        groups = [0] * len(names)
        if request.by == "stratified":
            groups = _strata(corpus, request, scores)
            _demand_enough(groups, size)
        probabilities = _proportional(groups, size)
        indices = _draw_within(groups, probabilities, rng)
    else:
        values = _distinct(utilities(corpus, request, scores), request.by)
        if request.purpose == "ranking":
            order = np.lexsort((rng.random(len(values)), -values))[:size]
            return _sampled(names, np.sort(order), None, request)
        probabilities = inclusion_probabilities(values, size)
        indices = systematic(probabilities, rng)
    return _sampled(names, indices, probabilities, request)


def frame_of(corpus: Corpus, request: Request) -> Corpus:
    """The documents to choose from: those of the wanted length, in words as `words` counts them."""
    least, most = request.min_words, request.max_words
    if least is None and most is None:
        if request.size is None:
            raise UsageError("Say how many documents to choose, or of how many words.")
        return corpus
    if least is not None and most is not None and least > most:
        raise UsageError(f"No document has at least {least:,} and at most {most:,} words.")
    texts = {document.id: document.text for document in corpus.documents}
    lacking = [name for name in corpus.document_ids if name not in texts]
    if lacking:
        raise UsageError(
            f"The length of document {lacking[0]!r} is not known, as its text is not in the corpus."
        )
    lengths = {name: len(word_spans(text, "words")) for name, text in texts.items()}
    kept = [
        name
        for name, length in lengths.items()
        if (least is None or length >= least) and (most is None or length <= most)
    ]
    if lengths and not kept:
        raise UsageError(
            "No document has so many words: the shortest has "
            f"{min(lengths.values()):,}, the longest {max(lengths.values()):,}."
        )
    return corpus.only(kept)


def sampled_corpus(corpus: Corpus, request: Request, scores: Scores | None = None) -> Corpus:
    """The corpus of the chosen documents alone, which says how they were chosen."""
    records = sample(corpus, request, scores)
    return replace(corpus.only(record.document for record in records), sampling=records)


def utilities(corpus: Corpus, request: Request, scores: Scores | None = None) -> Float64:
    """How much each document would tell about the ranking of systems, by the wanted measure."""
    if request.by == "diversity":
        return np.array([_diversity(texts) for texts in _outputs(corpus).values()])
    cells = _cells(corpus, request, scores)
    return metric_variance(cells) if request.by == "metric-variance" else consistency(cells)


def metric_variance(cells: Float64) -> Float64:
    """The variance over systems of each document's values."""
    return np.asarray(np.nanvar(cells, axis=1), dtype=np.float64)


def consistency(cells: Float64) -> Float64:
    """Spearman's correlation of each document's order of systems with that of their means.

    A document whose values are all equal orders nothing and has 0.
    """
    means = np.nanmean(cells, axis=0)
    values = np.zeros(len(cells))
    for row, scores in enumerate(cells):
        scored = ~np.isnan(scores)
        ranks = average_ranks(np.stack([scores[scored], means[scored]]))
        ranks -= ranks.mean(axis=1, keepdims=True)
        scale = np.sqrt((ranks**2).sum(axis=1).prod())
        values[row] = (ranks[0] * ranks[1]).sum() / scale if scale > _ALIKE else 0.0
    return values


def inclusion_probabilities(values: Float64, size: int, floor: float = FLOOR) -> Float64:
    """Probabilities that sum to `size`, above the floor in proportion to the values.

    Values below 0 count as 0. What would be above 1 is chosen for certain, and the rest shared out.
    """
    weights = np.maximum(values, 0.0)
    shares = weights / weights.sum() if weights.sum() > 0 else np.full(len(values), 1 / len(values))
    sizes = floor / len(values) + (1.0 - floor) * shares
    certain = np.zeros(len(values), dtype=np.bool_)
    while True:
        left = size - int(certain.sum())
        open_sizes = np.where(certain, 0.0, sizes)
        probabilities = np.where(certain, 1.0, left * open_sizes / max(open_sizes.sum(), 1e-300))
        above = (probabilities >= 1.0) & ~certain
        if not above.any():
            return probabilities
        certain |= above


def systematic(probabilities: Float64, rng: np.random.Generator) -> Int64:
    """Indices drawn with these probabilities, always as many as they sum to (Madow 1949)."""
    order = rng.permutation(len(probabilities))
    ends = np.concatenate([[0.0], np.cumsum(probabilities[order])])
    size = round(float(ends[-1]))
    ticks = rng.random() + np.arange(size)
    positions = np.searchsorted(ends, ticks * (ends[-1] / size), side="right") - 1
    return np.sort(order[np.minimum(positions, len(order) - 1)])


def _demand_possible(corpus: Corpus, request: Request, size: int) -> None:
    count = len(corpus.document_ids)
    if corpus.document_ids and size < 1:
        raise UsageError(f"At least one document must be chosen, not {size}.")
    if not count:
        raise UsageError("The corpus has no documents to choose from.")
    if size > count:
        length = "" if request.min_words is request.max_words is None else " of this length"
        raise UsageError(
            f"{size:,} documents are wanted, but the corpus has {count:,}{length}; choose fewer, "
            "or judge all."
        )
    if corpus.sampling:
        raise UsageError(
            "The corpus is a sample already; choose from the whole one, so that the probabilities "
            "are right."
        )
    if request.by not in ("random", "stratified") and len(corpus.systems) < 2:
        raise UsageError(
            f"Documents can be chosen by {request.by} only where there are two or more systems; "
            f"the corpus has {len(corpus.systems)}."
        )


def _demand_enough(groups: Sequence[int], size: int) -> None:
    """A stratum without a document would stand for nothing, and no weight could mend that."""
    strata = len(set(groups))
    if size < strata:
        raise UsageError(
            f"There are {strata} strata, so at least {strata} documents must be chosen, "
            f"not {size}; or choose at random."
        )


def _outputs(corpus: Corpus) -> Mapping[str, list[str]]:
    """The systems' summaries of each document."""
    outputs: dict[str, list[str]] = {name: [] for name in corpus.document_ids}
    for summary in corpus.summaries:
        if not summary.reference:
            outputs[summary.document].append(summary.text)
    few = [name for name, texts in outputs.items() if len(texts) < 2]
    if few:
        raise UsageError(
            f"{_counted(few)} fewer than two summaries by systems to compare: "
            f"{few[0]!r}. Choose at random, or leave such documents out."
        )
    return outputs


def _diversity(texts: Sequence[str]) -> float:
    """One minus the mean F1 of the words of two summaries, over all pairs of them."""
    bags = [Counter(words(text)) for text in texts]
    shared = [
        2 * (left & right).total() / max(left.total() + right.total(), 1)
        for left, right in combinations(bags, 2)
    ]
    return 1.0 - sum(shared) / len(shared)


def _cells(corpus: Corpus, request: Request, scores: Scores | None) -> Float64:
    """Documents × systems of the values of the wanted metric, or of the first one."""
    if scores is None:
        raise UsageError(f"To choose by {request.by}, the scores of a metric are needed.")
    measures = measures_of(scores, parts="all" if request.metric else "main")
    row = measures.row(request.metric) if request.metric else 0
    systems = set(corpus.systems)
    kept = measures.where(lambda unit: unit[1] in systems)
    layout = layout_of(kept.units)
    layout.check_distinct()
    row_of = {name: k for k, name in enumerate(layout.document_names)}
    cube = np.concatenate(
        [layout.cube(kept.values[row]), np.full((1, len(layout.system_names)), np.nan)]
    )
    cells = cube[[row_of.get(name, -1) for name in corpus.document_ids]]
    few = np.flatnonzero((~np.isnan(cells)).sum(axis=1) < 2)
    if len(few):
        lacking = [corpus.document_ids[index] for index in few]
        raise UsageError(
            f"{_counted(lacking)} scores of {measures.names[row]} for fewer than two systems: "
            f"{lacking[0]!r}. Score all documents, or choose at random."
        )
    return cells


def _counted(names: Sequence[str]) -> str:
    return "One document has" if len(names) == 1 else f"{len(names):,} documents have"


def _distinct(values: Float64, by: str) -> Float64:
    if np.ptp(values) <= _ALIKE:
        raise UsageError(
            f"All documents are alike by {by}, so it cannot choose among them; choose at random."
        )
    return values


def _strata(corpus: Corpus, request: Request, scores: Scores | None) -> list[int]:
    """The number of each document's stratum: a language, or a quarter by length or metric."""
    documents = {document.id: document for document in corpus.documents}
    names = corpus.document_ids
    if request.strata == "metric":
        return _quarters(np.nanmean(_cells(corpus, request, scores), axis=1))
    lacking = [name for name in names if name not in documents]
    if lacking:
        raise UsageError(
            f"The {request.strata} of document {lacking[0]!r} is not known, as its text is not in "
            "the corpus; choose at random."
        )
    if request.strata == "length":
        return _quarters(np.array([float(len(documents[name].text)) for name in names]))
    languages = [documents[name].lang or "" for name in names]
    number_of = {lang: number for number, lang in enumerate(dict.fromkeys(languages))}
    return [number_of[lang] for lang in languages]


def _quarters(values: Float64) -> list[int]:
    """Four groups of equal size in the order of the values; fewer where there are few values."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return [int(rank) for rank in ranks * min(_QUANTILES, len(values)) // len(values)]


def _proportional(groups: Sequence[int], size: int) -> Float64:
    """Each document's probability where every group gets its share of the sample.

    Fractions of documents go to the groups with the largest ones, and each group gets at least one
    document: no probability is zero.
    """
    sizes = Counter(groups)
    exact = {group: size * count / len(groups) for group, count in sizes.items()}
    counts = {group: max(int(share), 1) for group, share in exact.items()}
    while sum(counts.values()) != size:
        missing = size > sum(counts.values())
        step = 1 if missing else -1
        movable = [g for g in counts if (counts[g] < sizes[g] if missing else counts[g] > 1)]
        counts[max(movable, key=lambda group: step * (exact[group] - counts[group]))] += step
    return np.array([counts[group] / sizes[group] for group in groups])


def _draw_within(groups: Sequence[int], probabilities: Float64, rng: np.random.Generator) -> Int64:
    """So many of each group as its probabilities sum to, all equally likely."""
    numbers = np.array(groups)
    parts = []
    for group in dict.fromkeys(groups):
        members = np.flatnonzero(numbers == group)
        count = round(float(probabilities[members].sum()))
        parts.append(rng.permutation(members)[:count])
    return np.sort(np.concatenate(parts))


def _sampled(
    names: Sequence[str], indices: Int64, probabilities: Float64 | None, request: Request
) -> tuple[Sampled, ...]:
    return tuple(
        Sampled(
            names[index],
            request.method,
            None if probabilities is None else float(min(probabilities[index], 1.0)),
            request.seed,
        )
        for index in indices
    )
