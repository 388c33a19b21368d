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
from gistmark.metrics.language_model.blanc import Help, Int64, kept_of_sentence, tally
from gistmark.metrics.language_model.eligible import (
    Pieces,
    Positions,
    in_pieces,
    maskings,
    word_starts,
)
from gistmark.metrics.language_model.predictions import predictions
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


def steps(document: Text, summary: Text, guard: Guard) -> Iterator[Step]:
    """Every sentence of the document with its help."""
    copied = set(summary.sentences) if guard != "none" else set()
    for sentence in document.sentences:
        if sentence not in copied:
            yield Step(sentence, summary)
        elif guard != "skip":
            kept = _without(sentence, document.sentences, summary.sentences, guard)
            yield Step(sentence, Text(" ".join(kept), kept))


def _without(
    sentence: str, document: Sequence[str], summary: Sequence[str], guard: Guard
) -> tuple[str, ...]:
    """The summary's sentences without the copies of one."""
    free = [other for other in dict.fromkeys(document) if other not in summary]
    kept: list[str] = []
    for own in summary:
        if own != sentence:
            kept.append(own)
        elif guard == "replace" and free:
            nearest = min(free, key=lambda other: abs(len(other) - len(sentence)))
            free.remove(nearest)
            kept.append(nearest)
    return tuple(kept)


@dataclass(frozen=True)
class Question:
    """A masked sentence after the filler and after the summary, and the tokens to be filled in."""

    unaided: Gapped
    helped: Gapped
    answers: Tokens


def masked_counts(
    batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]
) -> list[Int64]:
    """The counts of each list of steps. All questions of the batch are run together."""
    model = masked_model(options.model, options.precision)
    questioner = _Questioner(model, options, _pieces(batch, options, model, work))
    questions = [list(questioner.questions(steps)) for steps in work]
    every = [question for group in questions for question in group]
    predicted = model.predict([q.unaided for q in every] + [q.helped for q in every])
    right = [
        answer == np.array(question.answers)
        for answer, question in zip(predicted, every + every, strict=True)
    ]
    unaided, helped = iter(right[: len(every)]), iter(right[len(every) :])
    return [tally(_taken(unaided, len(group)), _taken(helped, len(group))) for group in questions]


@dataclass(frozen=True)
class _Questioner:
    """Makes questions of steps."""

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
        kept = pieces.first(count)
        summary = help_.within(self._budget - count)
        filler = (self._filler * len(summary))[: len(summary)]
        for positions in maskings(
            kept, gap=options.gap, rule=options.rule, least=options.lengths, wide=options.masks
        ):
            shown = list(kept.tokens)
            for position in positions:
                shown[position] = self.model.mask
            yield Question(
                self._gapped(filler, shown, positions),
                self._gapped(summary, shown, positions),
                tuple(kept.tokens[position] for position in positions),
            )

    def _gapped(self, before: Tokens, shown: Sequence[int], positions: Sequence[int]) -> Gapped:
        start = (*self.model.opening, *before, *self._separator)
        return Gapped(
            (*start, *shown, *self.model.closing),
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
    known: dict[str, Pieces] = batch.memo(("blanc pieces", options.model), dict)
    texts = dict.fromkeys((options.filler, options.separator))
    for steps in work:
        for step in steps:
            texts |= dict.fromkeys((step.sentence, *step.help.sentences))
    new = [text for text in texts if text not in known]
    known.update(zip(new, in_pieces(model.tokenizer, new), strict=True))
    return known


def _taken(parts: Iterator[NDArray[np.bool_]], count: int) -> NDArray[np.bool_]:
    """The next parts as one."""
    arrays = [next(parts) for _ in range(count)]
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=bool)


Eligible = tuple[Tokens, Positions]


def causal_counts(
    batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]
) -> list[Int64]:
    """The counts of each list of steps. All queries of the batch are run together."""
    model = causal_model(options.model, options.precision)
    known = _eligible(batch, options, model, work)
    queries = [list(_queries(model, options, steps, known)) for steps in work]
    unaided = [query for group in queries for query, _ in group]
    helped = [query for group in queries for _, query in group]
    outputs = iter(predictions(batch, options, unaided + helped))
    right = [[_right(outputs, len(group)) for group in queries] for _ in range(2)]
    return [tally(*both) for both in zip(*right, strict=True)]


def _eligible(
    batch: Batch, options: HelpOptions, model: CausalModel, work: Sequence[Sequence[Step]]
) -> dict[str, Eligible]:
    """Every sentence and summary in tokens with the starts of long words, each once per batch."""
    key = ("blanc words", options.model, options.least)
    known: dict[str, Eligible] = batch.memo(key, dict)
    texts = dict.fromkeys((options.filler, options.separator))
    for steps in work:
        for step in steps:
            texts |= dict.fromkeys((step.sentence, step.help.whole))
    new = [text for text in texts if text not in known]
    known.update(zip(new, word_starts(model.tokenizer, new, options.least), strict=True))
    return known


def _queries(
    model: CausalModel, options: HelpOptions, steps: Sequence[Step], known: dict[str, Eligible]
) -> Iterator[tuple[Query, Query]]:
    """For each step with a long word the query after the filler and that after the summary."""
    separator = known[options.separator][0]
    budget = max(0, model.longest - 1 - len(separator))
    sentence = max((len(known[step.sentence][0]) for step in steps), default=0)
    summary = max((len(known[step.help.whole][0]) for step in steps), default=0)
    most = kept_of_sentence(sentence, summary, budget=budget, cut=options.cut)
    for step in steps:
        tokens, positions = known[step.sentence]
        wanted = tuple(position for position in positions if position < most)
        context = known[step.help.whole][0][: budget - most]
        filler = (known[options.filler][0] * len(context))[: len(context)]
        if wanted:
            yield (
                Query(filler + separator, tokens[:most], wanted),
                Query(context + separator, tokens[:most], wanted),
            )


def _right(outputs: Iterator[Predictions], count: int) -> NDArray[np.bool_]:
    """Whether each word of the next queries was predicted."""
    parts = [next(outputs).right for _ in range(count)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=bool)
