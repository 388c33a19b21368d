"""The three readings of each sentence of a document: base, help and full.

A causal model foresees the tokens of the sentence after three contexts:

    base    nothing, or a filler: as many full stops as the summary has tokens
    help    the summary
    full    the sentence itself

The sentences upstream stand between that and the sentence, and for `full` once more in front of
it all. A separator, if there is one, follows the summary, its filler, and the sentence that is
known in full.

Where this is longer than the model reads, the sentences are cut at their ends, but not below 100
tokens, and the summary at its end, for all sentences of a document alike; what is upstream is cut
at its beginning, and so is the context of `full`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from gistmark.metrics.batch import Batch
from gistmark.metrics.blanc.eligible import Places, word_starts
from gistmark.metrics.blanc.fitting import kept_of_sentence
from gistmark.metrics.shannon.options import ShannonOptions
from gistmark.models.causal import CausalModel, Query, Tokens, causal_model
from gistmark.text.sentences import sentences

Kind = Literal["base", "help", "full"]
Readings = dict[Kind, list[Query]]
Asked = tuple[Tokens, Places]

FILLER = "."
KEPT = 100


def readings(batch: Batch, options: ShannonOptions, document: int, summary: int) -> Readings:
    """The queries of a document with a summary, both by their number in the batch.

    Those of a sentence stand at the same place for each kind and want the same tokens. Sentences
    of which nothing is asked are left out. A blank summary is an empty one.
    """
    model = causal_model(options.model, options.precision)
    asked = _sentences(batch, options, model, document)
    text = batch.texts[summary]
    told, full_stop, separator = model.encode(
        [text if text.strip() else "", FILLER, options.separator]
    )
    room = model.longest - 1
    longest = max((len(tokens) for tokens, _ in asked), default=0)
    kept = kept_of_sentence(longest, len(told + separator), room=room, cut=KEPT)
    told = told[: max(0, room - kept - len(separator))]
    after = separator if told else ()
    filler = (full_stop * len(told))[: len(told)] + after
    before: dict[Kind, Tokens] = {
        "base": filler if options.base == "filler" else (),
        "help": told + after,
    }
    found: Readings = {"base": [], "help": [], "full": []}
    cut = [_first(sentence, kept) for sentence in asked]
    for place, (tokens, wanted) in enumerate(cut):
        if wanted:
            left = room - len(tokens)
            near = _near(cut[:place], options.upstream, left - len(before["help"]))
            for kind, context in before.items():
                found[kind].append(Query(context + near, tokens, wanted))
            itself = _last(near + tokens + separator + near, left)
            found["full"].append(Query(itself, tokens, wanted))
    return found


def _sentences(
    batch: Batch, options: ShannonOptions, model: CausalModel, document: int
) -> list[Asked]:
    """The tokens of a document's sentences and the places of those that are asked for."""

    def made() -> list[Asked]:
        texts = sentences(batch.texts[document], options.lang)
        if options.words == "long":
            return word_starts(model.tokenizer, texts, options.least)
        return [(tokens, tuple(range(len(tokens)))) for tokens in model.encode(texts)]

    key = ("shannon", options.model, options.words, options.least, options.lang, document)
    return batch.memo(key, made)


def _first(asked: Asked, count: int) -> Asked:
    tokens, wanted = asked
    return tokens[:count], tuple(place for place in wanted if place < count)


def _near(before: Sequence[Asked], count: int, room: int) -> Tokens:
    """The tokens of the sentences upstream."""
    last = before[max(0, len(before) - count) :]
    return _last(tuple(token for tokens, _ in last for token in tokens), room)


def _last(tokens: Tokens, count: int) -> Tokens:
    return tokens[max(0, len(tokens) - count) :]
