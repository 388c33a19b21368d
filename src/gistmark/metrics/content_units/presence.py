"""Whether a text states a unit, as a probability from 0 to 1.

    words       the share of the unit's content words that the text has
    embeddings  how well an encoder's vectors of the unit's words are matched in the text: the mean
                of their greatest cosines, and the least of them
    lm          how much likelier the unit is to a language model after the text, in nats per token
    nli         whether the text entails the unit, by a model of inference: Zhang and Bansal,
                "Finding a Balanced Degree of Automation for Summary Evaluation" (2021)
    combined    words and embeddings together; the language model adds nothing to them

A unit whose words stand in the text one after another is present, and so is one whose sentence
stands there; a text without words states nothing. Cosines and a gain in likelihood are no
probabilities: three small logistic models turn them into one.

Model card. They are fitted to PyrXSum (Zhang and Bansal 2021): whether the short summaries that ten
systems wrote of 100 BBC articles state the 478 units that people wrote for the references; 4,780
marks, of which 18 % are positive. The encoder is all-MiniLM-L6-v2, the language model
SmolLM2-135M-Instruct. Texts are English news. In longer summaries, other domains or with other
models the order of the probabilities may hold, but their level need not. `benchmarks/presence.py`
recomputes the coefficients and judges them by cross-validation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.content_units.options import Classes, PyramidOptions
from gistmark.metrics.content_units.units import Unit
from gistmark.metrics.language_model.predictions import predictions
from gistmark.metrics.options import LANGUAGE_MODEL, SENTENCE_ENCODER, ModelOptions
from gistmark.models.encoders import Encoded, Encoder, encoder
from gistmark.models.entailment import entailment_model
from gistmark.models.language_models.causal import Query, Tokens, causal_model
from gistmark.text.content import contained, content_words
from gistmark.text.folding import stop_words
from gistmark.text.languages import profile_for
from gistmark.text.sentences import Span, sentence_spans, sentences
from gistmark.text.words import words

Float64 = NDArray[np.float64]
Pair = tuple[Unit, str]
Evidence = Callable[[Batch, PyramidOptions, Sequence[Pair]], Float64]

PASSAGE = 300
"""A language model and a model of inference read so many words at once; of a longer text, the
passage that states the unit best counts."""


@dataclass(frozen=True)
class Logistic:
    """p = 1 / (1 + exp(-(intercept + sum of weight times evidence)))."""

    intercept: float
    weights: tuple[float, ...]

    def probabilities(self, *evidence: Float64) -> Float64:
        """The probability for each row of evidence, which stands in columns."""
        columns = zip(self.weights, evidence, strict=True)
        total = self.intercept + sum((weight * column for weight, column in columns), np.zeros(()))
        result: Float64 = 1.0 / (1.0 + np.exp(-total))
        return result


EMBEDDINGS = Logistic(-5.795, (5.262, 3.487))
"""The mean and the least of the greatest cosines of the unit's content tokens."""
LANGUAGE = Logistic(-3.179, (0.929,))
"""The gain in nats per token."""
COMBINED = Logistic(-5.372, (1.358, 3.574, 3.407))
"""The share of content words, and the mean and the least cosine."""


