"""A scoring run: plan, look up, compute what is new, cache it, and put the table together."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gistmark.corpus import Corpus, LinePairs, load
from gistmark.errors import InterruptedRunError, UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.catalogue import GROUPS, metrics_from
from gistmark.metrics.metric import Metric, Values
from gistmark.models.store import cache_folder
from gistmark.runtime.cancellation import cancelled_by_interrupt
from gistmark.scoring.cache import ContentKeys, Keys, MetricCache
from gistmark.scoring.engines import EngineName, engine_from
from gistmark.scoring.languages import Reading
from gistmark.scoring.scores import ScoreBuilder, Scores
from gistmark.scoring.sources import Block, CorpusSource, LineSource, Source, TextPairs
from gistmark.scoring.work import Done, score_batch
from gistmark.text.languages import ENGLISH, language

Progress = Callable[[int, int | None], None]
"""Called during a run with the number of summaries done, and of all if that is known."""

Steps = Callable[[str, int, int], None]
"""Called at the start of each step with its name, how many are done before it, and of how many."""

LEAST_BLOCK = 32
"""Smaller blocks would cost more than a second core saves."""

Scorable = Corpus | LinePairs | TextPairs | str | Path


def score(
    corpus: Scorable,
    metrics: Sequence[str] | str | None = None,
    *,
    engine: EngineName = "local",
    workers: int | None = None,
    cache: bool | str | Path = True,
    with_references: bool = False,
    lang: str | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Score every summary with every metric.

    `metrics` are names with options, such as `"rougeL:stem=yes"`, or groups such as `"rouge"`;
    without any, those of the group `default` whose needs the corpus meets. `cache` may be a
    folder, or False. With `with_references`, references are scored too, each against the other
    references of its document. `lang` is the language of all texts; without it each document has
    its own, and English where it has none. If the run is interrupted, what was done by then is in
    the cache, and the `InterruptedRunError` carries it as `scores`.
    """
    source = source_of(corpus, with_references=with_references, lang=lang)
    metrics_by_language = {
        code: _prepare_for_source(plan(source, metrics, code), source, code)
        for code in source.languages
    }
    caches = _open_caches(cache, metrics_by_language)
    builder = ScoreBuilder(metrics_by_language)
    run = _Run(metrics_by_language, caches)
    scoring_engine = engine_from(engine, workers)
    total = source.size
    with cancelled_by_interrupt() as cancellation:
        try:
            size = min(
                block_size(total, scoring_engine.workers, language_metrics)
                for language_metrics in metrics_by_language.values()
            )
            tasks = map(run.prepare, source.blocks(size))
            for task, done in scoring_engine.map(
                partial(_score_task, metrics=metrics_by_language), tasks, cancellation
            ):
                values = run.finish(task, done)
                builder.add(*task.block.origins(done.rows), values)
                if progress is not None:
                    progress(builder.size, total)
        except KeyboardInterrupt:
            cancellation.cancel()
    run.compact_caches()
    if cancellation.cancelled and builder.size != total:
        message = _interruption_message(builder.size, total, cached=bool(caches))
        raise InterruptedRunError(message, builder.build())
    run.reading.warn(metrics_by_language)
    return builder.build()


def source_of(
    corpus: Scorable, *, with_references: bool = False, lang: str | None = None
) -> Source:
    """A source of blocks for anything that can be scored, all of it in `lang` if that is given."""
    lang = None if lang is None else language(lang).code
    if isinstance(corpus, str | Path):
        corpus = load(corpus)
    if isinstance(corpus, LinePairs):
        if not with_references:
            return LineSource(corpus, lang or ENGLISH)
        corpus = corpus.load()
    if isinstance(corpus, Corpus):
        return CorpusSource(corpus, with_references, lang)
    if not isinstance(corpus, TextPairs):
        raise UsageError(
            f"A {type(corpus).__name__} cannot be scored; make a corpus of it with "
            "gistmark.from_frame, gistmark.from_datasets or gistmark.load."
        )
    if with_references:
        raise UsageError("with_references goes with a corpus, not with pairs of texts.")
    return replace(corpus, lang=lang or language(corpus.lang).code)


def plan(
    source: Source, metrics: Sequence[str] | str | None, lang: str = ENGLISH
) -> dict[str, Metric]:
    """The metrics for a language; metrics requested by name run even where something is missing."""
    if metrics is None:
        defaults = metrics_from(GROUPS["default"], lang)
        selected = {
            name: metric for name, metric in defaults.items() if metric.needs <= source.offers
        }
    else:
        selected = metrics_from([metrics] if isinstance(metrics, str) else list(metrics), lang)
    if not selected:
        raise UsageError("No metric was given; `gistmark metrics` lists what there is.")
    return selected


def _prepare_for_source(
    metrics: Mapping[str, Metric], source: Source, lang: str
) -> dict[str, Metric]:
    """Let each metric read all texts in its language before it scores any."""

    def batches() -> Iterator[Batch]:
        return (block.batch() for block in source.blocks() if block.lang == lang)

    return {name: metric.for_corpus(batches) for name, metric in metrics.items()}


