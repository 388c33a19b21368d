"""Random numbers that can be drawn again: a generator from a seed and the names of its purpose."""

from __future__ import annotations

import json
from hashlib import sha256

import numpy as np


def generator(seed: int, *names: str | int) -> np.random.Generator:
    """A generator that depends on the seed and on every name, and on nothing else.

    Two annotators of one campaign get different orders, and each gets the same one again. Without
    a name it is the generator of the seed itself.
    """
    return _for(seed, json.dumps(names)) if names else np.random.default_rng(seed)


def document_generator(seed: int, document: str) -> np.random.Generator:
    """A generator that depends on the seed and the id of a document, and on nothing else.

    So a summary stays the same whichever documents stand beside its own.
    """
    return _for(seed, document)


def _for(seed: int, purpose: str) -> np.random.Generator:
    digest = sha256(purpose.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, *np.frombuffer(digest, dtype="<u4").tolist()])
