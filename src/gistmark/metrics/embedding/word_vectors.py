"""Metrics on word vectors: cosine of averages, and Word Mover's Distance.

Word Mover's Distance is that of Kusner, Sun, Kolkin and Weinberger, "From Word Embeddings To
Document Distances" (2015), solved exactly. The average is over all words of a text that the
vectors know, each as often as it occurs; a pipeline of spaCy finds the words and makes the average
by itself.

Words without a vector are ignored, so two texts that share their only known word are equal to these
metrics. A value is therefore missing where fewer of the words of either text are known than the
option `known` asks for; the part `known` gives the share.

The EMFoS thesis averages word2vec and GloVe over lower-cased words between spaces, of which only
the letters a to z stay, and asks for no share of known words: `tok=space,letters=yes,known=0`. That
is what its public notebook does; it has no code of Word Mover's Distance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, offsets_of
from gistmark.metrics.embedding.known_words import (
    NO_KNOWN_WORDS,
    PARTS,
    Floor,
    combine_known,
    shares_of,
)
from gistmark.metrics.metric import Better, Float64, Metric, Need, Values
from gistmark.metrics.options import (
    Against,
    Combination,
    LanguageOptions,
    language_settings,
    refuse_what_lacks,
)
from gistmark.metrics.targets import NEEDED, Pairs, pair_up
from gistmark.models.vectors.pipelines import is_pipeline, labels_of, pipeline
from gistmark.models.vectors.words import UNKNOWN, plain_name, word_vectors
from gistmark.options import option
from gistmark.text.folding import fold_words
from gistmark.text.languages import Profile, Tokenizer
from gistmark.text.tokens import vocabulary

Int64 = NDArray[np.int64]

_NOT_LETTERS = re.compile("[^A-Za-z]")
MOST_CELLS = 4_000_000
NO_DIRECTION = "the word vectors of the summary or its target add up to nothing"
TOO_MANY_WORDS = "the texts have too many different words for the exact distance"


@dataclass(frozen=True)
class VectorOptions(LanguageOptions):
    """Options of metrics on word vectors."""

    vectors: str = option(
        "glove-6b-50d", "a known model, a file of word vectors, or a pipeline of spaCy"
    )
    tok: Tokenizer = option("words", "how words are found")
    letters: bool = option(False, "of each word keep only the letters a to z", implied=True)
    stop: bool = option(False, "leave out the stop words of the language")
    unit: bool = option(False, "bring every word's vector to length 1 first")
    known: float = option(0.5, "the share of the words of either text that must have a vector")
    against: Against = option("references", "what the summary is compared with")
    refs: Combination = option("max", "how several references are combined")

    def __post_init__(self) -> None:
        """A name with the hash that a signature shows means the same as the name alone."""
        super().__post_init__()
        refuse_what_lacks(self.lang, stem=False, stop=self.stop)
        object.__setattr__(self, "vectors", plain_name(self.vectors))
        if not 0 <= self.known <= 1:
            raise UsageError(f"known is a share from 0 to 1, not {self.known:g}.")


@dataclass(frozen=True)
class AverageOptions(VectorOptions):
    """Options of the cosine of averages."""

    def __post_init__(self) -> None:
        """A pipeline averages in its own way, so the options that shape the average are refused."""
        super().__post_init__()
        by_language = language_settings(type(self), {}, self.lang)
        for name in ("tok", "letters", "stop", "unit"):
            default = by_language.get(name, type(self).__dataclass_fields__[name].default)
            if getattr(self, name) != default and is_pipeline(self.vectors):
                raise UsageError(
                    f"{name} goes with plain word vectors; the pipeline {self.vectors} finds and "
                    "averages the words by itself."
                )


@dataclass(frozen=True)
class MoverOptions(VectorOptions):
    """Options of Word Mover's Distance.

    Kusner and others leave out stop words. The EMFoS thesis does not say whether it does; `stop=no`
    keeps them.
    """

    stop: bool = option(True, "leave out the stop words of the language")
    unit: bool = option(False, "bring every word's vector to length 1 first, as gensim does")


@dataclass(frozen=True)
class Bags:
    """The known words of each text of a batch, ascending, with their counts.

    Words are rows of `points`; those of text `i` stand from `offsets[i]` to `offsets[i + 1]`.
    `shares` says how many of the words of each text that count are known.
    """

    words: Int64
    counts: Int64
    offsets: Int64
    points: Float64
    shares: Float64

    @property
    def lengths(self) -> Int64:
        """The number of different words of each text."""
        return np.diff(self.offsets)


class _OnWordVectors(Metric):
    """Shared: texts to bags of vectors once per batch, and each distinct pair compared once."""

    Options: ClassVar[type[Any]] = VectorOptions
    parts = PARTS

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    def _shown(self) -> dict[str, str]:
        """The vectors with their hash, because a file's name alone says little."""
        return labels_of(self.options)

    def _bags(self, batch: Batch) -> Bags:
        options = self.options
        key = (
            "word vectors", options.vectors, options.tok, options.letters, options.stop,
            options.unit, options.lang,
        )  # fmt: skip
        return batch.memo(key, lambda: _bags(batch, options))

    def _combined(
        self, batch: Batch, pairs: Pairs, values: Float64, shares: Float64, why: NDArray[np.str_]
    ) -> Values:
        options = self.options
        return combine_known(
            pairs, values, shares, size=len(batch), why=why, how=options.refs,
            floor=Floor(options.known, options.vectors, options.stop),
            lower=self.better == "lower",
        )  # fmt: skip


