"""The cosine of two texts' vectors by a sentence encoder.

Sentence encoders are those of Reimers and Gurevych, "Sentence-BERT: Sentence Embeddings using
Siamese BERT-Networks" (2019), and their successors in the package sentence-transformers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.text_vectors import OnTextVectors
from gistmark.models.sentence_encoders import sentence_encoder


class SentenceCosine(OnTextVectors):
    """The cosine of the vectors that a sentence encoder has for the summary and its target.

    A text that is too long for the model is read in pieces, and its vector is the mean of theirs,
    weighted by their tokens; with `long=cut` the rest is not read, as sentence-transformers does.
    Where either text is empty, the value is missing.
    """

    family = "sentence-cosine"
    about = "Cosine of the vectors of the summary and its target by a sentence encoder, -1 to 1."

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        model = sentence_encoder(self.options.model, self.options.precision)
        return model.embed(texts, long=self.options.long)
