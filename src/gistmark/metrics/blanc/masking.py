"""BLANC-help's counts from a masked model, as in the paper.

Each sentence is read once for every pass of masks, after the summary and after a filler of as many
tokens, between the marks that the model has for the start and the end of a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.blanc.counts import Int64, tally
from gistmark.metrics.blanc.eligible import Pieces, in_pieces, maskings
from gistmark.metrics.blanc.fitting import Help, kept_of_sentence
from gistmark.metrics.blanc.help_options import HelpOptions
from gistmark.metrics.blanc.steps import Step
from gistmark.models.causal import Tokens
from gistmark.models.masked import Gapped, MaskedModel, masked_model


@dataclass(frozen=True)
class Question:
    """A masked sentence after the filler and after the summary, and the tokens to be filled in."""

    unaided: Gapped
    helped: Gapped
    answers: Tokens


def masked_counts(
    batch: Batch, options: HelpOptions, work: Sequence[Sequence[Step]]
) -> list[Int64]:
    """The counts of each list of steps. All questions of the batch are asked together."""
    model = masked_model(options.model, options.precision)
    asking = _Asking(model, options, _pieces(batch, options, model, work))
    questions = [list(asking.questions(steps)) for steps in work]
    every = [question for asked in questions for question in asked]
    found = model.predict([q.unaided for q in every] + [q.helped for q in every])
    right = [
        answer == np.array(question.answers)
        for answer, question in zip(found, every + every, strict=True)
    ]
    unaided, helped = iter(right[: len(every)]), iter(right[len(every) :])
    return [tally(_taken(unaided, len(asked)), _taken(helped, len(asked))) for asked in questions]


@dataclass(frozen=True)
class _Asking:
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
            len(pieces.tokens), len(help_.tokens), room=self._room, cut=options.cut
        )
        kept = pieces.first(count)
        summary = help_.within(self._room - count)
        filler = (self._filler * len(summary))[: len(summary)]
        for places in maskings(
            kept, gap=options.gap, rule=options.rule, least=options.lengths, wide=options.masks
        ):
            shown = list(kept.tokens)
            for place in places:
                shown[place] = self.model.mask
            yield Question(
                self._gapped(filler, shown, places),
                self._gapped(summary, shown, places),
                tuple(kept.tokens[place] for place in places),
            )

    def _gapped(self, before: Tokens, shown: Sequence[int], places: Sequence[int]) -> Gapped:
        start = (*self.model.opening, *before, *self._separator)
        return Gapped(
            (*start, *shown, *self.model.closing), tuple(len(start) + place for place in places)
        )

    @cached_property
    def _room(self) -> int:
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
    found = [next(parts) for _ in range(count)]
    return np.concatenate(found) if found else np.empty(0, dtype=bool)
