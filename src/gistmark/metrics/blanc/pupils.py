"""Models as pupils of BLANC-tune: the lessons of a summary, and questions about a document."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.blanc.eligible import Least, in_pieces, maskings, word_starts
from gistmark.metrics.blanc.lessons import (
    Hiding,
    Lesson,
    causal_lessons,
    chunks,
    masked_lessons,
    shuffled,
)
from gistmark.metrics.blanc.way import way_of
from gistmark.models.causal import CausalModel, Query, causal_model
from gistmark.models.masked import Gapped, MaskedModel, masked_model
from gistmark.text.sentences import sentences

if TYPE_CHECKING:
    from gistmark.metrics.blanc.tune import TuneOptions

Bools = NDArray[np.bool_]


class Pupil(Protocol):
    """A model that learns lessons and is asked for the words of a document."""

    @property
    def network(self) -> Any:
        """What is tuned."""

    def lessons(self, summary: str) -> list[Lesson]:
        """All that is to be learnt from a summary, in order, every epoch of it."""

    def loss(self, lessons: Sequence[Lesson]) -> Any:
        """How wrong the model is about a few lessons."""

    def asked(self, document: str) -> Bools:
        """Which of the document's long words the model gets right."""


def pupil_of(options: TuneOptions) -> Pupil:
    """The model of the options, masked or causal."""
    if way_of(options.model) == "masked":
        return MaskedPupil(masked_model(options.model, options.precision), options)
    return CausalPupil(causal_model(options.model, options.precision), options)


@dataclass(frozen=True)
class CausalPupil:
    """A model that reads from left to right. Sentences longer than it reads are cut."""

    model: CausalModel
    options: TuneOptions

    @property
    def network(self) -> Any:
        return self.model.network

    def lessons(self, summary: str) -> list[Lesson]:
        text = unicodedata.normalize("NFKC", summary)
        ((tokens, wanted),) = word_starts(self.model.tokenizer, [text], self.options.least)
        most = self.model.longest - 1
        cut = chunks(len(tokens), min(self.options.chunk, most), self.options.stride)
        return causal_lessons(tokens, wanted, self.model.start, cut) * self.options.epochs

    def loss(self, lessons: Sequence[Lesson]) -> Any:
        ids, rows, columns, answers = _tensors(lessons, self.model.start, self.network.device)
        states = self.network.base_model(input_ids=ids, use_cache=False).last_hidden_state
        return _cross_entropy(self.network.get_output_embeddings()(states[rows, columns]), answers)

    def asked(self, document: str) -> Bools:
        found = word_starts(
            self.model.tokenizer,
            sentences(unicodedata.normalize("NFKC", document), self.options.lang),
            self.options.least,
        )
        most = self.model.longest - 1
        queries = [
            Query((), tokens[:most], tuple(place for place in wanted if place < most))
            for tokens, wanted in found
        ]
        answers = self.model.foresee([query for query in queries if query.wanted])
        return _joined([answer.right for answer in answers])


@dataclass(frozen=True)
class MaskedPupil:
    """A model that fills in masks. Sentences longer than it reads are cut."""

    model: MaskedModel
    options: TuneOptions

    @property
    def network(self) -> Any:
        return self.model.network

    @property
    def _least(self) -> Least:
        return Least(self.options.least, self.options.lead, self.options.follow)

    def lessons(self, summary: str) -> list[Lesson]:
        options, model = self.options, self.model
        (pieces,) = in_pieces(model.tokenizer, [unicodedata.normalize("NFKD", summary)])
        room = model.longest - len(model.opening) - len(model.closing)
        cut = chunks(len(pieces.tokens), min(options.chunk, room), options.stride)
        hiding = Hiding(options.replaced, options.kept, model.mask, len(model.tokenizer))
        rng = np.random.default_rng(options.seed)
        found: list[Lesson] = []
        for _ in range(options.epochs):
            for piece in map(pieces.part, cut):
                if options.masking == "random":
                    groups = list(shuffled(piece, options.share, options.rule, self._least, rng))
                else:
                    groups = maskings(piece, gap=options.gap, rule=options.rule, least=self._least)
                around = (model.opening, model.closing)
                found += masked_lessons(piece.tokens, groups, hiding, around, rng)
        return found

    def loss(self, lessons: Sequence[Lesson]) -> Any:
        filling = self.model.tokenizer.pad_token_id or 0
        ids, rows, columns, answers = _tensors(lessons, filling, self.network.device)
        mask = _mask(lessons, ids)
        logits = self.network(input_ids=ids, attention_mask=mask).logits
        return _cross_entropy(logits[rows, columns], answers)

    def asked(self, document: str) -> Bools:
        options, model = self.options, self.model
        texts = sentences(unicodedata.normalize("NFKD", document), options.lang)
        room = model.longest - len(model.opening) - len(model.closing)
        sequences, answers = [], []
        for pieces in in_pieces(model.tokenizer, texts):
            kept = pieces.first(room)
            for group in maskings(kept, gap=options.gap, rule=options.rule, least=self._least):
                shown = list(kept.tokens)
                for place in group:
                    shown[place] = model.mask
                first = len(model.opening)
                tokens = (*model.opening, *shown, *model.closing)
                sequences.append(Gapped(tokens, tuple(first + place for place in group)))
                answers.append(np.array([kept.tokens[place] for place in group]))
        found = model.predict(sequences)
        return _joined([said == right for said, right in zip(found, answers, strict=True)])


def _tensors(lessons: Sequence[Lesson], filling: int, device: Any) -> tuple[Any, Any, Any, Any]:
    """Lessons side by side, filled up at their ends, with the places and tokens to be said."""
    import torch

    width = max(len(lesson.read) for lesson in lessons)
    ids = [[*lesson.read, *[filling] * (width - len(lesson.read))] for lesson in lessons]
    rows = [row for row, lesson in enumerate(lessons) for _ in lesson.places]
    columns = [place for lesson in lessons for place in lesson.places]
    answers = [token for lesson in lessons for token in lesson.answers]
    made = (torch.tensor(values, device=device) for values in (ids, rows, columns, answers))
    return tuple(made)  # type: ignore[return-value]


def _mask(lessons: Sequence[Lesson], ids: Any) -> Any:
    import torch

    lengths = torch.tensor([len(lesson.read) for lesson in lessons], device=ids.device)
    return (torch.arange(ids.shape[1], device=ids.device)[None] < lengths[:, None]).long()


def _cross_entropy(logits: Any, answers: Any) -> Any:
    import torch

    return torch.nn.functional.cross_entropy(logits.float(), answers)


def _joined(parts: list[Bools]) -> Bools:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
