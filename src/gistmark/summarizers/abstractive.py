"""Systems that let a language model write: what they share, `abstractive` itself, and PG-MMR.

The model's output is made to fit the limit: whole sentences, none of them twice.

In PG-MMR maximal marginal relevance chooses and a model writes, sentence by sentence: L. Lebanoff,
K. Song and F. Liu, "Adapting the Neural Encoder-Decoder Framework from Single to Multi-Document
Summarization" (2018). There a pointer-generator network writes, which copies most of its words;
here any model does that `Abstractive` takes, and sentences that it makes up are skipped. Relevance
and similarity are those of MMR*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gistmark.metrics.options import LANGUAGE_MODEL, ModelOptions
from gistmark.models.vectors.pipelines import labels_of
from gistmark.options import option
from gistmark.summarizers.extractive.mmr import (
    MmrOptions,
    MmrStar,
    binary_words,
    jaccard,
    source_relevance,
)
from gistmark.summarizers.extractive.selection import EMPTY, NOTHING_FITS, wording
from gistmark.summarizers.extractive.similarity import CONTENT, content_of, row, word_counts
from gistmark.summarizers.summarizer import (
    Budget,
    Limit,
    Node,
    Outcome,
    Sentence,
    Source,
    Summarizer,
    require_shares,
)
from gistmark.text import Profile, sentences

if TYPE_CHECKING:
    from gistmark.models.language_models.writers import Writer, Written

AUTO = "auto"

NOTHING = "the model wrote nothing"
CUT = "the model's first sentence is longer than the limit, so it is cut at a word boundary"
UNFINISHED = "the model did not finish, so its first sentence is cut"
READ = "the model read only the beginning of the document"

_TOKENS_PER_WORD = 2
_TOKENS_PER_SENTENCE = 60
_MOST_TOKENS = 1024

UNUSABLE = (
    "the model wrote no sentence that could be taken, so the best one of the document stands in"
)

_TOKENS = 80
_ANY_LENGTH = Limit(chars=None)


@dataclass(frozen=True)
class WritingOptions(ModelOptions):
    """Options of every system that writes."""

    model: str = option(LANGUAGE_MODEL, "a known model, a model folder, or a name on the hub")
    prompt: str = option(
        AUTO,
        "what the model reads before the text: an instruction, or a prefix such as `summarize:` "
        "for T5; auto is what suits the model",
    )
    beams: int = option(1, "how many beams the decoding has; 1 is greedy", least=1)
    no_repeat: int = option(4, "no run of so many tokens is written twice; 0 allows all")
    read: int = option(2048, "how many tokens of a text the model reads at most", least=1)


class Writing(Summarizer):
    """A system whose signature names the model with the start of its hash."""

    Options: ClassVar[type[Any]] = WritingOptions
    instruction: ClassVar[str]
    """The default instruction for a causal model."""

    def _shown(self) -> dict[str, str]:
        return labels_of(self.options)

    def write(self, text: str, most_tokens: int) -> Written:
        """What the model writes about a text.

        One text at a time: in a batch, rounding could tip a close decision, and a summary would
        depend on the other documents.
        """
        from gistmark.models.language_models.writers import Decoding, Request, writer

        options = self.options
        model = writer(options.model, options.precision)
        decoding = Decoding(most_tokens, options.beams, options.no_repeat, options.read)
        return model.write([Request(self._prompt(model), text)], decoding)[0]

    def _prompt(self, model: Writer) -> str:
        if self.options.prompt != AUTO:
            return str(self.options.prompt)
        return model.prefix if model.encodes else self.instruction


def tokens_for(limit: Limit) -> int:
    """How many tokens a summary within the limit has at most, by a generous guess."""
    bounds = [_MOST_TOKENS]
    if limit.chars is not None:
        bounds.append(limit.chars // 4 + 30)
    if limit.words is not None:
        bounds.append(limit.words * _TOKENS_PER_WORD + 30)
    if limit.sentences is not None:
        bounds.append(limit.sentences * _TOKENS_PER_SENTENCE)
    return max(1, min(bounds))


def trimmed(output: Written, limit: Limit, lang: str | None) -> tuple[str, str | None]:
    """The first whole sentences that fit, none of them twice, and a note if there are none.

    A last sentence that the model did not finish is left out. If it is the only one, or if the
    first one is too long, its beginning stays, cut at a word boundary.
    """
    complete = whole_sentences(output, lang)
    budget = Budget(limit)
    for sentence in complete:
        if not budget.take(sentence):
            break
    if budget.sentences:
        return " ".join(budget.sentences), None
    if complete:
        return limit.cut(complete[0]), CUT
    beginning = limit.cut(_body(output.text))
    return beginning, UNFINISHED if beginning else NOTHING


def whole_sentences(output: Written, lang: str | None) -> list[str]:
    """The sentences that a model wrote and ended, without white space and repetition."""
    all_sentences = sentences(_body(output.text), lang)
    ended = all_sentences if output.finished else all_sentences[:-1]
    firsts = {wording(sentence): sentence for sentence in reversed(ended)}
    return [sentence for sentence in ended if firsts.pop(wording(sentence), None) is not None]


def joined(notes: Iterable[str | None]) -> str | None:
    """Several notes as one."""
    return "; ".join(note for note in notes if note) or None


def _body(text: str) -> str:
    """The text on one line, without the announcement that a model may put before its answer."""
    announcement, colon, answer = text.partition(":\n")
    body = answer if colon and "\n" not in announcement and answer.strip() else text
    return " ".join(body.split())


class Abstractive(Writing):
    """Writes with any sequence-to-sequence or instruction-tuned causal model.

    The model reads the texts one after the other from the first on, up to its limit. Of what it
    writes, the first whole sentences that fit are the summary.
    """

    name = "abstractive"
    about = "A language model reads the document and writes a summary in its own words."
    instruction = "Summarize this text in a few sentences."

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        document = source.document
        if not document.text.strip():
            return Outcome("", note=EMPTY)
        if not limit.cut(document.text.strip()):
            return Outcome("", note=NOTHING_FITS)
        output = self.write(document.text, tokens_for(limit))
        text, note = trimmed(output, limit, document.lang)
        return Outcome(text, note=joined([note, None if output.read_all else READ]))


@dataclass(frozen=True)
class PgMmrOptions(WritingOptions):
    """Options of PG-MMR."""

    pick: int = option(3, "from how many sentences of the source each one is written", least=1)
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

    A sentence of the source is picked once. Writing ends when a sentence no longer fits, or when
    none is left to pick. A written sentence is skipped if the model did not finish it, had written
    it before, or made it up: too few of its content words (stems) are in the picked sentences. The
    tree of the outcome has a node for each sentence that was written, with those it was written
    from. Where nothing remains, the sentence that MMR would take first stands in, and a note says
    so.
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
        earlier: set[str] = set()
        while picked := rounds.best(self.options.pick):
            value = rounds.value(picked)
            sources = tuple(candidates[number] for number in sorted(picked))
            text = " ".join(sentence.text for sentence in sources)
            output = self.write(text, _TOKENS)
            rounds.leave_out(picked)
            sentence = next(iter(whole_sentences(output, source.document.lang)), "")
            is_new = sentence and wording(sentence) not in earlier
            if is_new and copied_share(sentence, text, content) >= self.options.copied:
                earlier.add(wording(sentence))
                yield Step(sources, value, sentence, output.read_all)
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
        self._available = np.ones(len(candidates), dtype=bool)

    def best(self, count: int) -> list[int]:
        """The numbers of the best that are left; of equals the first."""
        values = np.where(self._available, self._values(), -np.inf)
        order = np.argsort(-values, kind="stable")[:count]
        return [int(number) for number in order if self._available[number]]

    def value(self, numbers: Sequence[int]) -> float:
        """The mean value of some sentences."""
        return float(self._values()[list(numbers)].mean())

    def leave_out(self, numbers: Sequence[int]) -> None:
        """Exclude these sentences from all later rounds."""
        self._available[list(numbers)] = False

    def remember(self, sentence: str) -> None:
        """Note that the summary has this sentence now."""
        words = binary_words([*self._texts, sentence])
        similarity = jaccard(words[:-1], row(words, len(self._texts)))
        self._similarity = np.maximum(self._similarity, similarity)

    def _values(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return self._balance * self._relevance - (1 - self._balance) * self._similarity


def copied_share(sentence: str, text: str, profile: Profile = CONTENT) -> float:
    """The share of a sentence's distinct content words that a text has; 0 without any."""
    sentence_words, text_words = word_counts([sentence, text], profile).toarray() > 0
    return float((sentence_words & text_words).sum() / max(sentence_words.sum(), 1))


def _outcome(steps: Sequence[Step], budget: Budget, limit: Limit) -> Outcome:
    nodes = tuple(Node(step.picked, step.value, step.sentence) for step in steps)
    mean = sum(node.relevance for node in nodes) / len(nodes)
    tree = Node((), mean, "the sentences in the order of writing", nodes)
    note = None if all(step.read_all for step in steps) else READ
    if budget.sentences:
        return Outcome(" ".join(budget.sentences), tree=tree, note=note)
    return Outcome(limit.cut(steps[0].sentence), tree=tree, note=joined([CUT, note]))
