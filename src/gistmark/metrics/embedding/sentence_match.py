"""Sentences matched by the vectors of a sentence encoder: BERTScore with sentences for tokens.

Each sentence of the summary is matched with the sentence of the target that is most like it by the
cosine, and the other way round. Precision is the mean over the summary's sentences, each weighing
as many words as it has, recall that over the target's, F their harmonic mean. Amplayo, Liu, Zhao
and Narayan, "SMART: Sentences as Basic Units for Text Evaluation" (2023), compare texts by
sentences with other matching functions, so these values are not theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.metrics.batch import Batch
from gistmark.metrics.embedding.bertscore import best_matches, with_harmonic_mean
from gistmark.metrics.embedding.text_cosine import TextVectorOptions
from gistmark.metrics.embedding.token_vectors import NO_TARGET, to_unit_length
from gistmark.metrics.metric import PRECISION_RECALL_F, Float64, Need, OnModel, Values
from gistmark.metrics.options import LanguageOptions, PositionOptions
from gistmark.metrics.targets import NEEDED, combine, pair_up
from gistmark.models.encoders import Float32
from gistmark.models.sentence_encoders import sentence_encoder
from gistmark.text import sentences, word_spans
from gistmark.text.languages import language


@dataclass(frozen=True)
class SentenceMatchOptions(PositionOptions, LanguageOptions, TextVectorOptions):
    """Options of the match of sentences."""

    def __post_init__(self) -> None:
        LanguageOptions.__post_init__(self)
        TextVectorOptions.__post_init__(self)


@dataclass(frozen=True)
class Sentences:
    """The sentences of a text: vectors of length 1, and how many words each has."""

    vectors: Float32
    words: Sequence[int]

    def weights(self, of_words: Float64) -> Float64:
        """The weight of each sentence: the sum of those of its words."""
        return np.add.reduceat(of_words, np.cumsum([0, *self.words[:-1]]))


class SentenceMatch(OnModel):
    """Precision, recall and F of greedily matched sentences.

    An empty summary scores 0 in all parts. Where the target is empty, the value is missing.
    """

    family = "sentence-match"
    about = (
        "How well the sentences of the summary and its target match by the vectors of a sentence "
        "encoder, -1 to 1 and mostly above 0."
    )
    parts = PRECISION_RECALL_F
    range = (-1.0, 1.0)
    Options = SentenceMatchOptions

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        numbers = np.unique(np.concatenate([pairs.summaries, pairs.targets]))
        texts = self._read(batch, numbers.tolist())
        matches = np.zeros((len(pairs.items), 2))
        for row, (summary, target) in enumerate(zip(pairs.summaries, pairs.targets, strict=True)):
            ours, theirs = texts.get(int(summary)), texts.get(int(target))
            if ours is not None and theirs is not None:
                matches[row] = self._matched(ours, theirs)
        values = with_harmonic_mean(*np.clip(matches, *self.range).T)
        usable = np.isin(pairs.targets, list(texts))
        return combine(
            pairs, values, size=len(batch), usable=usable, unusable=NO_TARGET, how=self.options.refs
        )

    def _matched(self, ours: Sentences, theirs: Sentences) -> tuple[float, float]:
        """Precision and recall."""
        of_ours, of_theirs = best_matches(ours.vectors, theirs.vectors)
        decayed = theirs.weights(self.options.decayed(sum(theirs.words)))
        return (
            float(np.average(of_ours, weights=ours.words)),
            float(np.average(of_theirs, weights=decayed)),
        )

    def _read(self, batch: Batch, numbers: list[int]) -> dict[int, Sentences]:
        """Some texts of the batch by number, each read once; those without sentences are left out.

        A sentence without words counts as one word, as an emoji does.
        """
        options = self.options
        key = (self.family, options.model, options.precision, options.long, options.lang)
        memo: dict[int, Sentences] = batch.memo(key, dict)
        rows = {n: sentences(batch.texts[n], options.lang) for n in numbers if n not in memo}
        distinct = list(dict.fromkeys(sentence for row in rows.values() for sentence in row))
        if distinct:
            model = sentence_encoder(options.model, options.precision)
            vectors = dict(zip(distinct, model.embed(distinct, long=options.long), strict=True))
            tok = language(options.lang).tok
            for number, text_sentences in rows.items():
                embedded = [s for s in text_sentences if np.isfinite(vectors[s]).all()]
                if embedded:
                    words = [max(1, len(word_spans(sentence, tok))) for sentence in embedded]
                    units = to_unit_length(np.stack([vectors[sentence] for sentence in embedded]))
                    memo[number] = Sentences(units, words)
        return memo