class WordVectorCosine(_OnWordVectors):
    """The cosine of the averaged word vectors of both texts.

    With a pipeline of spaCy it is that of `Doc.vector`, which `Doc.similarity` gives, too.
    """

    family = "wordvec-cosine"
    about = "Cosine of the averaged word vectors of the summary and its target, -1 to 1."
    range = (-1.0, 1.0)
    Options = AverageOptions

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        sums, shares = self._sums(batch, pairs)
        lengths = np.sqrt((sums**2).sum(axis=1))
        left, right, inverse = _distinct(pairs)
        scale = lengths[left] * lengths[right]
        dots = np.einsum("ij,ij->i", sums[left], sums[right])
        cosines = np.divide(dots, scale, out=np.zeros_like(dots), where=scale > 0)
        has_known = shares > 0
        comparable = has_known[pairs.summaries] & has_known[pairs.targets]
        why = np.where(comparable, np.where((scale > 0)[inverse], "", NO_DIRECTION), NO_KNOWN_WORDS)
        clipped = np.clip(cosines, *self.range)[inverse]
        return self._combined(batch, pairs, clipped, shares, why)

    def _sums(self, batch: Batch, pairs: Pairs) -> tuple[Float64, Float64]:
        """For each text a vector that points where its average does, and how much is known."""
        if not is_pipeline(self.options.vectors):
            bags = self._bags(batch)
            return _sums(bags), bags.shares
        texts = np.union1d(pairs.summaries, pairs.targets)
        vectors = pipeline(self.options.vectors).text_vectors([batch.texts[text] for text in texts])
        sums = np.zeros((len(batch.texts), vectors.rows.shape[1]))
        sums[texts] = vectors.rows
        shares = np.full(len(batch.texts), np.nan)
        shares[texts] = shares_of(vectors.known, vectors.words)
        return sums, shares


