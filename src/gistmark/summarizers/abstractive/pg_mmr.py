"""PG-MMR: maximal marginal relevance chooses, a model writes, sentence by sentence.

L. Lebanoff, K. Song and F. Liu, "Adapting the Neural Encoder-Decoder Framework from Single to
Multi-Document Summarization" (2018). There a pointer-generator network writes, which copies most
of its words; here any model does that `Abstractive` takes, and what it makes up is passed over.
Relevance and similarity are those of MMR*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.options import option
from gistmark.summarizers.abstractive.language_model import (
    CUT,
    READ,
    Writing,
    WritingOptions,
    joined,
    whole_sentences,
)
from gistmark.summarizers.extractive.mmr import (
    MmrOptions,
    MmrStar,
    binary_words,
    jaccard,
    source_relevance,
)
from gistmark.summarizers.extractive.selection import EMPTY, NOTHING_FITS, wording
from gistmark.summarizers.extractive.similarity import CONTENT, content_of, row, word_counts
from gistmark.summarizers.limits import Budget, Limit
from gistmark.summarizers.summarizer import Node, Outcome, Sentence, Source, require_shares
from gistmark.text import Profile

UNUSABLE = (
    "the model wrote no sentence that could be taken, so the best one of the document stands in"
)

_TOKENS = 80
_ANY_LENGTH = Limit(chars=None)


@dataclass(frozen=True)
class PgMmrOptions(WritingOptions):
    """Options of PG-MMR."""

    pick: int = option(3, "from how many sentences of the source one is written", least=1)
    balance: float = option(
        MmrOptions().balance, "how much relevance counts, from 0 to 1; novelty has the rest"
    )
    copied: float = option(
        0.5, "the share of a written sentence's words that must be in the picked ones"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require_shares("PG-MMR", balance=self.balance, copied=self.copied)


@dataclass(frozen=True)
class Step:
    """One round: the sentences that were picked, their value by MMR, and what was written."""

    picked: tuple[Sentence, ...]
    value: float
    sentence: str
    read_all: bool


class PgMmr(Writing):
    """Writes one sentence from the best sentences of the source, again and again.

    A sentence of the source is picked once. It ends when a sentence does not fit any more, or when
    no sentence is left to pick. Passed over is what the model did not end, had written before, or
    made up: where too few content words (stems) are those of the picked sentences. The tree of
    the outcome has a node for each sentence that was written, with those it was written from.
    Where nothing remains, the sentence that MMR would take first stands in, and a note says so.
    """

    name = "PG-MMR"
    about = "MMR picks sentences, a language model writes one from them, until the limit is full."
    instruction = "Write one short sentence that sums up this text."
    Options = PgMmrOptions

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        candidates = MmrStar().candidates(source, _ANY_LENGTH)
        if not candidates:
            return Outcome("", note=EMPTY)
        if not limit.cut(candidates[0].text):
            return Outcome("", note=NOTHING_FITS)
        budget = Budget(limit)
        steps: list[Step] = []
        for step in self._steps(candidates, source):
            if not budget.take(step.sentence):
                steps += [] if steps else [step]
                break
            steps.append(step)
        return _outcome(steps, budget, limit) if steps else self._best(candidates, source, limit)

    def _best(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Outcome:
        [best] = Rounds(candidates, source.document.texts, self.options.balance).best(1)
        return Outcome(limit.cut(candidates[best].text), note=UNUSABLE)

    def _steps(self, candidates: Sequence[Sentence], source: Source) -> Iterator[Step]:
        """What is written from round to round, never the same again."""
        rounds = Rounds(candidates, source.document.texts, self.options.balance)
        content = content_of(source.document.lang)
        written: set[str] = set()
        while picked := rounds.best(self.options.pick):
            value = rounds.value(picked)
            chosen = tuple(candidates[number] for number in sorted(picked))
            text = " ".join(sentence.text for sentence in chosen)
            output = self.write(text, _TOKENS)
            rounds.leave_out(picked)
            sentence = next(iter(whole_sentences(output, source.document.lang)), "")
            new = sentence and wording(sentence) not in written
            if new and copied_share(sentence, text, content) >= self.options.copied:
                written.add(wording(sentence))
                yield Step(chosen, value, sentence, output.read_all)
                rounds.remember(sentence)


class Rounds:
    """The sentences that are left, and their value by MMR beside the summary so far."""

    def __init__(
        self, candidates: Sequence[Sentence], texts: Sequence[str], balance: float
    ) -> None:
        self._texts = [sentence.text for sentence in candidates]
        self._balance = balance
        words = binary_words([*self._texts, *texts])
        self._relevance = source_relevance(words, len(candidates))
        self._similarity = np.zeros(len(candidates))
        self._left = np.ones(len(candidates), dtype=bool)

    def best(self, count: int) -> list[int]:
        """The numbers of the best that are left; of equals the first."""
        values = np.where(self._left, self._values(), -np.inf)
        order = np.argsort(-values, kind="stable")[:count]
        return [int(number) for number in order if self._left[number]]

    def value(self, numbers: Sequence[int]) -> float:
        """The mean value of some sentences."""
        return float(self._values()[list(numbers)].mean())

    def leave_out(self, numbers: Sequence[int]) -> None:
        """These are not picked again."""
        self._left[list(numbers)] = False

    def remember(self, sentence: str) -> None:
        """The summary has this sentence now."""
        words = binary_words([*self._texts, sentence])
        alike = jaccard(words[:-1], row(words, len(self._texts)))
        self._similarity = np.maximum(self._similarity, alike)

    def _values(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return self._balance * self._relevance - (1 - self._balance) * self._similarity


def copied_share(sentence: str, text: str, profile: Profile = CONTENT) -> float:
    """The share of a sentence's distinct content words that a text has; 0 without any."""
    own, others = word_counts([sentence, text], profile).toarray() > 0
    return float((own & others).sum() / max(own.sum(), 1))


def _outcome(steps: Sequence[Step], budget: Budget, limit: Limit) -> Outcome:
    nodes = tuple(Node(step.picked, step.value, step.sentence) for step in steps)
    mean = sum(node.relevance for node in nodes) / len(nodes)
    tree = Node((), mean, "the sentences in the order of writing", nodes)
    read = None if all(step.read_all for step in steps) else READ
    if budget.taken:
        return Outcome(" ".join(budget.taken), tree=tree, note=read)
    return Outcome(limit.cut(steps[0].sentence), tree=tree, note=joined([CUT, read]))
