"""The three validation experiments of the BLANC paper (its section 3), on any corpus.

A summary that is obviously bad must score lower than the one that a system wrote:

1. random words of the document, as many as the summary has;
2. random sentences of the document, about as long as the summary, scored with the guard that
   replaces a copied sentence while that very sentence is asked for;
3. summaries of three sentences of which one, two or all three are replaced by random words; each
   choice of sentences is tried twice, and the values are averaged.

The paper plots the values of single summaries; here we report how often the written summary
wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, UsageError
from gistmark.records import Document, Summary
from gistmark.runtime.seeds import generator
from gistmark.scoring import score
from gistmark.scoring.run import Progress
from gistmark.text import sentences

Float64 = NDArray[np.float64]

TRIES = 2
SENTENCES = 3


@dataclass(frozen=True)
class Written:
    """A summary that a system wrote, with its document."""

    document: str
    summary: str


@dataclass(frozen=True)
class Duel:
    """Values of written summaries, and beside each that of its bad counterpart."""

    name: str
    written: Float64
    bad: Float64

    @property
    def wins(self) -> float:
        """The share of pairs in which the written summary has the higher value."""
        return float((self.written > self.bad).mean()) if len(self.written) else float("nan")


@dataclass(frozen=True)
class Validation:
    """What the experiments gave; `spoiled[:, k]` has `k` sentences replaced by random words."""

    metric: str
    signature: str
    words: Duel
    sentences: Duel
    spoiled: Float64


@dataclass(frozen=True)
class _Trial:
    """One summary to be scored, with the guard or without it."""

    document: str
    summary: str
    guarded: bool = False


def validate(
    corpus: Corpus,
    *,
    metric: str = "blanc-help",
    sample: int = 30,
    seed: int = 0,
    progress: Progress | None = None,
) -> Validation:
    """Run the experiments on a seeded sample of the summaries that people did not write.

    `metric` may carry options of `blanc-help`, such as `blanc-help:model=bert-base-uncased,gap=6`.
    """
    if metric.partition(":")[0] != "blanc-help" or "guard=" in metric:
        raise UsageError(
            f"The experiments are about blanc-help and set its guard themselves, so {metric!r} "
            "cannot be validated."
        )
    rng = generator(seed)
    chosen = _sample(corpus, sample, rng)
    trials = _Trials()
    plain = [trials.add(_Trial(each.document, each.summary)) for each in chosen]
    guarded = [trials.add(_Trial(each.document, each.summary, True)) for each in chosen]
    words = [trials.add(_Trial(e.document, random_words(e.document, _size(e.summary), rng)))
             for e in chosen]  # fmt: skip
    picked = [
        trials.add(_Trial(e.document, random_sentences(e.document, _size(e.summary), rng), True))
        for e in chosen
    ]
    of_three = [each for each in chosen if len(sentences(each.summary)) == SENTENCES]
    spoiling = [[[trials.add(trial) for trial in kind] for kind in _spoilt(each, rng)]
                for each in of_three]  # fmt: skip
    values, signature = trials.values(metric, progress)
    return Validation(
        metric,
        signature,
        _duel("random words", values[plain], values[words]),
        _duel("random sentences", values[guarded], values[picked]),
        _known(np.array([[values[kind].mean() for kind in each] for each in spoiling])),
    )


def random_words(document: str, count: int, rng: np.random.Generator) -> str:
    """As many words of the document, drawn at random, with a full stop."""
    result = document.split()
    return " ".join(rng.choice(result, count)).rstrip(".") + "." if result and count else ""


def random_sentences(document: str, count: int, rng: np.random.Generator) -> str:
    """Sentences of the document in random order until there are `count` words."""
    result = sentences(document)
    chosen: list[str] = []
    for index in rng.permutation(len(result)):
        if sum(map(_size, chosen)) >= count:
            break
        chosen.append(result[index])
    return " ".join(chosen)


def _spoilt(written: Written, rng: np.random.Generator) -> Iterator[list[_Trial]]:
    """The summary as it is, and all ways to replace one, two and three of its sentences."""
    parts = sentences(written.summary)
    yield [_Trial(written.document, written.summary)]
    for count in range(1, SENTENCES + 1):
        yield [
            _Trial(written.document, _replaced(written.document, parts, indices, rng))
            for indices in combinations(range(SENTENCES), count)
            for _ in range(TRIES)
        ]


def _replaced(
    document: str, parts: Sequence[str], indices: Sequence[int], rng: np.random.Generator
) -> str:
    return " ".join(
        random_words(document, _size(part), rng) if index in indices else part
        for index, part in enumerate(parts)
    )


class _Trials:
    """Summaries to be scored, each distinct one once."""

    def __init__(self) -> None:
        self._indexes: dict[_Trial, int] = {}

    def add(self, trial: _Trial) -> int:
        return self._indexes.setdefault(trial, len(self._indexes))

    def values(self, metric: str, progress: Progress | None) -> tuple[Float64, str]:
        """The value of each trial; those with the guard are scored by a metric of their own."""
        joint = "," if ":" in metric else ":"
        result = np.full(len(self._indexes), np.nan)
        signatures = []
        for guarded, spec in ((False, metric), (True, f"{metric}{joint}guard=replace")):
            chosen = [trial for trial in self._indexes if trial.guarded == guarded]
            scores = score(_as_corpus(chosen), [spec], progress=progress)
            column = scores.columns[spec]
            if len(column.reasons) == len(chosen):
                raise GistmarkError(f"Nothing could be scored: {column.reasons[0]}")
            indices = [self._indexes[chosen[int(system)]] for system in scores.systems]
            result[indices] = column.part("value")
            signatures.append(column.signature)
        return result, signatures[0]


def _as_corpus(trials: Sequence[_Trial]) -> Corpus:
    """Every trial as the summary of a system of its own, named by its number."""
    names = {text: str(n) for n, text in enumerate(dict.fromkeys(t.document for t in trials))}
    return Corpus(
        documents=tuple(Document(name, (text,)) for text, name in names.items()),
        summaries=tuple(
            Summary(names[trial.document], str(number), trial.summary)
            for number, trial in enumerate(trials)
        ),
    )


def _sample(corpus: Corpus, size: int, rng: np.random.Generator) -> list[Written]:
    texts = {document.id: document.text for document in corpus.documents}
    written = [
        Written(texts[summary.document], summary.text)
        for summary in corpus.summaries
        if not summary.reference and summary.text.strip() and texts.get(summary.document)
    ]
    if not written:
        raise GistmarkError("There are no summaries with documents to experiment on.")
    chosen = rng.choice(len(written), min(size, len(written)), replace=False)
    return [written[index] for index in sorted(chosen)]


def _duel(name: str, written: Float64, bad: Float64) -> Duel:
    both = ~(np.isnan(written) | np.isnan(bad))
    return Duel(name, written[both], bad[both])


def _known(rows: Float64) -> Float64:
    rows = rows.reshape(-1, SENTENCES + 1)
    kept: Float64 = rows[~np.isnan(rows).any(axis=1)]
    return kept


def _size(text: str) -> int:
    return len(text.split())
