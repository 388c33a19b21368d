"""The cosine of the vectors that an encoder has for the starts of two texts.

The EMFoS thesis takes the last layer's vector of `[CLS]`, the token that BERT puts before every
text and RoBERTa calls `<s>`, for the whole text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.text_vectors import OnTextVectors
from gistmark.models.encoders import encoder


class ClsCosine(OnTextVectors):
    """The cosine of the vectors of the first token, which is `[CLS]` in models of BERT's kind.

    In a text that is too long for the model every window has a first token of its own, and their
    mean is taken, weighted by the tokens that each window stands for; with `long=cut` the rest is
    not read. Where either text is empty, the value is missing. Of a model that puts no token
    before a text, such as T5, the first token of the text itself is taken.
    """

    family = "cls-cosine"
    about = "Cosine of the [CLS] vectors of the summary and its target by an encoder, -1 to 1."

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        model = encoder(self.options.model, self.options.precision)
        tokenized = model.tokenize(texts)
        rows = np.full((len(texts), model.network.config.hidden_size), np.nan, dtype=np.float32)
        readable = [place for place, tokens in enumerate(tokenized) if tokens]
        if readable:
            tokens = [tokenized[place] for place in readable]
            rows[readable] = model.first_vectors(tokens, long=self.options.long)
        return rows
