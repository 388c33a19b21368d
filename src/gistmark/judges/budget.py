"""What a run will ask a judge behind a server, and roughly what that costs, before it starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gistmark.judges.judge import Judge, Prompt
from gistmark.judges.limits import Limits
from gistmark.judges.local import LocalJudge
from gistmark.judges.metric import JudgeMetric
from gistmark.judges.server import ServerJudge, expected_tokens
from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Metric
from gistmark.scoring.cache import ContentKeys, MetricCache


@dataclass(frozen=True)
class Budget:
    """Requests, and tokens that are read and written, if every answer can be read at once.

    `tokens_in` is about right, `tokens_out` the most that may be written. `cut` prompts have a
    document of which the judge reads the beginning.
    """

    prompts: int = 0
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cut: int = 0
    words: int = 0

    def __add__(self, other: Budget) -> Budget:
        return Budget(
            self.prompts + other.prompts,
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.cut + other.cut,
            max(self.words, other.words),
        )

    def in_words(self, limits: Limits) -> str:
        """The line that is shown before a run."""
        cost = limits.cost_of(self.tokens_in, self.tokens_out)
        price = "" if cost is None else f", which cost at most about {cost:,.2f}"
        line = (
            f"The judge is asked {_counted(self.prompts, 'question')}: "
            f"{_counted(self.requests, 'request')}, about {self.tokens_in:,} tokens to read and at "
            f"most {self.tokens_out:,} to write{price}."
        )
        if not self.cut:
            return line
        return (
            f"{line} In {_counted(self.cut, 'question')} the document is longer than "
            f"{self.words:,} words, and the judge reads its beginning."
        )


def estimate(judge: Judge, prompts: Sequence[Prompt]) -> Budget:
    """What it takes to ask a judge; a judge on this machine takes no requests."""
    if isinstance(judge, LocalJudge) or not isinstance(judge, ServerJudge):
        return Budget(prompts=len(prompts))
    words, tokens = judge.manner.words, judge.manner.tokens
    cut = [prompt.cut(words) for prompt in prompts]
    requests = [judge.requests_for(prompt) for prompt in cut]
    read = sum(n * expected_tokens(p, judge.form) for n, p in zip(requests, cut, strict=True))
    total = sum(requests)
    shortened = sum(prompt.is_cut for prompt in cut)
    return Budget(len(prompts), total, read, total * tokens, shortened, words)


def metric_budget(
    metrics: Mapping[str, Metric],
    batches: Callable[[], Iterable[Batch]],
    cache: Path | None,
) -> Budget:
    """What the judges among some metrics will be asked about batches, without what is cached."""
    budget = Budget()
    for metric in metrics.values():
        if isinstance(metric, JudgeMetric) and metric.is_remote:
            budget += _of_metric(metric, batches, cache)
    return budget


def _of_metric(
    metric: JudgeMetric, batches: Callable[[], Iterable[Batch]], cache: Path | None
) -> Budget:
    settled = metric.for_corpus(batches)
    assert isinstance(settled, JudgeMetric)
    known = None if cache is None else MetricCache(cache, settled)
    prompts: list[Prompt] = []
    for batch in batches():
        there = np.zeros(len(batch), dtype=bool)
        if known is not None:
            _, there = known.look_up(ContentKeys(batch).of(settled))
        for item, is_cached in zip(batch, there, strict=True):
            given = "" if is_cached else settled.prompts_for(item)
            prompts += [] if isinstance(given, str) else given
    return estimate(settled.judge, prompts) if prompts else Budget()


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
