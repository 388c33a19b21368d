"""Where Gistmark keeps scores and models on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """GISTMARK_CACHE, or a folder `gistmark` where the user's caches are."""
    chosen = os.environ.get("GISTMARK_CACHE")
    return Path(chosen) if chosen else _user_caches() / "gistmark"


def models_folder() -> Path:
    """GISTMARK_MODELS, or `models` in Gistmark's cache."""
    chosen = os.environ.get("GISTMARK_MODELS")
    return Path(chosen) if chosen else cache_folder() / "models"


def hub_folder() -> Path:
    """Where the libraries of Hugging Face keep what they fetched."""
    chosen = os.environ.get("HF_HUB_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("HF_HOME")
    return (Path(home) if home else _user_caches() / "huggingface") / "hub"


def _user_caches() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
