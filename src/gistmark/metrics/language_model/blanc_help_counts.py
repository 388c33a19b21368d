"""The counts of BLANC-help, from a masked or a causal model, step by step.

A step is a sentence of the document and what of the summary may help with it. A summary that
copies sentences helps unfairly with those very sentences. Three guards, of which the paper has the
first two and uses the third in an experiment: `skip` leaves such a sentence of the document out;
`remove` takes its copies out of the summary for this one step; `replace` puts in place of each
copy the sentence of the document that is nearest to it in length, is not in the summary, and has
not been put there already; the earlier one on ties, nothing if there is none.

A masked model reads each sentence once for every pass of masks, after the summary and after a
filler of as many tokens, between the marks that it has for the start and the end of a text. For a
causal model one pass over a sentence is enough, since nothing has to be masked, and all sentences
of a document share the passes over summary and filler; where these are too long, all sentences of
the document are cut alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.language_model.blanc import Help, Tally, kept_of_sentence, tally
from gistmark.metrics.language_model.eligible import Pieces, in_pieces, maskings
from gistmark.metrics.language_model.predictions import announce, predictions
from gistmark.metrics.language_model.reading import (
    Sample,
    eligible_tokens,
    first_tokens,
    sampled,
    weighted_sample,
)
from gistmark.models.language_models.causal import (
    CausalModel,
    Predictions,
    Query,
    Tokens,
    causal_model,
)
from gistmark.models.language_models.masked import Gapped, MaskedModel, masked_model
from gistmark.text.sentences import sentences

if TYPE_CHECKING:
    from gistmark.metrics.language_model.blanc_help import HelpOptions

Guard = Literal["none", "skip", "remove", "replace"]
Form = Literal["NFKC", "NFKD"]


@dataclass(frozen=True)
class Text:
    """A text in a normal form of Unicode, and its sentences."""

    whole: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A sentence of the document and the text that stands before it."""

    sentence: str
    help: Text


def split(batch: Batch, number: int, form: Form, lang: str) -> Text:
    """A text of the batch by its number, split once however many metrics ask for it."""

    def compute() -> Text:
        whole = unicodedata.normalize(form, batch.texts[number])
        return Text(whole, tuple(sentences(whole, lang)))

    return batch.memo(("blanc text", form, lang, number), compute)


def steps(document: Text, summary: Text, guard: Guard, first: int = 0) -> Iterator[Step]:
    """A step for each sentence of the document, or for each of the `first` ones."""
    copied = set(summary.sentences) if guard != "none" else set()
    for sentence in document.sentences[: first or None]:
        if sentence not in copied:
            yield Step(sentence, summary)
        elif guard != "skip":
            help_sentences = _without_copies(sentence, document.sentences, summary.sentences, guard)
            yield Step(sentence, Text(" ".join(help_sentences), help_sentences))


def _without_copies(
    sentence: str, document: Sequence[str], summary: Sequence[str], guard: Guard
) -> tuple[str, ...]:
    """The summary's sentences without the copies of one, which `guard` may replace."""
    free = [candidate for candidate in dict.fromkeys(document) if candidate not in summary]
    remaining: list[str] = []
    for summary_sentence in summary:
        if summary_sentence != sentence:
            remaining.append(summary_sentence)
        elif guard == "replace" and free:
            nearest = min(free, key=lambda candidate: abs(len(candidate) - len(sentence)))
            free.remove(nearest)
            remaining.append(nearest)
    return tuple(remaining)


@dataclass(frozen=True)
class Question:
    """A masked sentence after the filler and after the summary, and the tokens to be filled in."""

    unaided: Gapped
    helped: Gapped
    answers: Tokens


def masked_counts(
    batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]
) -> list[Tally]:
    """The counts of each list of steps. All questions of the batch are run together."""
    model = masked_model(options.model, options.precision)
    questioner = _Questioner(model, options, _pieces(batch, options, model, work))
    questions = [list(questioner.questions(steps)) for steps in work]
    all_questions = [question for group in questions for question in group]
    predicted = model.predict(
        [q.unaided for q in all_questions] + [q.helped for q in all_questions]
    )
    right = [
        answer == np.array(question.answers)
        for answer, question in zip(predicted, all_questions + all_questions, strict=True)
    ]
    unaided, helped = iter(right[: len(all_questions)]), iter(right[len(all_questions) :])
    return [
        Tally.of(
            [tally(_next_concatenated(unaided, len(group)), _next_concatenated(helped, len(group)))]
        )
        for group in questions
    ]


