"""How often each option of a question was chosen, in all and for each system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.arithmetic import quotient
from gistmark.analysis.human.questions import OPTION_TYPES, Question
from gistmark.analysis.resampling.bootstrap import NO_INTERVAL, Interval, Resampling, intervals

Float64 = NDArray[np.float64]

YES_NO = ("yes", "no", "unsure")


@dataclass(frozen=True, slots=True)
class OptionShare:
    """The share of the `n` answers about a system that have an option; no system is all of them.

    The interval is by bootstrap over documents; there is none for less than two documents, nor
    where no answer or every one has the option, which tells a bootstrap nothing.
    """

    question: str
    type: str
    system: str
    option: str
    count: int
    n: int
    share: float
    low: float | None
    high: float | None


def options_of(question: Question) -> list[str]:
    """The options that anybody chose, the most frequent first; yes, no and unsure as they are."""
    counts = Counter(record.value for record in question.responses if record.value)
    if question.type == "yes-no":
        return [word for word in YES_NO if counts[word]]
    return sorted(counts, key=lambda option: (-counts[option], option))


def option_shares(questions: Iterable[Question], resampling: Resampling) -> list[OptionShare]:
    """The shares of all options of all questions that have options."""
    return [
        record
        for question in questions
        if question.type in OPTION_TYPES
        for record in _shares(question, resampling)
    ]


def _shares(question: Question, resampling: Resampling) -> Iterator[OptionShare]:
    options = {option: k for k, option in enumerate(options_of(question))}
    documents: dict[str, int] = {}
    systems: dict[str, int] = {"": 0}
    for record in question.responses:
        documents.setdefault(record.document, len(documents))
        systems.setdefault(record.system or "", len(systems))
    counts = np.zeros((len(documents), len(systems), len(options) + 1))
    for (document, _, system, _, _), records in question.answers.items():
        row = counts[documents[document], systems[system or ""]]
        row[-1] += 1
        for record in records:
            if record.value:
                row[options[record.value]] += 1
    alone = [name for name in systems if name]
    counts[:, 0] = counts.sum(axis=1)
    bounds = _intervals(counts, resampling)
    totals = counts.sum(axis=0)
    for system in ("", *alone):
        number = systems[system]
        n = int(totals[number, -1])
        for option, k in options.items():
            count = int(totals[number, k])
            interval = bounds[number][k] if 0 < count < n else NO_INTERVAL
            yield OptionShare(
                question.name, question.type, system, option, count, n, count / n,
                interval.low, interval.high,
            )  # fmt: skip


def _intervals(counts: Float64, resampling: Resampling) -> Sequence[Sequence[Interval]]:
    """Of each system and option, from documents × systems × (options and answers)."""
    documents, systems, width = counts.shape
    if documents < 2:
        return [[NO_INTERVAL] * width] * systems
    weights = resampling.draw_documents(documents).astype(np.float64)
    sums = (weights @ counts.reshape(documents, -1)).reshape(-1, systems, width)
    shares = quotient(sums[:, :, :-1], np.broadcast_to(sums[:, :, -1:], sums[:, :, :-1].shape))
    return [intervals(shares[:, system]) for system in range(systems)]
