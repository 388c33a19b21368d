"""Judging a whole corpus: ratings or comparisons under a name that says it is a machine.

Ratings are scores of the metric `judge`, so that both share the cache. Pairs are those of the
protocol: every two systems of a document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gistmark.corpus import Corpus
from gistmark.errors import InterruptedRunError, Problem
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.items import Item as Pair
from gistmark.judgements.tasks.items import items_from, other_references
from gistmark.judges.metric import VALUES, JudgeMetric, PairMetric
from gistmark.judges.options import PairOptions
from gistmark.judges.questions import dimensions_of, protocol_named
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metrics_from
from gistmark.metrics.metric import Values
from gistmark.models.store import cache_folder
from gistmark.options import settings_from
from gistmark.records import Comparison, Machine, Rating
from gistmark.runtime.cancellation import Cancelled, cancelled_by_interrupt
from gistmark.scoring.cache import ContentKeys, MetricCache
from gistmark.scoring.run import Progress, merged_values, score, source_of
from gistmark.signature import Signature, escape, merged

_CHOICES = {value: choice for choice, value in VALUES.items()}
_BLOCK = 32


@dataclass(frozen=True)
class Verdicts:
    """What a judge says about a corpus; `reasons` counts why something is missing.

    `signature` is all that the values depend on, that of several dimensions together.
    """

    annotator: str
    model: str
    signature: str
    ratings: tuple[Rating, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.ratings) + len(self.comparisons)

    def added_to(self, corpus: Corpus) -> Corpus:
        """The corpus with these verdicts; the judge's earlier ones on the same items are replaced.

        The judge is listed among its machines, so that a study keeps it apart from people.
        """
        others = [machine for machine in corpus.machines if machine.annotator != self.annotator]
        judge = Machine(self.annotator, self.model, self.signature)
        rated = {_rated(rating) for rating in self.ratings}
        compared = {_compared(comparison) for comparison in self.comparisons}
        ratings = [rating for rating in corpus.ratings if _rated(rating) not in rated]
        comparisons = [each for each in corpus.comparisons if _compared(each) not in compared]
        return replace(
            corpus,
            ratings=(*ratings, *self.ratings),
            comparisons=(*comparisons, *self.comparisons),
            machines=(*others, judge),
        )


def rating_metrics(
    protocol: str, dimensions: Sequence[str] | None, settings: Mapping[str, str]
) -> dict[str, JudgeMetric]:
    """The metrics, by their specs, that rate summaries in the dimensions of a protocol."""
    names = dimensions_of(protocol_named(protocol), dimensions)
    metrics = metrics_from([_spec("judge", protocol, each.name, settings) for each in names])
    return {spec: metric for spec, metric in metrics.items() if isinstance(metric, JudgeMetric)}


def pair_metrics(
    protocol: str, dimensions: Sequence[str] | None, settings: Mapping[str, str]
) -> dict[str, JudgeMetric]:
    """The same for a protocol of comparisons."""
    names = dimensions_of(protocol_named(protocol, "pair"), dimensions)
    specs = [_spec("judge-pair", protocol, each.name, settings) for each in names]
    return {
        spec: PairMetric(PairOptions(**settings_from("judge", spec.partition(":")[2], PairOptions)))
        for spec in specs
    }


def rate_corpus(
    corpus: Corpus,
    metrics: Mapping[str, JudgeMetric],
    annotator: str,
    *,
    cache: bool | str | Path = True,
    progress: Progress | None = None,
) -> Verdicts:
    """A rating of each summary in each dimension."""
    first = next(iter(metrics.values()))
    with_references = first.protocol.judge_references
    scores = score(
        corpus, list(metrics), cache=cache, with_references=with_references, progress=progress
    )
    names = {spec: metric.dimension.name for spec, metric in metrics.items()}
    ratings = tuple(
        Rating(each.document, each.system, annotator, names[each.metric], each.value)
        for each in scores
        if each.value is not None
    )
    reasons = Counter(each.reason for each in scores if each.reason is not None)
    signature = merged(Signature.parse(text) for text in scores.signatures.values())
    return Verdicts(annotator, first.label, str(signature), ratings, reasons=reasons)


def compare_corpus(
    corpus: Corpus,
    metrics: Mapping[str, JudgeMetric],
    annotator: str,
    *,
    cache: bool | str | Path = True,
    progress: Progress | None = None,
) -> Verdicts:
    """A choice between every two systems of each document in each dimension."""
    first = next(iter(metrics.values()))
    pairs = pairs_of(corpus, first.protocol)
    settled, values = judged(metrics.values(), pairs.texts, cache, progress, "choices")
    comparisons: list[Comparison] = []
    reasons: Counter[str] = Counter()
    for metric, rows in zip(settled, values, strict=True):
        name = metric.dimension.name
        for pair, value in zip(pairs.items, rows.values[:, 0].tolist(), strict=True):
            if choice := _CHOICES.get(value):
                left, right = pair.systems
                comparisons.append(Comparison(pair.document, left, right, annotator, name, choice))
        reasons.update(rows.reasons.values())
    signature = merged(Signature.parse(each.signature) for each in settled)
    return Verdicts(
        annotator, first.label, str(signature), (), tuple(comparisons), reasons, pairs.problems
    )


def judged(
    metrics: Iterable[JudgeMetric],
    texts: Sequence[Item],
    cache: bool | str | Path,
    progress: Progress | None,
    noun: str,
) -> tuple[list[JudgeMetric], list[Values]]:
    """The metrics with their servers' offers settled, and the values of each for all texts.

    `noun` is what is lost or kept where the run is interrupted, such as choices.
    """
    folder = None if cache is False else cache_folder() if cache is True else Path(cache)
    settled: list[JudgeMetric] = []
    for metric in (each.for_corpus(lambda: batches(texts)) for each in metrics):
        assert isinstance(metric, JudgeMetric)
        settled.append(metric)
    values: list[Values] = []
    done, total = 0, len(texts) * len(settled)
    with cancelled_by_interrupt() as cancellation, cancellation.followed():
        try:
            for metric in settled:
                store = None if folder is None else MetricCache(folder, metric)
                parts = []
                for batch in batches(texts):
                    parts.append(_scored(metric, batch, store))
                    done += len(batch)
                    if progress is not None:
                        progress(done, total)
                values.append(_joined(parts))
        except (Cancelled, KeyboardInterrupt):
            kept = " They are in the cache: the same command goes on from there." if folder else ""
            message = f"Interrupted after {done:,} of {total:,} {noun}.{kept}"
            raise InterruptedRunError(message) from None
    return settled, values


def batches(texts: Sequence[Item]) -> Iterator[Batch]:
    """The texts in batches that are judged, and cached, together."""
    return (Batch.of(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK))


def _joined(parts: Sequence[Values]) -> Values:
    """The values of one batch after another."""
    values = [part.values for part in parts]
    offsets = np.cumsum([0, *map(len, values)])
    reasons = {
        int(offset) + row: why
        for offset, part in zip(offsets, parts, strict=False)
        for row, why in part.reasons.items()
    }
    return Values(np.concatenate(values) if values else np.empty((0, 1)), reasons)


@dataclass(frozen=True)
class Pairs:
    """The pairs of a corpus with their texts; `problems` are about those that lack something."""

    items: tuple[Pair, ...]
    texts: tuple[Item, ...]
    problems: tuple[Problem, ...]


def pairs_of(corpus: Corpus, protocol: Protocol) -> Pairs:
    """Every two systems of each document."""
    items = items_from(corpus, protocol)
    summaries = {(summary.document, summary.system): summary.text for summary in corpus.summaries}
    documents = {document.id: document.text for document in corpus.documents}
    texts = []
    for item in items.items:
        left, right = (summaries[item.document, system] for system in item.systems)
        shown = tuple(reference.text for reference in other_references(corpus, item))
        texts.append(Item(left, (right, *shown), documents.get(item.document)))
    return Pairs(items.items, tuple(texts), items.problems)


def batches_of(corpus: Corpus, metric: JudgeMetric) -> Iterator[Batch]:
    """The batches that a metric will judge of a corpus."""
    if metric.options.subject == "pair":
        return batches(pairs_of(corpus, metric.protocol).texts)
    with_references = metric.protocol.judge_references
    source = source_of(corpus, with_references=with_references)
    return (block.batch() for block in source.blocks())


def _scored(metric: JudgeMetric, batch: Batch, store: MetricCache | None) -> Values:
    """The values of a batch, from the cache where it has them."""
    if store is None:
        return metric.score(batch)
    keys = ContentKeys(batch).of(metric)
    known, cached = store.look_up(keys)
    todo = np.flatnonzero(~cached).tolist()
    if not todo:
        return known
    new = metric.score(batch.subset(todo))
    values = merged_values(known, new, todo)
    store.add(keys, values, [row for row in todo if row not in values.transient])
    return values


def _spec(name: str, protocol: str, dimension: str, settings: Mapping[str, str]) -> str:
    given = {"dimension": dimension, "protocol": protocol, **settings}
    return f"{name}:{','.join(f'{key}={escape(value)}' for key, value in given.items())}"


def _rated(rating: Rating) -> tuple[str, ...]:
    return rating.document, rating.system, rating.annotator, rating.dimension


def _compared(each: Comparison) -> tuple[object, ...]:
    return each.document, frozenset((each.left, each.right)), each.annotator, each.dimension