@dataclass(frozen=True)
class _Questioner:
    """Turn steps into questions for a masked model."""

    model: MaskedModel
    options: HelpOptions
    pieces: dict[str, Pieces]

    def questions(self, steps: Sequence[Step]) -> Iterator[Question]:
        helps: dict[tuple[str, ...], Help] = {}
        for step in steps:
            parts = step.help.sentences
            if parts not in helps:
                helps[parts] = Help.of(self.pieces[part].tokens for part in parts)
            yield from self._of_sentence(self.pieces[step.sentence], helps[parts])

    def _of_sentence(self, pieces: Pieces, help_: Help) -> Iterator[Question]:
        options = self.options
        count = kept_of_sentence(
            len(pieces.tokens), len(help_.tokens), budget=self._budget, cut=options.cut
        )
        first_pieces = pieces.first(count)
        summary = help_.within(self._budget - count)
        filler = (self._filler * len(summary))[: len(summary)]
        for positions in maskings(
            first_pieces,
            gap=options.gap,
            rule=options.rule,
            least=options.lengths,
            wide=options.masks,
        ):
            masked = list(first_pieces.tokens)
            for position in positions:
                masked[position] = self.model.mask
            yield Question(
                self._gapped(filler, masked, positions),
                self._gapped(summary, masked, positions),
                tuple(first_pieces.tokens[position] for position in positions),
            )

    def _gapped(self, context: Tokens, masked: Sequence[int], positions: Sequence[int]) -> Gapped:
        start = (*self.model.opening, *context, *self._separator)
        return Gapped(
            (*start, *masked, *self.model.closing),
            tuple(len(start) + position for position in positions),
        )

    @cached_property
    def _budget(self) -> int:
        """How many tokens of summary and sentence fit together."""
        around = len(self.model.opening) + len(self.model.closing)
        return max(0, self.model.longest - around - len(self._separator))

    @cached_property
    def _separator(self) -> Tokens:
        return self.pieces[self.options.separator].tokens

    @cached_property
    def _filler(self) -> Tokens:
        return self.pieces[self.options.filler].tokens


def _pieces(
    batch: Batch, options: HelpOptions, model: MaskedModel, work: Sequence[Sequence[Step]]
) -> dict[str, Pieces]:
    """Every sentence in tokens, each distinct one once per batch."""
    memo: dict[str, Pieces] = batch.memo(("blanc pieces", options.model), dict)
    texts = dict.fromkeys((options.filler, options.separator))
    for steps in work:
        for step in steps:
            texts |= dict.fromkeys((step.sentence, *step.help.sentences))
    new = [text for text in texts if text not in memo]
    memo.update(zip(new, in_pieces(model.tokenizer, new), strict=True))
    return memo


def _next_concatenated(parts: Iterator[NDArray[np.bool_]], count: int) -> NDArray[np.bool_]:
    """The next `count` parts, one after another."""
    arrays = [next(parts) for _ in range(count)]
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=bool)


QueryPair = tuple[Query, Query]
"""The query of a sentence after the filler, and that after the summary."""


def causal_counts(
    batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]
) -> list[Tally]:
    """The counts of each list of steps. All queries of the batch are run together."""
    queries = [_queries(batch, options, steps) for steps in work]
    samples = [
        weighted_sample([len(base.tokens) for base, _ in group], options) for group in queries
    ]
    sampled_queries = [
        group[index]
        for group, sample in zip(queries, samples, strict=True)
        for index in sample.indexes
    ]
    outputs = predictions(
        batch,
        options,
        [base for base, _ in sampled_queries] + [helped for _, helped in sampled_queries],
    )
    output_pairs = iter(
        zip(outputs[: len(sampled_queries)], outputs[len(sampled_queries) :], strict=True)
    )
    return [_tallied([next(output_pairs) for _ in sample.indexes], sample) for sample in samples]


def _tallied(outputs: Sequence[tuple[Predictions, Predictions]], sample: Sample) -> Tally:
    """The counts of the sentences that were read."""
    return Tally.of(
        [tally(base.right, helped.right) for base, helped in outputs],
        sample.population,
        [helped.probabilities.sum() - base.probabilities.sum() for base, helped in outputs],
        sample.weights,
    )


def announce_counts(batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]) -> None:
    """Announce the queries that `causal_counts` will make."""
    for steps in work:
        group = _queries(batch, options, steps)
        for index in sampled(len(group), options):
            announce(batch, options, group[index])


def _queries(batch: Batch, options: HelpOptions, steps: Sequence[Step]) -> list[QueryPair]:
    """The queries of each step whose sentence has a word to predict."""
    model = causal_model(options.model, options.precision)
    sentences = eligible_tokens(
        batch, model, options, [step.sentence for step in steps],
        words=options.words, least=options.least, lang=options.lang,
    )  # fmt: skip
    helps = _encoded(batch, options, model, steps)
    separator, filler = helps[options.separator], helps[options.filler]
    budget = max(0, model.longest - 1 - len(separator))
    sentence = max((len(tokens) for tokens, _ in sentences), default=0)
    summary = max((len(helps[step.help.whole]) for step in steps), default=0)
    most = kept_of_sentence(sentence, summary, budget=budget, cut=options.cut)
    queries = []
    for step, sentence_tokens in zip(steps, sentences, strict=True):
        tokens, positions = first_tokens(sentence_tokens, most)
        context = helps[step.help.whole][: budget - most]
        if positions:
            dots = (filler * len(context))[: len(context)]
            base = Query(dots + separator, tokens, positions)
            queries.append((base, Query(context + separator, tokens, positions)))
    return queries


def _encoded(
    batch: Batch, options: HelpOptions, model: CausalModel, steps: Sequence[Step]
) -> dict[str, Tokens]:
    """The tokens of summaries, filler and separator, each once per batch; summaries are cut."""
    memo: dict[str, Tokens] = batch.memo(("blanc help", options.model, options.prefix), dict)
    texts = dict.fromkeys((options.filler, options.separator, *(s.help.whole for s in steps)))
    new = [text for text in texts if text not in memo]
    memo.update(
        (text, tokens[: options.prefix or None])
        for text, tokens in zip(new, model.encode(new), strict=True)
    )
    return memo
