"""Whether a model fills in masked words or foresees words from left to right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from gistmark.errors import GistmarkError
from gistmark.models.hub import hub_model
from gistmark.models.known import KNOWN
from gistmark.models.loading import Source, architecture, source_of
from gistmark.signature import without_hash

Way = Literal["masked", "causal"]

_MASKED = re.compile(r"\w*ForMaskedLM|(Bert|Albert)ForPreTraining")
_CAUSAL = re.compile(r"\w*ForCausalLM|\w*LMHeadModel")


def way_of(name: str) -> Way:
    """How the model of this name is asked; one that is neither kind is an error."""
    if _is_embedded(name):
        return "causal"
    source = source_of(name)
    way = _told_by(architecture(source))
    if way is None:
        told = ", ".join(architecture(source)) or "unknown"
        raise GistmarkError(
            f"The model {source.name} (its architecture: {told}) is neither a masked nor a causal "
            "language model; take one such as bert-base-uncased or gpt2."
        )
    return way


def way_told(name: str) -> Way | None:
    """The same for a signature: never an error, and nothing is fetched; None if it is not here."""
    if _is_embedded(name):
        return "causal"
    plain = without_hash(name)
    try:
        folder = Path(plain).expanduser()
        folder = folder if folder.is_dir() else hub_model(plain, fetch=False)
        return _told_by(architecture(Source(plain, folder, plain)))
    except (GistmarkError, OSError):
        return None


def _is_embedded(name: str) -> bool:
    """Whether it is a language model from a wheel, all of which are causal."""
    model = KNOWN.get(without_hash(name))
    return model is not None and model.wheel is not None and model.kind == "language model"


def _told_by(classes: tuple[str, ...]) -> Way | None:
    if any(map(_MASKED.fullmatch, classes)):
        return "masked"
    return "causal" if any(map(_CAUSAL.fullmatch, classes)) else None
