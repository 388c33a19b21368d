"""Where models are kept on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def models_folder() -> Path:
    """GISTMARK_MODELS, or `models` in Gistmark's cache (GISTMARK_CACHE, or the user's)."""
    chosen = os.environ.get("GISTMARK_MODELS")
    if chosen:
        return Path(chosen)
    cache = os.environ.get("GISTMARK_CACHE")
    if cache:
        return Path(cache) / "models"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gistmark" / "models"


def hub_folder() -> Path:
    """Where the libraries of Hugging Face keep what they fetched."""
    chosen = os.environ.get("HF_HUB_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("HF_HOME")
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "huggingface"
    return (Path(home) if home else base) / "hub"
