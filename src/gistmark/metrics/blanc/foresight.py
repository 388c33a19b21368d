"""BLANC-help's counts from a causal model, which foresees each long word from what precedes it.

One pass over a sentence is enough, since nothing has to be masked: after the summary, and after a
filler of as many tokens. All sentences of a document share the passes over these two.

Where the two together are longer than the model reads, the document's sentences are cut at their
ends, but not below `cut` tokens, and then the summary at its end, for all sentences alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.blanc.counts import Int64, tally
from gistmark.metrics.blanc.eligible import Places, word_starts
from gistmark.metrics.blanc.fitting import kept_of_sentence
from gistmark.metrics.blanc.help_options import HelpOptions
from gistmark.metrics.blanc.steps import Step
from gistmark.metrics.foreseeing import foreseen
from gistmark.models.causal import CausalModel, Foreseen, Query, Tokens, causal_model

Asked = tuple[Tokens, Places]


def causal_counts(
    batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]
) -> list[Int64]:
    """The counts of each list of steps. All queries of the batch are asked together."""
    model = causal_model(options.model, options.precision)
    known = _asked(batch, options, model, work)
    queries = [list(_queries(model, options, steps, known)) for steps in work]
    unaided = [query for asked in queries for query, _ in asked]
    helped = [query for asked in queries for _, query in asked]
    found = iter(foreseen(batch, options, unaided + helped))
    right = [[_right(found, len(asked)) for asked in queries] for _ in range(2)]
    return [tally(*both) for both in zip(*right, strict=True)]


def _asked(
    batch: Batch, options: HelpOptions, model: CausalModel, work: Sequence[Sequence[Step]]
) -> dict[str, Asked]:
    """Every sentence and summary in tokens with the starts of long words, each once per batch."""
    key = ("blanc words", options.model, options.least)
    known: dict[str, Asked] = batch.memo(key, dict)
    texts = dict.fromkeys((options.filler, options.separator))
    for steps in work:
        for step in steps:
            texts |= dict.fromkeys((step.sentence, step.help.whole))
    new = [text for text in texts if text not in known]
    known.update(zip(new, word_starts(model.tokenizer, new, options.least), strict=True))
    return known


def _queries(
    model: CausalModel, options: HelpOptions, steps: Sequence[Step], known: dict[str, Asked]
) -> Iterator[tuple[Query, Query]]:
    """For each step with a long word the query after the filler and that after the summary."""
    separator = known[options.separator][0]
    room = max(0, model.longest - 1 - len(separator))
    sentence = max((len(known[step.sentence][0]) for step in steps), default=0)
    summary = max((len(known[step.help.whole][0]) for step in steps), default=0)
    most = kept_of_sentence(sentence, summary, room=room, cut=options.cut)
    for step in steps:
        tokens, places = known[step.sentence]
        wanted = tuple(place for place in places if place < most)
        context = known[step.help.whole][0][: room - most]
        filler = (known[options.filler][0] * len(context))[: len(context)]
        if wanted:
            yield (
                Query(filler + separator, tokens[:most], wanted),
                Query(context + separator, tokens[:most], wanted),
            )


def _right(found: Iterator[Foreseen], count: int) -> NDArray[np.bool_]:
    """Whether each word of the next queries was foreseen."""
    parts = [next(found).right for _ in range(count)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=bool)