def block_size(total: int | None, workers: int, metrics: Mapping[str, Metric]) -> int:
    """How many summaries to score together: what the metrics allow, but work for every core."""
    max_size = min(metric.block_size for metric in metrics.values())
    if total is None:
        return max_size
    return max(1, min(max_size, max(LEAST_BLOCK, -(-total // (4 * workers)))))


@dataclass(frozen=True)
class _Task:
    """A block, the values of it that are cached, and the items that are left to score."""

    block: Block
    batch: Batch
    keys: dict[str, Keys]
    cached: dict[str, Values]
    todo: dict[str, Sequence[int] | None]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only what a worker on another machine needs to score the batch."""
        empty = Block([], [], [], [], [], lang=self.block.lang)
        return (_Task, (empty, self.batch, {}, {}, self.todo))


@dataclass
class _Run:
    """The metrics and caches by language and name, and what was read so far."""

    metrics: Mapping[str, Mapping[str, Metric]]
    caches: Mapping[str, dict[str, MetricCache]]
    reading: Reading = field(default_factory=Reading)
    _warned: bool = field(default=False)

    def prepare(self, block: Block) -> _Task:
        self.reading.add(block.lang, block.summaries)
        batch = block.batch()
        keys: dict[str, Keys] = {}
        cached: dict[str, Values] = {}
        todo: dict[str, Sequence[int] | None] = {}
        content = ContentKeys(batch) if self.caches else None
        for name, metric in self.metrics[block.lang].items():
            if content is None:
                todo[name] = None
                continue
            keys[name] = content.of(metric)
            cached[name], is_cached = self.caches[block.lang][name].look_up(keys[name])
            if not is_cached.all():
                todo[name] = _missing_rows(is_cached)
        return _Task(block, batch, keys, cached, todo)

    def finish(self, task: _Task, done: Done) -> dict[str, Values]:
        """The values of the rows that are done; what was computed goes into the cache."""
        values_of: dict[str, Values] = {}
        for name in self.metrics[task.block.lang]:
            if name not in done.values:
                values_of[name] = task.cached[name].rows(done.rows)
                continue
            values, computed = done.values[name], done.computed[name]
            if name in task.cached:
                values = merged_values(task.cached[name].rows(done.rows), values, computed)
            values_of[name] = values
            if name in task.keys and name not in done.failed:
                keys = task.keys[name][done.rows.start : done.rows.stop]
                self._add_to_cache(task.block.lang, name, keys, values, computed)
        return values_of

    def _add_to_cache(
        self, lang: str, name: str, keys: Keys, values: Values, rows: Sequence[int]
    ) -> None:
        cacheable_rows = [row for row in rows if row not in values.transient]
        try:
            self.caches[lang][name].add(keys, values, cacheable_rows)
        except OSError as error:
            self._warn_once(f"Scores are not cached: {error}.")

    def compact_caches(self) -> None:
        """Merge the small files of each cache."""
        try:
            for caches in self.caches.values():
                for metric_cache in caches.values():
                    metric_cache.compact()
        except OSError as error:
            self._warn_once(f"The cache of scores cannot be tidied: {error}.")

    def _warn_once(self, problem: str) -> None:
        """Warn once of a problem with the cache, which never stops a run."""
        if not self._warned:
            warnings.warn(problem, stacklevel=4)
            self._warned = True


def _score_task(task: _Task, metrics: Mapping[str, Mapping[str, Metric]]) -> Iterator[Done]:
    return score_batch(task.batch, metrics[task.block.lang], task.todo)


def _missing_rows(cached: NDArray[np.bool_]) -> Sequence[int] | None:
    missing = np.flatnonzero(~cached)
    return None if len(missing) == len(cached) else [int(index) for index in missing]


def merged_values(cached: Values, new: Values, indexes: Sequence[int]) -> Values:
    """The cached values, with new ones at these indexes."""
    values = cached.values.copy()
    values[list(indexes)] = new.values
    reasons = cached.reasons | {indexes[index]: text for index, text in new.reasons.items()}
    return Values(values, reasons, frozenset(indexes[index] for index in new.transient))


def _open_caches(
    cache: bool | str | Path, metrics: Mapping[str, Mapping[str, Metric]]
) -> dict[str, dict[str, MetricCache]]:
    """Open the caches by language and name; there is none if `cache` is False."""
    if cache is False:
        return {}
    folder = cache_folder() if cache is True else Path(cache)
    return {
        code: {name: MetricCache(folder, metric) for name, metric in named_metrics.items()}
        for code, named_metrics in metrics.items()
    }


def _interruption_message(done: int, total: int | None, *, cached: bool) -> str:
    of_all = "" if total is None else f" of {total:,}"
    continuation = (
        " They are in the cache: the same command goes on from there." if cached and done else ""
    )
    return f"Interrupted after {done:,}{of_all} summaries.{continuation}"