class WordMoversDistance(_OnWordVectors):
    """The least distance that the words of one text travel to become those of the other."""

    family = "wmd"
    about = "Word Mover's Distance, exact: how far the summary's words are from the target's; 0 up."
    better: ClassVar[Better] = "lower"
    range = (0.0, float("inf"))
    block_size = 256
    Options = MoverOptions

    def score(self, batch: Batch) -> Values:
        from gistmark.metrics.kernels.transport import movers_distances

        bags = self._bags(batch)
        pairs = pair_up(batch, self.options.against)
        left, right, inverse = _distinct(pairs)
        cells = bags.lengths[left] * bags.lengths[right]
        todo = np.flatnonzero((cells > 0) & (cells <= MOST_CELLS))
        distances = np.zeros(len(left))
        distances[todo] = movers_distances(
            bags.words, bags.counts, bags.offsets, bags.points, left[todo], right[todo]
        )
        why = np.where(cells > MOST_CELLS, TOO_MANY_WORDS, np.where(cells > 0, "", NO_KNOWN_WORDS))
        return self._combined(batch, pairs, distances[inverse], bags.shares, why[inverse])


def _bags(batch: Batch, options: VectorOptions) -> Bags:
    """Look every distinct word up once and count what is known of each text."""
    name = options.vectors
    vectors = pipeline(name).word_table() if is_pipeline(name) else word_vectors(name)
    # The key under which a batch keeps its words, so they are shared with other metrics.
    spelled = batch.memo(options.tok, lambda: vocabulary(batch.texts, options.tok))
    profile = Profile(tok=options.tok, stop=options.stop, lang=options.lang)
    spellings = spelled.words
    if options.letters:
        spellings = [_NOT_LETTERS.sub("", word) for word in spellings]
    folded = fold_words(spellings, profile)
    left_out = np.array([not word for word in folded], dtype=bool)
    rows = vectors.look_up([word or "" for word in folded]).rows
    rows[left_out] = UNKNOWN
    with_vector = np.flatnonzero(rows != UNKNOWN)
    number_of = np.full(len(rows), UNKNOWN, dtype=np.int64)
    number_of[with_vector] = np.arange(len(with_vector))
    points = vectors.matrix[rows[with_vector]].astype(np.float64)
    if options.unit:
        lengths = np.sqrt((points**2).sum(axis=1, keepdims=True))
        points = np.divide(points, lengths, out=points, where=lengths > 0)
    ids, lengths = spelled.table.ids, spelled.table.lengths
    content = _count_by_text(lengths, ~left_out[ids])
    return _count_words(number_of[ids], lengths, points, content)


def _count_words(words: Int64, lengths: Int64, points: Float64, content: Int64) -> Bags:
    """Bags from the words of all texts one after another, some of them unknown.

    `content` is how many words of each text count, known or not.
    """
    texts = np.repeat(np.arange(len(lengths)), lengths)[words != UNKNOWN]
    width = max(len(points), 1)
    codes, counts = np.unique(texts * width + words[words != UNKNOWN], return_counts=True)
    per_text = np.bincount(codes // width, minlength=len(lengths))
    shares = shares_of(_count_by_text(lengths, words != UNKNOWN), content)
    offsets = offsets_of(per_text.tolist())
    return Bags(codes % width, counts.astype(np.int64), offsets, points, shares)


def _count_by_text(lengths: Int64, selected: NDArray[np.bool_]) -> Int64:
    """How many of the words of each text are selected; the words stand one text after another."""
    texts = np.repeat(np.arange(len(lengths)), lengths)[selected]
    return np.bincount(texts, minlength=len(lengths))


def _sums(bags: Bags) -> Float64:
    """The sum of the vectors of each text, which points where their average does."""
    from scipy.sparse import csr_array

    shape = (len(bags.offsets) - 1, len(bags.points))
    counted = csr_array((bags.counts.astype(np.float64), bags.words, bags.offsets), shape=shape)
    return np.asarray(counted @ bags.points)


def _distinct(pairs: Pairs) -> tuple[Int64, Int64, Int64]:
    """Each pair of texts once, and where each pair of the batch is among them."""
    numbers = np.stack([pairs.targets, pairs.summaries], axis=1)
    distinct, inverse = np.unique(numbers, axis=0, return_inverse=True)
    return distinct[:, 1], distinct[:, 0], inverse.reshape(-1)
