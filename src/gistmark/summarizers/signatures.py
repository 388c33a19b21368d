"""Signatures of systems that work on models."""

from __future__ import annotations

from typing import Any

from gistmark.models import loading, word_vectors


def with_models(signature: str, options: Any) -> str:
    """The signature with the hashes of the models that the options name."""
    for name, label in (("vectors", word_vectors.label), ("model", loading.label_of)):
        value = getattr(options, name, None)
        if value is not None:
            signature = signature.replace(f"|{name}:{value}", f"|{name}:{label(value)}")
    return signature
