"""Random numbers that can be drawn again: they depend on a seed and a document's name."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from gistmark.records import Document


def generator(seed: int, document: Document) -> np.random.Generator:
    """A generator that depends on the seed and the document's id, and on nothing else.

    So a summary stays the same whichever documents stand beside its own.
    """
    digest = sha256(document.id.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, dtype="<u4").tolist()])
