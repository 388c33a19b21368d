"""How much each token counts: all alike, or by its rareness in a collection of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import log
from pathlib import Path

import numpy as np

from gistmark.errors import UsageError
from gistmark.metrics.metric import Float64
from gistmark.models.encoders import Encoder, Tokens
from gistmark.models.windows import Long


@dataclass(frozen=True)
class Collection:
    """Texts in which tokens are counted; `label` is what a signature calls them."""

    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Weights:
    """The weight of each token by its number; `unseen` is that of all others."""

    known: Mapping[int, float]
    unseen: float

    def of(self, tokens: Tokens) -> Float64:
        """The weights of the tokens of a text, in order."""
        return np.array([self.known.get(token, self.unseen) for token in tokens], dtype=np.float64)


def equal_weights(encoder: Encoder) -> Weights:
    """All tokens count alike, but those that mark the start and the end of a text not at all."""
    return Weights(dict.fromkeys(encoder.separators, 0.0), 1.0)


def rareness(encoder: Encoder, texts: Sequence[str], *, long: Long) -> Weights:
    """Inverse document frequency: log((N + 1) / (n + 1)) for a token in n of the N texts.

    Special tokens are in all texts, so they weigh nothing. With `long` as `cut`, only what the
    model reads of a text is counted.
    """
    counts: Counter[int] = Counter()
    for tokens in encoder.tokenize(texts):
        read = tokens[: encoder.room] if long == "cut" else tokens
        counts.update({*encoder.before, *read, *encoder.after})
    size = len(texts) + 1
    known = {token: log(size / (count + 1)) for token, count in counts.items()}
    return Weights(known, log(size))


def collection_of(texts: Iterable[str], name: str) -> Collection:
    """Texts under a name; the label has the start of a hash, which their order does not change."""
    kept = sorted(text for text in texts if text.strip())
    found = sha256()
    for text in kept:
        found.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return Collection(f"{name}@{found.hexdigest()[:12]}", tuple(kept))


def read_collection(file: str) -> Collection:
    """The texts of a file, one on each line."""
    path = Path(file).expanduser()
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"idf: {file!r} is none of no and corpus, and no file of texts can be read there: "
            f"{_reason(error)}."
        ) from None
    found = collection_of(lines, path.name)
    if not found.texts:
        raise UsageError(f"idf: the file {file} has no text; write one text on each line.")
    return found


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8"
