"""Where Gistmark keeps scores and models on this machine, and where other libraries do."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
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


def gensim_folder() -> Path:
    """Where gensim's downloader keeps what it fetched."""
    return Path(os.environ.get("GENSIM_DATA_DIR") or Path.home() / "gensim-data")


def spacy_package(name: str) -> Path | None:
    """The data folder of an installed pipeline of spaCy; nothing of the package is imported."""
    found = find_spec(name) if name.isidentifier() else None
    for place in (found and found.submodule_search_locations) or ():
        try:
            facts = json.loads((Path(place) / "meta.json").read_text(encoding="utf-8"))
            folder = Path(place) / f"{facts['lang']}_{facts['name']}-{facts['version']}"
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if (folder / "config.cfg").is_file():
            return folder
    return None


def _user_caches() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