def presence(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    """The probability that each text states the unit beside it."""
    probabilities = _ACTIVE_MEMOS[-1].setdefault(options, {}) if _ACTIVE_MEMOS else {}
    new_pairs = [pair for pair in dict.fromkeys(pairs) if pair not in probabilities]
    settled = {pair: _obvious_presence(batch, pair, options.lang) for pair in new_pairs}
    open_pairs = [pair for pair in new_pairs if settled[pair] is None]
    computed = _METHODS[options.presence](batch, options, open_pairs) if open_pairs else np.empty(0)
    probabilities.update((pair, value) for pair, value in settled.items() if value is not None)
    probabilities.update(zip(open_pairs, computed.tolist(), strict=True))
    return np.array([probabilities[pair] for pair in pairs], dtype=np.float64)


@contextmanager
def presence_kept() -> Iterator[None]:
    """Keep the probabilities inside the block, so that each unit is looked for in a text once."""
    _ACTIVE_MEMOS.append({})
    try:
        yield
    finally:
        _ACTIVE_MEMOS.pop()


_ACTIVE_MEMOS: list[dict[PyramidOptions, dict[Pair, float]]] = []


def location(unit: Unit, text: str, lang: str) -> Span | None:
    """The sentence of the text that has most of the unit's words, the first of several.

    None where several sentences have none of them: the unit is stated by the text as a whole.
    """
    spans = sentence_spans(text, lang)
    unit_words = content_words(unit.text, lang)
    shares = [contained(unit_words, content_words(text[start:end], lang)) for start, end in spans]
    if len(spans) > 1 and not any(shares):
        return None
    return spans[int(np.argmax(shares))] if spans else None


def word_shares(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    """The share of the unit's content words that the text has."""
    memo: dict[str, frozenset[str]] = batch.memo(("content words", options.lang), dict)
    for text in {text for unit, text in pairs} | {unit.text for unit, _ in pairs}:
        if text not in memo:
            memo[text] = content_words(text, options.lang)
    return np.array([contained(memo[unit.text], memo[text]) for unit, text in pairs])


def token_matches(
    batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]
) -> tuple[Float64, Float64]:
    """How well the unit's content tokens are matched by tokens of the text: mean and least cosine.

    A token is matched by the one that is most like it, as in BERTScore (Zhang and others, 2020).
    A unit without content tokens is matched by all that it has.
    """
    name = options.model or SENTENCE_ENCODER
    memo: dict[str, Encoded | None] = batch.memo(("token vectors", name, options.precision), dict)
    model = encoder(name, options.precision)
    texts = dict.fromkeys(side for unit, text in pairs for side in (unit.text, text))
    new = [text for text in texts if text not in memo]
    memo.update(zip(new, _token_vectors(model, new), strict=True))
    content = {unit.text: _content_tokens(model, memo[unit.text], options) for unit, _ in pairs}
    mean, least = np.zeros(len(pairs)), np.zeros(len(pairs))
    for row, (unit, text) in enumerate(pairs):
        unit_vectors, encoded = content[unit.text], memo[text]
        # What the model cannot read is like nothing.
        if unit_vectors is not None and encoded is not None:
            best = (unit_vectors @ encoded.vectors.T).max(axis=1)
            mean[row], least[row] = best.mean(), best.min()
    return mean, least


def gains(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    """By how many nats per token the unit is likelier after the text than alone.

    Of a long text the passage after which it is likeliest counts.
    """
    name = options.model or LANGUAGE_MODEL
    model = causal_model(name, options.precision)
    split = {text: _passages(text, options.lang) for _, text in pairs}
    texts = list(dict.fromkeys(unit.text for unit, _ in pairs))
    units = dict(zip(texts, _encoded(model.encode, texts), strict=True))
    pieces = list(dict.fromkeys(piece for passages in split.values() for piece in passages))
    contexts = dict(zip(pieces, _encoded(model.encode, pieces), strict=True))
    budget = model.longest - 1

    def query(context: Tokens, unit: str) -> Query:
        tokens = units[unit][: budget // 2]
        return Query(context[: budget - len(tokens)], tokens, tuple(range(len(tokens))))

    queries = [query((), text) for text in texts]
    queries += [query(contexts[piece], unit.text) for unit, text in pairs for piece in split[text]]
    settings = ModelOptions(name, options.precision)
    means = [
        float(prediction.likelihoods.mean()) if len(prediction.likelihoods) else 0.0
        for prediction in predictions(batch, settings, queries)
    ]
    unconditional = dict(zip(texts, means, strict=False))
    after = iter(means[len(texts) :])
    best = [
        max(next(after) for _ in split[text]) - unconditional[unit.text] for unit, text in pairs
    ]
    return np.array(best)


def _by_embeddings(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    return EMBEDDINGS.probabilities(*token_matches(batch, options, pairs))


def _by_language_model(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    return LANGUAGE.probabilities(gains(batch, options, pairs))


def _combined(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    return COMBINED.probabilities(
        word_shares(batch, options, pairs),
        *token_matches(batch, options, pairs),
    )


def _by_inference(batch: Batch, options: PyramidOptions, pairs: Sequence[Pair]) -> Float64:
    """For a long text, the passage that entails the unit most counts."""
    split = {text: _passages(text, options.lang) for _, text in pairs}
    queries = [(piece, unit.text) for unit, text in pairs for piece in split[text]]
    memo: dict[tuple[str, str], Float64] = batch.memo(
        ("entailment", options.model, options.precision), dict
    )
    new = [pair for pair in dict.fromkeys(queries) if pair not in memo]
    if new:
        model = entailment_model(options.model, options.precision)
        memo.update(zip(new, model.logits(new), strict=True))
    logits = np.stack([memo[pair] for pair in queries])
    values = iter(entailed(logits, options.nli).tolist())
    return np.array([max(next(values) for _ in split[text]) for _, text in pairs])


def entailed(logits: Float64, how: Classes) -> Float64:
    """Presence from logits whose first column is entailment, by the names of Lite2Pyramid.

    `p` takes the probability of entailment, `l` is 1 where it is the likeliest label. `2c` adds up
    the logits of the other labels before, as that package does; `3c` leaves them as they are.
    """
    other_logits = logits[:, 1:]
    if how.endswith("2c"):
        other_logits = other_logits.sum(axis=1)[:, None]
    if how.startswith("l"):
        return np.array(np.all(logits[:, :1] >= other_logits, axis=1), dtype=np.float64)
    shifted = np.column_stack([logits[:, :1], other_logits])
    exponents = np.exp(shifted - shifted.max(axis=1, keepdims=True))
    shares: Float64 = exponents[:, 0] / exponents.sum(axis=1)
    return shares


_METHODS: dict[str, Evidence] = {
    "words": word_shares,
    "embeddings": _by_embeddings,
    "lm": _by_language_model,
    "nli": _by_inference,
    "combined": _combined,
}


def _obvious_presence(batch: Batch, pair: Pair, lang: str) -> float | None:
    """1 where the text has the unit word for word, 0 where it has no words; else None."""
    unit, text = pair
    wording = _wording(batch, text, lang)
    if not wording.strip():
        return 0.0
    unit_texts = (unit.text, unit.source) if unit.source else (unit.text,)
    unit_wordings = (_wording(batch, unit_text, lang) for unit_text in unit_texts)
    stands = any(words.strip() and words in wording for words in unit_wordings)
    return 1.0 if stands else None


def _wording(batch: Batch, text: str, lang: str) -> str:
    """The words of a text with a space before and after each."""
    memo: dict[str, str] = batch.memo(("wording", lang), dict)
    if text not in memo:
        memo[text] = f" {' '.join(words(text, profile_for(lang)))} "
    return memo[text]


def _token_vectors(model: Encoder, texts: Sequence[str]) -> list[Encoded | None]:
    """The tokens of texts with vectors of length 1, without special ones; None without any."""
    tokenized = model.tokenize(texts)
    encoded = iter(model.encode([tokens for tokens in tokenized if tokens]))
    return [
        _without_special_tokens(model, next(encoded)) if tokens else None for tokens in tokenized
    ]


def _without_special_tokens(model: Encoder, encoded: Encoded) -> Encoded:
    last = len(encoded.tokens) - len(model.after)
    vectors = encoded.vectors[len(model.before) : last]
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return Encoded(encoded.tokens[len(model.before) : last], vectors / lengths)


def _content_tokens(
    model: Encoder, encoded: Encoded | None, options: PyramidOptions
) -> NDArray[np.float32] | None:
    """The vectors of tokens that are neither stop words nor punctuation, or all without any."""
    if encoded is None:
        return None
    plain = stop_words(options.lang)
    # Marks of the start of a word go; a piece within a word, such as ##on, is no stop word.
    names = [name.lstrip("Ġ▁").lower() for name in model.token_names(encoded.tokens)]
    has_content = [name not in plain and any(map(str.isalnum, name)) for name in names]
    return encoded.vectors[has_content] if any(has_content) else encoded.vectors


def _passages(text: str, lang: str) -> list[str]:
    """The text, or passages of whole sentences where it is longer than `PASSAGE` words."""
    if len(text.split()) <= PASSAGE:
        return [text]
    passages: list[list[str]] = [[]]
    for piece in _pieces(sentences(text, lang)):
        if passages[-1] and len(passages[-1]) + len(piece) > PASSAGE:
            passages.append([])
        passages[-1] += piece
    return [" ".join(passage) for passage in passages if passage]


def _pieces(texts: Iterable[str]) -> Iterable[list[str]]:
    """Sentences as words; one that is too long is cut."""
    for text in texts:
        words_of_text = text.split()
        yield from (
            words_of_text[start : start + PASSAGE]
            for start in range(0, len(words_of_text), PASSAGE)
        )


def _encoded(encode: Callable[[Sequence[str]], list[Tokens]], texts: Sequence[str]) -> list[Tokens]:
    """The tokens of texts that are read one after another, so with a space before each."""
    return encode([f" {' '.join(text.split())}" for text in texts])
